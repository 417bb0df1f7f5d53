"""Adaptive tournaments by command: until the order is clear, and the same if they are killed."""

import os
import shutil
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store, TournamentState
from arena.store.testing import new_result, replay_of
from tests.integration.cli.arenas import Arena, digests

CUP = "cup"
SEED = "5eed" * 16
TRUSTED = ("--sandbox", "process", "--trusted")
ROOT = Path(__file__).parents[3]


def create(arena: Arena, *settings: str) -> Any:
    """Set up two bots of which one is far better; every decision of theirs comes from the seed."""
    return arena.json(
        "tournament", "create", CUP, "random", "greedy", "--game", "claims", "--seed", SEED,
        "--option", "target=150", "--until-clear", "0.9", *TRUSTED, *settings,
    )  # fmt: skip


def outcome(arena: Arena) -> tuple[Any, dict[str, str]]:
    """All that is said of the tournament, and each replay's digest by match."""
    shown = arena.json("tournament", "show", CUP)
    del shown["created"]
    return shown, digests(arena.json("tournament", "show", CUP, "--matches"))


def test_it_runs_until_its_order_is_clear_and_the_same_if_it_is_killed(
    arena: Arena, tmp_path: Path
) -> None:
    """Killed in the first wave and in a later one: schedule, order, ranking and replays are those
    of a run that nobody disturbed.
    """
    made = create(arena)
    assert (made["until_clear"], made["blocks"], made["progress"]["state"]) == (0.9, 400, "created")
    first_wave = made["progress"]["matches"]
    for after in (1, first_wave + 1):
        with arena.start("tournament", "run", CUP, "--workers", "1") as process:
            arena.wait_for_results(CUP, after, process)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        assert arena.progress(CUP).state.value == "running"
        assert arena.json("tournament", "show", CUP)["seed"] is None
    told = arena("tournament", "run", CUP)
    assert "greedy > random" in told
    assert "clear: neighbours are separated with probability 0.9" in told
    assert "of at most 400 blocks, open: greedy ? random" in arena.err
    shown, _ = end = outcome(arena)
    assert first_wave < shown["progress"]["matches"] == shown["progress"]["done"] < 100
    assert shown["progress"]["state"] == "finished"
    assert shown["clarity"]["clear"]
    assert [row["bot"] for row in shown["standings"]] == ["greedy", "random"]

    calm = Arena(tmp_path / "calm", arena.here, arena.patch)
    create(calm)
    calm("tournament", "run", CUP, "--workers", "2")
    assert outcome(calm) == end
    arena.wait_until_gone()


def test_a_run_that_was_stopped_between_two_waves_goes_on(arena: Arena) -> None:
    """All that was scheduled has its result, and the next wave was not added yet."""
    made = create(arena, "--blocks", "4")
    with closing(Store.open(arena.home)) as store:
        cup = store.tournament(CUP)
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
    assert arena.progress(CUP).pending == 0
    assert "more to come" in arena("tournament", "show", CUP)
    arena("tournament", "run", CUP)
    assert arena.progress(CUP).state is TournamentState.FINISHED
    assert arena.progress(CUP).matches == 8 > made["progress"]["matches"]


def test_equal_bots_end_with_the_blocks_that_they_may_have(arena: Arena) -> None:
    """And it says that they stay open; every key of the document is documented."""
    twin = arena.here / "twin"
    shutil.copytree(ROOT / "sample_bots" / "random", twin)
    manifest = twin / "bot.toml"
    manifest.write_text(manifest.read_text().replace('name = "random"', 'name = "twin"'))
    arena(
        "tournament", "create", CUP, "random", str(twin), "--game", "claims", "--blocks", "5",
        "--option", "target=150", "--until-clear", "0.95", *TRUSTED,
    )  # fmt: skip
    told = arena("tournament", "run", CUP)
    assert "order after 5 blocks: " in told
    assert " ? " in told
    assert "all 5 blocks that it may have were played" in told
    shown = arena.json("tournament", "show", CUP)
    assert shown["progress"]["state"] == "finished"
    assert shown["progress"]["matches"] == 10
    assert not shown["clarity"]["clear"]
    page = (ROOT / "docs" / "4-running-tournaments.md").read_text()
    for key in ("clarity", *shown["clarity"], *shown["clarity"]["neighbours"][0]):
        assert f"`{key}`" in page, key


@pytest.mark.parametrize("probability", ["1.5", "1", "0.3", "-1"])
def test_a_probability_that_is_none_is_refused_in_one_line(arena: Arena, probability: str) -> None:
    """As a wrong call, before anything is kept."""
    arena(
        "tournament", "create", CUP, "random", "greedy", "--game", "claims",
        "--until-clear", probability, *TRUSTED, code=2,
    )  # fmt: skip
    assert arena.err.startswith("arena: the probability to be clear with is at least 0.5 and below")
    assert len(arena.err.splitlines()) == 1
    assert arena.json("bot", "list")["versions"] == []
