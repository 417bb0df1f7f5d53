"""Misbehaving bots made ready for seats, and their images taken away again."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import docker
from docker.errors import ImageNotFound

from arena.submissions import check
from arena.submissions.base import BaseImage, PublicImage, build_base
from arena.submissions.bot import build_bot
from arena.submissions.engine import ImageEngine
from arena.tournament.job import Lodging, SeatJob
from sample_bots.misbehaving.pack import HERE, pack

CONTROL: Final = "control"
OPPONENT: Final = "opponent"
#: Sample bots that do nothing wrong.
HONEST: Final = ("random", "greedy", "counter")
#: What is added to the name of a bot whose folder has a canary in it.
GIVEN_AWAY: Final = "+canary"


class Bots:
    """Lays bots' folders out and makes their images; takes both away again."""

    def __init__(self, folder: Path, canary: str, images: ImageEngine, base: BaseImage) -> None:
        """Everything is marked with the canary's number, so that no other run shares it."""
        self._folder = folder
        self._canary = canary
        self._images = images
        self._base = base
        self._seats: dict[tuple[str, Lodging], SeatJob] = {}
        #: The images that were made.
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
            artifact, command, zygote = image.id, image.command, image.zygote
        else:
            artifact, zygote = str(folder), ()
            command = (sys.executable, *submission.manifest.command[1:])
        known_as = self._canary if name == OPPONENT else name
        return SeatJob(known_as, "1", submission.digest, artifact, command, zygote)

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
        elif name in HONEST:
            shutil.copytree(HERE.parent / name, folder)
        else:
            pack(name.removesuffix(GIVEN_AWAY), folder)
            if name.endswith(GIVEN_AWAY):
                (folder / "canary.txt").write_text(self._canary)
        # Nobody else's run has the same image, so it is ours to remove.
        (folder / "run.txt").write_text(str(hash(self._canary)))
        return folder


@contextmanager
def made_ready(
    engine: docker.APIClient, base_image: str, folder: Path, canary: str
) -> Iterator[Bots]:
    """Bots for as long as they are needed; their images are removed then."""
    folder.chmod(0o755)
    with ImageEngine() as images:
        base = build_base(images, source=PublicImage(base_image), tag="claim-arena/base:test")
        bots = Bots(folder, canary, images, base)
        try:
            yield bots
        finally:
            for name in bots.names:
                with suppress(ImageNotFound):  # somebody cleaned up meanwhile
                    engine.remove_image(name)
