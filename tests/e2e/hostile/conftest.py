"""Gets misbehaving bots ready, plants canaries, and plays the matches that were asked for."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import docker
import pytest

from arena.submissions import check
from arena.submissions.base import BaseImage, PublicImage, build_base
from arena.submissions.bot import build_bot
from arena.submissions.engine import ImageEngine
from arena.tournament.job import Lodging, Played, SeatJob
from sample_bots.misbehaving.pack import HERE, pack
from tests.e2e.hostile.expecting import PLAYS_ON
from tests.e2e.hostile.lane import Trial
from tests.e2e.hostile.lanes import CONTROL, GIVEN_AWAY, OPPONENT, Lanes

_TABLE = "ARENA_TEST_TABLE"


class Bots:
    """Lays bots' folders out and makes their images; takes both away again."""

    def __init__(self, folder: Path, canary: str, images: ImageEngine, base: BaseImage) -> None:
        """Everything is marked with the canary's number, so that no other run shares it."""
        self._folder = folder
        self._canary = canary
        self._images = images
        self._base = base
        self._seats: dict[tuple[str, Lodging], SeatJob] = {}
        self.names: list[str] = []

    def seat(self, name: str, lodging: Lodging) -> SeatJob:
        """Get a bot ready for a seat."""
        if (name, lodging) not in self._seats:
            self._seats[name, lodging] = self._ready(name, lodging)
        return self._seats[name, lodging]

    def _ready(self, name: str, lodging: Lodging) -> SeatJob:
        folder = self._laid_out(name)
        submission = check(folder)
        if lodging is Lodging.DOCKER:
            image = build_bot(self._images, self._base, submission)
            self.names.append(image.name)
            artifact, command = image.id, image.command
        else:
            artifact, command = str(folder), (sys.executable, *submission.manifest.command[1:])
        known_as = self._canary if name == OPPONENT else name
        return SeatJob(known_as, "1", submission.digest, artifact, command)

    def _laid_out(self, name: str) -> Path:
        folder = self._folder / name
        if folder.exists():
            return folder
        if name == OPPONENT:
            folder.mkdir()
            (folder / "bot.toml").write_text('name = "opponent"\ngame = "claims"\n')
            shutil.copy(Path(__file__).with_name("opponent.py"), folder / "bot.py")
            (folder / "canary.txt").write_text(self._canary)
        elif name == CONTROL:
            shutil.copytree(HERE.parent / "random", folder)
        else:
            pack(name.removesuffix(GIVEN_AWAY), folder)
            if name.endswith(GIVEN_AWAY):
                (folder / "canary.txt").write_text(self._canary)
        # Nobody else's run has the same image, so it is ours to remove.
        (folder / "run.txt").write_text(str(hash(self._canary)))
        return folder


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
    with ImageEngine() as images:
        base = build_base(images, source=PublicImage(base_image), tag="claim-arena/base:test")
        folder = tmp_path_factory.mktemp("bots")
        folder.chmod(0o755)
        made = Bots(folder, canary, images, base)
        yield made
        for name in made.names:
            engine.remove_image(name)


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
    if _TABLE in os.environ:
        Path(os.environ[_TABLE]).write_text(table(playing))


def table(lanes: Lanes) -> str:
    """What came of every bot, as a table in Markdown."""
    rows = [
        (
            "| bot | sandbox | verdict | what its author reads | worker before, peak, after (MiB)"
            " | match (s) | opponent's usual and slowest move (ms) |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    for seen in [*lanes.controls, *lanes.all_seen()]:
        mib = ", ".join(f"{size / (1 << 20):.1f}" for size in (seen.before, seen.peak, seen.after))
        if isinstance(seen.outcome, Played):
            seat = seen.record.seats[0]
            verdict = PLAYS_ON if seat.out is None else seat.out.kind.value
            said = next((fault.detail for fault in seat.faults[-1:]), "")
            moves = f"{seen.usual:.1f}, {seen.slowest:.1f}"
        else:
            verdict, said, moves = "VOID", seen.outcome.detail, ""
        rows.append(
            f"| {seen.trial.name} | {seen.trial.lodging.value} | {verdict} | {said} | {mib}"
            f" | {seen.seconds:.1f} | {moves} |"
        )
    return "\n".join(rows) + "\n"
