"""A store, a run of it, and images that are gone afterwards."""

from tests.integration.tournament.conftest import image, member

__all__ = ["image", "member"]
