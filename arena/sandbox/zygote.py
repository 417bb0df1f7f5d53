"""A container whose first process is ours and forks a fresh process for each match.

What a bot's author wrote never runs in the first process, and whatever a match's process leaves
behind is gone before the next match: killed by the zygote, swept by us (`sweep`), checked. A
container for which that can't be shown is not used again.
"""

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from arena.sandbox.api import ADDRESS_VARIABLE, Launch, Limits
from arena.sandbox.control import Begun, Control
from arena.sandbox.engine import ContainerState, Engine
from arena.sandbox.errors import SandboxFailed, ZygoteGone
from arena.sandbox.folders import SOCKET_NAME, SocketFolder, check_mount
from arena.sandbox.instance import LABEL_PREFIX, Instance
from arena.sandbox.memory import MemoryUse
from arena.sandbox.meter import Meter, container_meter
from arena.sandbox.spec import INSIDE, zygote_config
from arena.sandbox.sweep import Rooms
from arena.sandbox.watch import EngineWatch

MOST_MATCHES: Final = 200
"""After so many matches a container has done its work: what may add up in it ends with it."""

MOST_LEFT: Final = 16 << 20
"""So many bytes of memory may matches leave in use: the kernel counts some of its own to them."""

Kind: TypeAlias = tuple[object, ...]

_LOOK_EVERY: Final = 0.1
_END_SHOWS_WITHIN: Final = 2.0


@cache
def forks_here() -> bool:
    """Whether this arena can have matches' processes forked: as root, on Linux 5.3 or later."""
    if os.geteuid() != 0 or not hasattr(os, "pidfd_open"):
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


def kind_of(launch: Launch) -> Kind:
    """What two launches must have in common to be played in one container."""
    env = tuple(sorted(launch.env.items()))
    return (launch.artifact, launch.zygote, launch.command, env, launch.limits)


@dataclass(frozen=True, slots=True)
class Match:
    """A match's process in a container."""

    process: int
    """A descriptor of it (pidfd), to be closed by whoever began the match."""
    folder: Path
    """Where it makes its socket."""
    cant_run: str
    """Why the system can't run the bot's command, empty if it can."""


class Zygote:
    """One such container. Blocking calls, one at a time."""

    def __init__(
        self,
        engine: Engine,
        instance: Instance,
        launch: Launch,
        make_folder: Callable[[Path, int, int], SocketFolder],
    ) -> None:
        """Nothing is made before `open`."""
        number = instance.next_number()
        #: Known before it exists: an engine may create it and lose the answer.
        self.name = f"arena-{instance.id}-{instance.folder.name}-{number}"
        self.kind = kind_of(launch)
        self.limits: Limits = launch.limits
        self.idle_since = 0.0
        #: The marks (`Launch.once`) of the matches that it has played.
        self.played: set[str] = set()
        self.memory: MemoryUse | None = None
        self._engine = engine
        self._launch = launch
        self._labels = {**instance.labels(), LABEL_PREFIX + "bot": launch.label}
        self._place = instance.folder / str(number)
        self._container = ""
        self._pid = 0
        self._matches = 0
        self._life: EngineWatch | None = None
        self._make_folder = make_folder
        #: Known once it is made.
        self.folder: SocketFolder | None = None
        self._control: Control | None = None
        self._rooms: Rooms | None = None

    def open(self) -> None:
        """Make and start the container; raises `SandboxFailed`, and then wants to be closed."""
        self._life = self._engine.life()
        self.folder = self._make_folder(self._place, 0, 0o711)
        config = zygote_config(self._launch, socket_folder=self.folder, labels=self._labels)
        self._container = self._engine.create(self.name, config)
        self._engine.start(self.name)
        self._pid = self._engine.state(self.name).pid
        check_mount(self._pid, self.folder, INSIDE)
        try:
            self._control = Control.connect(self.folder.path, self._pid, self._runs())
            self._control.status()  # it has taken its socket away by now
        except ZygoteGone as error:
            raise SandboxFailed(f"a bot's container {error.detail}: {self._last_words()}") from None
        with suppress(OSError):
            self._rooms = Rooms(self._pid)
        self.memory = MemoryUse.find(self._pid, self._container)

    def meter(self) -> Meter | None:
        """A meter for one match."""
        return container_meter(self._pid, self._container)

    def begin(self, uid: int, output: int, once: str) -> Match:
        """Start a match's process; raises `ZygoteGone`, or `SandboxFailed` if it can't be done."""
        assert self.folder is not None and self._control is not None  # noqa: S101, PT018
        self._matches += 1
        self.played.add(once)
        name = secrets.token_hex(8)  # never again, and it tells nothing
        folder = self.folder.path / name
        folder.mkdir(mode=0o700)
        os.chown(folder, uid, uid)
        if self.memory is not None:
            self.memory.begin()
        env = {"HOME": "/", ADDRESS_VARIABLE: f"unix:{INSIDE}/{name}/{SOCKET_NAME}"}
        begun: Begun = self._control.start(uid, env, output)
        return Match(begun.process, folder, begun.cant_run)

    def exit_code(self) -> int | None:
        """That of the match's process, None while it runs; raises `ZygoteGone`."""
        assert self._control is not None  # noqa: S101
        return self._control.status()

    def end(self) -> int | None:
        """Kill all that runs but the zygote; what `exit_code` was before. Raises `ZygoteGone`."""
        assert self._control is not None  # noqa: S101
        return self._control.end()

    def clean(self) -> bool:
        """Whether the next match would find it as the first one did; to be asked after `end`."""
        return (
            self._matches < MOST_MATCHES
            and self._rooms is not None
            and self._rooms.sweep()
            and self.memory is not None
            # The engine's flag that tells of it never goes back.
            and self.memory.kills() == 0
            # Nor may the next match pay for what the kernel keeps of this one.
            and self.memory.left() < MOST_LEFT
        )

    def engine_alive(self) -> bool:
        """Whether the engine that started it lives."""
        return self._life is not None and self._life.alive()

    def last_state(self) -> ContainerState:
        """The container's state once it has ended, or as it is after 2 s; raises `SandboxFailed`.

        An end shows some milliseconds late.
        """
        deadline = time.monotonic() + _END_SHOWS_WITHIN
        while (state := self._engine.state(self.name)).running and time.monotonic() < deadline:
            time.sleep(_LOOK_EVERY)
        return state

    def close(self) -> None:
        """Let go of everything but the container itself, which ends by that."""
        if self._control is not None:
            self._control.close()
        if self._rooms is not None:
            self._rooms.close()
        if self.memory is not None:
            self.memory.close()

    def _runs(self) -> "_Looks":
        return _Looks(self._engine, self.name)

    def _last_words(self) -> str:
        try:
            said = self._engine.log(self.name).decode(errors="replace").strip()
        except SandboxFailed as error:
            return error.detail
        return said.rpartition("\n")[2][-200:] or "it said nothing; try again"


class _Looks:
    """Whether a container runs, asked of the engine only now and then."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._next = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return True
        self._next = now + _LOOK_EVERY
        return self._engine.state(self._name).running
