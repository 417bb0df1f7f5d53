"""``arena demo``: what a stranger sees first, with containers and without."""

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.integration.cli.arenas import Arena

BOTS = {"random", "greedy", "counter", "sleeper", "cheat"}


def check_ranking(document: dict[str, object]) -> None:
    """All five have played all others twice, and those that do wrong were seen to."""
    standings = document["standings"]
    assert isinstance(standings, list)
    assert {row["bot"] for row in standings} == BOTS
    assert {row["matches"] for row in standings} == {8}
    faults = {row["bot"]: row["faults"] for row in standings}
    assert faults["sleeper"] > 0
    assert faults["cheat"] > 0
    assert faults["random"] == faults["greedy"] == faults["counter"] == 0
    assert next(row["rank"] for row in standings if row["bot"] == "random") == 5


def test_a_demo_without_an_engine_says_so_and_plays_all_the_same(arena: Arena) -> None:
    """It ends with the ranking, where the replays lie, and commands that work as they stand."""
    shown = arena("demo")
    assert "demo: bots run as processes" in arena.err
    assert "doesn't answer" in arena.err
    for bot in BOTS:
        assert bot in shown
    folder = arena.home / "exports" / "demo"
    assert str(folder) in shown
    assert len(list((folder / "replays").iterdir())) == 20
    (replay,) = (line.split()[-1] for line in shown.splitlines() if " replay show " in line)
    assert "Round 1:" in arena("replay", "show", replay)
    check_ranking(arena.json("tournament", "show", "demo"))


def test_the_next_demo_is_another_tournament(arena: Arena) -> None:
    """It works twice, and an earlier one that was stopped does not stand in its way."""
    with arena.start("demo") as process:
        while (
            not (arena.home / "arena.db").exists()
            or not arena.json("tournament", "list")["tournaments"]
        ):
            assert process.poll() is None
        process.terminate()
        _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines()[-1].endswith("tournament run demo")
    document = arena.json("demo")
    assert document["name"] == "demo-2"
    check_ranking(document)


@pytest.mark.docker
def test_a_demo_in_containers(docker_arena: Arena) -> None:
    """With an engine and an image to build on, the same in containers."""
    document = docker_arena.json("demo")
    assert document["sandbox"] == "docker"
    assert "in containers" in docker_arena.err
    check_ranking(document)


def test_the_wheel_holds_what_the_command_needs(tmp_path: Path) -> None:
    """Sample bots, rules, migrations: all is found in an installed package, far from a checkout."""
    root = Path(__file__).parents[3]
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=root, check=True, capture_output=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    call = (
        "import arena, json; from arena.cli.main import run; from arena.app.bots.samples import *;"
        "print(json.dumps([arena.__file__, *(str(sample_bot(n)) for n in GOOD + MISBEHAVING)]));"
        "raise SystemExit(run(['rules', 'claim', '--lang', 'ro']) or run(['bot', 'list']))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", call],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site), "ARENA_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found, *shown = done.stdout.splitlines()
    assert all(path.startswith(str(site)) for path in json.loads(found))
    assert any("Claim!" in line for line in shown)
