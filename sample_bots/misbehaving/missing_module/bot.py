"""Imports a package that is not there."""

import numpy_with_luck  # type: ignore[import-not-found]  # noqa: F401
from calm import Calm

from arenabot import serve

if __name__ == "__main__":
    serve(Calm)
