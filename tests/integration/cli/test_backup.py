"""``arena backup`` and ``arena restore``: while a tournament is played, and it is played on."""

import shutil
from pathlib import Path

from tests.integration.cli.arenas import Arena
from tests.integration.cli.test_resume import CUP, create, outcome, undisturbed

TRUSTED = ("--sandbox", "process", "--trusted")


def test_a_backup_taken_while_it_is_played_is_played_on_to_the_same_ranking(
    arena: Arena, tmp_path: Path
) -> None:
    """Ranking and every replay's digest are those of the tournament that nobody disturbed."""
    create(arena, *TRUSTED)
    file = tmp_path / "arena.tar.zst"
    with arena.start("tournament", "run", CUP, "--workers", "1") as process:
        arena.wait_for_results(CUP, 2, process)
        made = arena.json("backup", str(file))
        process.communicate()
    assert made["tournaments"] == 1
    assert made["results"] >= 2
    assert made["bytes"] == file.stat().st_size
    assert arena.progress(CUP).pending == 0
    shutil.rmtree(arena.home)
    told = arena("restore", str(file))
    assert told.startswith("restored 2 versions of bots, 1 tournaments, ")
    assert arena.progress(CUP).done == made["results"]
    arena("tournament", "run", CUP)
    assert arena.progress(CUP).pending == 0
    assert outcome(arena) == outcome(undisturbed(tmp_path, arena, *TRUSTED))


def test_what_cannot_be_restored_is_one_line(arena: Arena, tmp_path: Path) -> None:
    """No backup, a damaged one, an arena that holds something."""
    create(arena, *TRUSTED)
    file = tmp_path / "file"
    assert "1 tournaments, 0 results" in arena("backup", str(file))
    arena("backup", str(file), code=1)
    assert arena.err == f"arena: {file} is there already: choose another name for the backup\n"
    arena("restore", str(file), code=1)
    assert "holds something already (bots): set ARENA_HOME to a new folder" in arena.err
    arena("restore", str(tmp_path / "none"), "--home", str(tmp_path / "new"), code=1)
    assert arena.err == f"arena: {tmp_path}/none can't be read: No such file or directory\n"
    file.write_bytes(file.read_bytes()[:300])
    arena("restore", str(file), "--home", str(tmp_path / "new"), code=1)
    assert "is damaged or was cut off (" in arena.err
    assert arena.err.count("\n") == 1
