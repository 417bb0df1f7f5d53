"""The interface that every sandbox offers: what goes in, what comes out, three verbs."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from arena.sandbox.meter import Meter

ADDRESS_VARIABLE: Final = "ARENABOT_ADDRESS"
"""The environment variable that tells a bot where to listen, such as `unix:/run/arena/bot.sock`."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one running bot may use (SECURITY, "A container that ran here")."""

    memory_mib: int = 256
    """Memory and swap together, in MiB."""
    cpus: float = 1.0
    """CPU time a second, in CPUs. The process sandbox can't hold a bot to it."""
    pids: int = 64
    """Processes and threads together. The process sandbox can't hold a bot to it."""
    tmp_mib: int = 16
    """Size of the writable /tmp, in MiB, held in memory. Docker only."""
    log_kib: int = 256
    """How much of the newest output is kept at most, in KiB. Docker's log begins anew when full."""
    open_files: int = 256
    """Open descriptors of one process."""
    file_mib: int = 16
    """Size of one file, in MiB."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One bot to be started."""

    label: str
    """Match id and seat or slot, for labels and logs; never shown to the bot."""
    artifact: str
    """Docker: an image reference. Process: the absolute path of the unpacked bot folder."""
    command: tuple[str, ...]
    """Program and arguments. It runs in the image's working directory, or in the bot's folder."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The bot's whole environment beside PATH, HOSTNAME, HOME and ARENABOT_ADDRESS."""
    limits: Limits = Limits()
    zygote: tuple[str, ...] = ()
    """What starts the image's own first process, which forks one for each launch, where it has one.

    `command` is added to it. Without it, or where that can't be done, a launch is a new container.
    """
    once: str = ""
    """A mark: no container is used for two launches with the same one (the deals of a match)."""

    def __post_init__(self) -> None:
        """Refuse what no sandbox could start."""
        if not self.command:
            raise ValueError("a launch needs a command")


class Ending(enum.Enum):
    """How a bot's run ended; only EXITED, OUT_OF_MEMORY and LIMIT are the bot's own doing."""

    RUNNING = "running"
    """It has not ended."""
    EXITED = "exited"
    """It exited or crashed by itself."""
    OUT_OF_MEMORY = "out of memory"
    """It reached its memory limit and was killed."""
    LIMIT = "limit"
    """It was killed by a limit other than memory: file size (exit 153), system call (exit 159)."""
    STOPPED = "stopped"
    """We stopped it."""
    ENGINE_LOST = "engine lost"
    """The container engine isn't the same one or doesn't answer: our fault, never the bot's."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What became of a running bot, up to now or to its end."""

    ending: Ending
    exit_code: int | None
    """As a shell shows it: 128 + the signal's number for a bot that a signal ended."""
    peak_memory: int | None
    """In bytes; None where it can't be known."""
    log: str
    """The newest output, capped, raw: show it only through `arena.sandbox.logs.escaped`."""
    detail: str
    """One plain sentence with numbers: "used 256 MiB of 256 MiB and was stopped"."""


class RunningBot(Protocol):
    """A bot that listens. Whoever started it must stop it."""

    @property
    def address(self) -> str:
        """The gRPC target to dial, from this process only: `unix:/proc/self/fd/12`.

        Close every channel to it before `stop`, and give channels the argument
        `("grpc.use_local_subchannel_pool", 1)`: descriptors come round again.
        """
        ...

    @property
    def meter(self) -> Meter | None:
        """What the bot uses of the machine, until `stop`; None where nothing can be measured."""
        ...

    def mark(self, place: str) -> None:
        """Say that what the bot prints from now on belongs to `place`, such as "round 3, turn 2".

        The log says so where something was printed. It may say nothing where the log is not read
        as it is written: in containers without a first process of ours.
        """
        ...

    async def report(self) -> RunReport:
        """Say how the bot fares now. Never raises: a lost engine is a report too.

        An end shows some milliseconds late: after a broken connection ask `settled`.
        """
        ...

    async def stop(self) -> RunReport:
        """Kill the bot at once and remove all that belongs to it; the same report if repeated.

        Container, mount, descriptors and uid are gone afterwards. It never raises because
        something is already gone, and a cancelled caller gets its cancellation when all is clean.
        """
        ...


class Sandbox(Protocol):
    """A place where bots are started."""

    async def start(self, launch: Launch, *, timeout: float) -> RunningBot:  # noqa: ASYNC109
        """Start a bot and return once its socket exists, was checked and is pinned.

        `timeout` is the bot's own time in seconds, counted from the moment its process exists.

        Raises `StartFailed` (with a report) if the bot exits, makes no proper socket in time, or
        makes something else in its place; `SandboxFailed` if it is our fault: engine down, no such
        image, mount failed. Nothing is left behind in either case, nor when cancelled.
        """
        ...

    async def close(self) -> None:
        """Stop what still runs and let go of everything held."""
        ...
