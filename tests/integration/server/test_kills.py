"""A server that is killed in a few of the many places; all of them are for `make soak`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.soak.kills import RANDOM, arenas, campaign

FEW = {
    "sqlite": [
        "match: in play",
        "image: built, not committed",
        "result: blobs kept, not recorded",
        RANDOM,
    ],
    "postgresql": [
        "result: recorded, not committed",
        "draw: done, not answered",
        "backup: written, not named",
    ],
}


@pytest.mark.docker
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", list(FEW))
def test_a_server_killed_in_a_few_places_ends_as_one_that_was_not(
    tmp_path: Path, base_image: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results, digests, rankings and bots are the same, every blob is there, nothing is left."""
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)
    with arenas(tmp_path, kind) as both:
        outcome = campaign(*both, FEW[kind], random.Random(1))
    assert outcome.missed == []
    assert outcome.results >= 4
