"""Killed wherever it can be, a server loses nothing and counts nothing twice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.soak.doomed import POINTS
from tests.soak.kills import arenas, campaign, points

AT_LEAST = 2
AT_RANDOM = 12


@pytest.mark.soak
@pytest.mark.docker
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_killed_at_every_step_ends_as_one_that_was_not(
    tmp_path: Path,
    base_image: str,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each step at least twice, and random moments: same results, same digests, same ranking."""
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)
    chance = random.Random(seed := random.randrange(1 << 32))
    chosen = points(AT_LEAST * len(POINTS) + AT_RANDOM, chance)
    with capsys.disabled(), arenas(tmp_path, kind) as both:
        print(f"\nseed {seed}")
        outcome = campaign(*both, chosen, chance)
        print(f"{kind}\n{outcome.table()}", flush=True)
    assert outcome.missed == []
    assert all(outcome.hits[name] >= AT_LEAST for name in POINTS)
