"""Gets misbehaving bots ready, plants canaries, and plays the matches that were asked for."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import docker
import pytest

from arena.tournament.job import Played
from tests.e2e.hostile.bots import Bots, made_ready
from tests.e2e.hostile.expecting import PLAYS_ON
from tests.e2e.hostile.lane import Seen, Trial
from tests.e2e.hostile.lanes import Lanes

TABLE = "ARENA_TEST_TABLE"
"""The environment variable that names the file for the table of what came of every bot."""


@pytest.fixture(scope="session")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A word that lies about in the arena's environment and files, and that no bot may find."""
    word = f"arena-canary-{secrets.token_hex(8)}"
    nest = tmp_path_factory.mktemp("nest")
    nests = [nest / word, Path("/tmp") / word, Path("/dev/shm") / word]
    for place in nests:
        place.write_text(word)
        place.chmod(0o644)
    os.environ["ARENA_CANARY"] = word
    yield word
    del os.environ["ARENA_CANARY"]
    for place in nests:
        place.unlink()


@pytest.fixture(scope="session")
def bots(
    engine: docker.APIClient,
    base_image: str,
    canary: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bots]:
    """The bots' images and folders."""
    folder = tmp_path_factory.mktemp("bots")
    with made_ready(engine, base_image, folder, canary) as bots:
        yield bots


@pytest.fixture(scope="session")
def lanes(
    request: pytest.FixtureRequest,
    engine: docker.APIClient,
    bots: Bots,
    canary: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Lanes]:
    """Plays the trials of all tests that were selected."""
    trials: list[Trial] = [
        cast("Trial", item.callspec.params["trial"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and "trial" in item.fixturenames
    ]
    # The paths of the arena have the canary in them, too.
    folder = tmp_path_factory.mktemp(canary)
    with Lanes(engine, folder, bots.seat, trials) as playing:
        yield playing
    if TABLE in os.environ:
        Path(os.environ[TABLE]).write_text(table(playing))
    assert not playing.left, playing.left


_COLUMNS = (
    *("bot", "sandbox", "verdict", "what its author reads", "worker before, peak, after (MiB)"),
    *("match (s)", "opponent's usual and slowest move (ms)"),
)


def table(lanes: Lanes) -> str:
    """What came of every bot, as a table in Markdown; matches between honest bots first."""
    rows = [_COLUMNS, ("---",) * len(_COLUMNS)]
    rows += map(_row, [*lanes.controls, *lanes.all_seen()])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(seen: Seen) -> tuple[str, ...]:
    if isinstance(seen.outcome, Played):
        seat = seen.record.seats[0]
        verdict = PLAYS_ON if seat.out is None else seat.out.kind.value
        said = next((fault.detail for fault in seat.faults[-1:]), "")
        moves = f"{seen.usual:.1f}, {seen.slowest:.1f}"
    else:
        verdict, said, moves = "VOID", seen.outcome.detail, ""
    mib = ", ".join(f"{size / (1 << 20):.1f}" for size in (seen.before, seen.peak, seen.after))
    if seen.stalled:
        verdict += f" (after {seen.stalled} void)"
    where = (seen.trial.name, seen.trial.lodging.value)
    return (*where, verdict, said.replace("|", "\\|"), mib, f"{seen.seconds:.1f}", moves)
