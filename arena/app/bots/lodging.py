"""Where bots run: which way this machine offers, and making bots ready for it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp

from arena.app.bots.contestants import Contestant
from arena.app.errors import ArenaError
from arena.match.replay import ENGINE
from arena.match.setup import Provenance
from arena.sandbox.engine import Engine
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.runtime import check_runtime
from arena.sandbox.slots import Slots, slot_leases
from arena.sandbox.uids import MACHINE_UIDS
from arena.store import Store
from arena.submissions import Runtime, unpack
from arena.submissions.base import (
    BaseImage,
    PublicImage,
    RootFs,
    build_base,
    default_tag,
    ensure_base,
)
from arena.submissions.base import find_base as look_for_base
from arena.submissions.bot import build_bot
from arena.submissions.engine import ImageEngine
from arena.submissions.errors import ImageError
from arena.tournament.inprocess import bot_class
from arena.tournament.job import Lodging, SeatJob
from arenabot.v1 import player_pb2

#: The public image that a base image is made from unless ``ARENA_PYTHON_IMAGE`` names another.
PYTHON_IMAGE = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"

#: The protocol that an image's SDK speaks.
_PROTOCOL = player_pb2.DESCRIPTOR.package

#: How to do without containers.
_WITHOUT = "--sandbox process"

Tell = Callable[[str], None]
GoOn = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Choice:
    """A way for bots to run, and in one sentence why it is this one."""

    lodging: Lodging
    why: str


def choose(member: Instance, tell: Tell) -> Choice:
    """Containers if an engine answers and a base image can be had, else trusted processes.

    ``tell`` hears what is being done, since a first base image takes a while.
    """
    try:
        with _engine(member) as engine:
            base = _base_image(engine, tell)
    except ImageError as error:
        return Choice(Lodging.PROCESS, str(error))
    return Choice(Lodging.DOCKER, f"the container engine answers, base image {base.name}")


def build_image(
    member: Instance,
    *,
    source: str | None,
    rootfs: Path | None,
    packages: Sequence[str],
    tag: str | None,
    tell: Tell,
) -> BaseImage:
    """Make the base image from a public image or a root file system; raises ``ImageError``.

    It becomes what bots run on from now on, and is named ``tag`` too.
    """
    ground = RootFs(rootfs) if rootfs else PublicImage(source or _python_image())
    with _engine(member) as engine:
        tell(f"building the base image from {rootfs or source or _python_image()}")
        base = build_base(engine, source=ground, packages=packages)
        if tag:
            engine.tag(base.id, tag)
    return base


def _engine(member: Instance) -> ImageEngine:
    """An engine that marks what it makes as this run's, so that it goes if the run is killed."""
    return ImageEngine(labels=member.labels())


def _base_image(engine: ImageEngine, tell: Tell) -> BaseImage:
    """Find the base image for bots, or make it; raises ``ImageError``."""
    found = look_for_base(engine)
    if found is None:
        tell(f"building the base image {default_tag()} from {_python_image()} (once)")
        return build_base(engine, source=PublicImage(_python_image()))
    if not found.current:
        tell(f"making the base image {default_tag()} again, since arenabot or the rules are newer")
    return ensure_base(engine)


def _try_settings(member: Instance, base: BaseImage) -> None:
    """Refuse socket volumes or a container runtime that don't work; raises ``ArenaError``."""
    with closing(Engine()) as engine:
        try:
            Slots.declared(slot_leases(MACHINE_UIDS))
            check_runtime(engine, member, base.id)
        except SandboxFailed as failed:
            raise ArenaError(failed.detail) from failed


def _python_image() -> str:
    return os.environ.get("ARENA_PYTHON_IMAGE") or PYTHON_IMAGE


def prepare(
    store: Store,
    member: Instance,
    contestants: Sequence[Contestant],
    *,
    lodging: Lodging,
    game: str,
    tell: Tell = lambda _: None,
    go_on: GoOn = lambda: None,
) -> list[SeatJob]:
    """Make bots ready to be started: images, or folders with their files.

    ``go_on`` is called before each bot, and may raise to end it there.  Raises ``ImageError``
    where an image cannot be made, ``NoBotFound`` where a bot that is to be played inside the arena
    holds none for ``game``.
    """
    if lodging is Lodging.DOCKER:
        try:
            return images(member, contestants, tell, go_on)
        except ImageError as error:
            raise ArenaError(
                f"{error} (bots that you trust need no containers: {_WITHOUT})"
            ) from error
    seats = []
    for contestant in contestants:
        go_on()
        seats.append(_unpacked(store, contestant, lodging))
    if lodging is Lodging.NONE:
        for seat in seats:
            bot_class(Path(seat.artifact), seat.command[-1], game)
    return seats


def images(
    member: Instance,
    contestants: Sequence[Contestant],
    tell: Tell = lambda _: None,
    go_on: GoOn = lambda: None,
) -> list[SeatJob]:
    """Make the images of bots, on one base image, where they aren't there; raises `ImageError`."""
    seats = []
    with _engine(member) as engine:
        base = _base_image(engine, tell)
        _try_settings(member, base)
        provenance = Provenance(base.id, base.arenabot, _PROTOCOL, ENGINE)
        for contestant in contestants:
            go_on()
            image = build_bot(engine, base, contestant.submission)
            seat = _seat(contestant, image.id, image.command, image.zygote)
            seats.append(replace(seat, provenance=provenance))
    return seats


def require(member: Instance, seats: Sequence[SeatJob]) -> None:
    """See that containers of these bots can be started; raises `ArenaError`, `SandboxFailed`.

    Without an engine, or without the images, no match at all can be played.
    """
    with closing(Engine()) as asked:
        # This one waits seconds for its engine, and not minutes.
        asked.info()
    with _engine(member) as engine:
        for seat in seats:
            if engine.image(seat.artifact) is None:
                raise ArenaError(
                    f"the container engine has lost the image of {seat.bot}: it is made again as "
                    "soon as the tournament is played on"
                )


def _unpacked(store: Store, contestant: Contestant, lodging: Lodging) -> SeatJob:
    """Lay a bot's files out below the store, once for each digest."""
    manifest = contestant.submission.manifest
    if manifest.runtime is not Runtime.PYTHON:
        raise ImageError(
            f"{contestant.name} wants the runtime {manifest.runtime}, which runs in containers only"
        )
    folder = store.folder / "unpacked" / contestant.digest
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(mkdtemp(dir=folder.parent, prefix="."))
        try:
            unpack(contestant.submission, fresh)
            fresh.chmod(0o755)
            # Whoever comes second finds it there, whole.
            fresh.rename(folder)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not folder.is_dir():
                raise
    command = manifest.command
    if lodging is Lodging.PROCESS:
        # The Python that runs the arena has arenabot; the one on the PATH may not.
        command = (sys.executable, *command[1:])
    return _seat(contestant, str(folder), command)


def _seat(
    contestant: Contestant, artifact: str, command: tuple[str, ...], zygote: tuple[str, ...] = ()
) -> SeatJob:
    return SeatJob(
        bot=contestant.name,
        version=contestant.version,
        digest=contestant.digest,
        artifact=artifact,
        command=command,
        zygote=zygote,
    )
