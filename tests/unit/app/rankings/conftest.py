"""What tests of kept rankings look at."""

from __future__ import annotations

import pytest

from arena.store.rated import Latest, Rated


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From which block on results were read, each time they were."""
    seen: list[int] = []
    read = Rated.latest

    def latest(self: Rated, tournament_id: int, from_block: int = 0) -> Latest:
        seen.append(from_block)
        return read(self, tournament_id, from_block)

    monkeypatch.setattr(Rated, "latest", latest)
    return seen
