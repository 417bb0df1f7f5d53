"""A tournament that is stopped or killed goes on and ends as one that nobody disturbed."""

import os
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import docker
import pytest

from arena.sandbox.instance import store_labels
from arena.store import Store
from tests.integration.cli.arenas import Arena, digests

SEED = "5eed" * 16
CUP = "cup"


def create(arena: Arena, *settings: str) -> None:
    """Set the same tournament up, of bots whose every decision comes from the seed."""
    arena(
        "tournament", "create", CUP, "random", "greedy", "--game", "claims", "--blocks", "4",
        "--seed", SEED, "--option", "target=150", *settings,
    )  # fmt: skip


def outcome(arena: Arena) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The ranking, and each replay's digest by match."""
    standings = arena.json("tournament", "show", CUP)["standings"]
    return standings, digests(arena.json("tournament", "show", CUP, "--matches"))


def disturbed(arena: Arena) -> None:
    """Run the tournament to its end, killed twice and stopped once on the way."""
    for after, how in ((1, signal.SIGKILL), (3, signal.SIGINT), (5, signal.SIGKILL)):
        with arena.start("tournament", "run", CUP, "--workers", "1") as process:
            arena.wait_for_results(CUP, after, process)
            os.kill(process.pid, how)
            _, err = process.communicate()
        if how is signal.SIGINT:
            assert process.returncode == 130
            assert err.splitlines()[-1].startswith("arena: stopped; go on with: ")
            assert err.splitlines()[-1].endswith(f"tournament run {CUP}")
            assert "Traceback" not in err
        else:
            assert process.returncode == -signal.SIGKILL
    assert arena.progress(CUP).pending > 0
    arena("tournament", "run", CUP)
    assert arena.progress(CUP).pending == 0


def assert_nothing_left(arena: Arena) -> None:
    """No process, no run's folder, no socket's folder."""
    arena.wait_until_gone()
    # A killed run's workers may outlive the next start by the moment that they need to stop their
    # bots; what is then left is an empty folder, for the start after that.
    arena.json("doctor")
    left = {entry.name for entry in (arena.home / "run").iterdir() if entry.is_dir()}
    assert left == set()
    assert str(arena.home) not in Path("/proc/self/mountinfo").read_text()


def undisturbed(tmp_path: Path, arena: Arena, *settings: str) -> Arena:
    """The same tournament in an arena of its own, run in one go."""
    calm = Arena(tmp_path / "calm", arena.here, arena.patch)
    create(calm, *settings)
    calm("tournament", "run", CUP)
    return calm


def test_a_killed_and_stopped_tournament_ends_as_an_undisturbed_one(
    arena: Arena, tmp_path: Path
) -> None:
    """Ranking and every replay's digest are the same after two kill -9 and a Ctrl-C."""
    trusted = ("--sandbox", "process", "--trusted")
    create(arena, *trusted)
    disturbed(arena)
    assert outcome(arena) == outcome(undisturbed(tmp_path, arena, *trusted))
    assert_nothing_left(arena)


def test_ctrl_c_leaves_nothing_behind_at_once(arena: Arena) -> None:
    """When the command has ended, its workers and bots have ended too, and no folder is left."""
    create(arena, "--sandbox", "process", "--trusted")
    with arena.start("tournament", "run", CUP) as process:
        arena.wait_for_results(CUP, 1, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert arena.processes() == []
    assert_nothing_left(arena)


def test_a_tournament_is_played_by_one_command_at_a_time(arena: Arena) -> None:
    """A second run says who plays it, and disturbs nothing."""
    create(arena, "--sandbox", "process", "--trusted")
    with arena.start("tournament", "run", CUP) as process:
        arena.wait_for_results(CUP, 1, process)
        # Held still, so that it can't be done before the other one has looked.
        process.send_signal(signal.SIGSTOP)
        arena("tournament", "run", CUP, code=1)
        assert str(process.pid) in arena.err
        process.send_signal(signal.SIGCONT)
        process.communicate()
    assert process.returncode == 0
    assert arena.progress(CUP).voids == 0


@pytest.mark.docker
def test_a_killed_tournament_in_containers_ends_as_an_undisturbed_one(
    docker_arena: Arena, tmp_path: Path, engine: docker.APIClient
) -> None:
    """And of the containers, mounts and folders of the killed runs nothing is left."""
    create(docker_arena)
    disturbed(docker_arena)
    assert outcome(docker_arena) == outcome(undisturbed(tmp_path, docker_arena))
    with closing(Store.open(docker_arena.home)) as store:
        labels = store_labels(store.run_folder, store.id)
    wanted = [f"{name}={value}" for name, value in labels.items()]
    assert engine.containers(all=True, filters={"label": wanted}) == []
    assert_nothing_left(docker_arena)
