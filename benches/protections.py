"""What each protection of a bot's container costs: starts and calls with it and without it.

What measuring, watching and freezing cost a move is in the bench `clock`, and what a fresh process
costs beside a fresh container in `starting`; `python -m benches protections starting clock` runs
all three.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

from arena.app.bots import contestants, lodging
from arena.app.bots.samples import sample_bot
from arena.app.home import instance, open_store
from arena.sandbox import docker as sandbox_docker
from arena.sandbox.api import Launch, RunningBot
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.folders import SocketFolder
from arena.sandbox.instance import Instance
from arena.sandbox.spec import container_config
from arena.store import Store
from arena.tournament.job import Lodging
from benches._harness import Table, by_turns, rows

_STARTS = 15
_ENDS = 40
_CALLS = 40

Config = dict[str, Any]

#: Listens at once, so that a start is the engine's work and not Python's.
_LISTENER = """
import os, socket
server = socket.socket(socket.AF_UNIX)
server.bind(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))
server.listen()
"""
_IDLE = _LISTENER + "import time; time.sleep(1000)"
_LITTER = """
import os
for place, files in (("/tmp", 1000), ("/dev/shm", 50)):
    for number in range(files):
        open(f"{place}/{number}", "w").close()
"""
#: Says how many nanoseconds a system call takes, as often as somebody connects.
_CALLING = (
    _LISTENER
    + """
import time
while True:
    connection, _ = server.accept()
    began = time.perf_counter_ns()
    for _ in range(20000):
        os.getppid()
    took = time.perf_counter_ns() - began
    try:
        connection.sendall(str(took / 20000).encode())
    except OSError:
        pass  # the arena looked who listens here, and hung up
    connection.close()
"""
)


def _as_it_is(_: Config) -> None:
    """Change nothing."""


def _unfiltered(config: Config) -> None:
    config["HostConfig"]["SecurityOpt"] = ["no-new-privileges:true", "seccomp=unconfined"]


def _unmasked(config: Config) -> None:
    config["HostConfig"]["MaskedPaths"] = []
    config["HostConfig"]["ReadonlyPaths"] = []


def _without_tmpfs(config: Config) -> None:
    del config["HostConfig"]["Tmpfs"]


def _unlimited(config: Config) -> None:
    for name in ("Memory", "MemorySwap", "MemorySwappiness", "PidsLimit", "NanoCpus", "Ulimits"):
        del config["HostConfig"][name]


class _NoLease:
    """No user id of one's own."""

    number = 65534

    def __init__(self, *_: object) -> None:
        """As if it had been taken."""

    def release(self) -> None:
        """There is nothing to give back."""


def _plain_folder(path: Path, uid: int, mode: int = 0o700) -> SocketFolder:
    path.mkdir(mode=mode)
    os.chown(path, uid, uid)
    return SocketFolder(path, mounted=False)


class _Starts:
    """Starts a container that lacks one protection; each call is one start, its end not counted."""

    def __init__(
        self,
        runner: asyncio.Runner,
        box: DockerSandbox,
        launch: Launch,
        change: Callable[[Config], None] = _as_it_is,
        **others: object,
    ) -> None:
        self._runner = runner
        self._box = box
        self._launch = launch
        self._change = change
        self._others = others

    def __call__(self) -> float:
        return self._runner.run(self._sample())

    async def start(self) -> RunningBot:
        def config(launch: Launch, **more: Any) -> Config:
            made = container_config(launch, **more)
            self._change(made)
            return made

        with ExitStack() as patched:
            for name, other in {"container_config": config, **self._others}.items():
                patched.enter_context(mock.patch.object(sandbox_docker, name, other))
            return await self._box.start(self._launch, timeout=20)

    async def _sample(self) -> float:
        began = time.perf_counter()
        bot = await self.start()
        took = time.perf_counter() - began
        await bot.stop()
        return took * 1000


def bench() -> Iterator[Table]:
    """Three tables: starts, calls, ends."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-arena-")))
        store = stack.enter_context(open_store(home))
        member = stack.enter_context(instance(store, containers=True))
        runner = stack.enter_context(asyncio.Runner())
        yield from _tables(runner, store, member)


def _tables(runner: asyncio.Runner, store: Store, member: Instance) -> Iterator[Table]:
    found = contestants.find_all(store, [str(sample_bot("greedy"))], "claims")
    (seat,) = lodging.prepare(store, member, found, lodging=Lodging.DOCKER, game="claims")
    box = DockerSandbox(member)
    try:
        yield _starts(runner, box, Launch("bench", seat.artifact, ("python3", "-c", _IDLE)))
        yield _calls(runner, box, Launch("bench", seat.artifact, ("python3", "-c", _CALLING)))
        yield _ends(runner, box, seat.artifact, seat.zygote)
    finally:
        runner.run(box.close())


def _starts(runner: asyncio.Runner, box: DockerSandbox, launch: Launch) -> Table:
    sides = {
        "all protections": _Starts(runner, box, launch),
        "no filter of system calls": _Starts(runner, box, launch, _unfiltered),
        "no masked paths": _Starts(runner, box, launch, _unmasked),
        "no folders in memory": _Starts(runner, box, launch, _without_tmpfs),
        "no limits": _Starts(runner, box, launch, _unlimited),
        "no tmpfs for the socket": _Starts(runner, box, launch, make_folder=_plain_folder),
        "no user id of its own": _Starts(runner, box, launch, take_uid=_NoLease),
    }
    return Table(
        "a container from its start to its socket, with one protection less each",
        "ms",
        rows(by_turns(sides, _STARTS)),
        "a ratio below 1 is what that protection costs; a busy engine adds more than any of them",
    )


def _calls(runner: asyncio.Runner, box: DockerSandbox, launch: Launch) -> Table:
    filtered = runner.run(_Starts(runner, box, launch).start())
    free = runner.run(_Starts(runner, box, launch, _unfiltered).start())

    async def asked(bot: RunningBot) -> float:
        reader, writer = await asyncio.open_unix_connection(bot.address.removeprefix("unix:"))
        took = float(await reader.read())
        writer.close()
        return took

    sides = {
        "with our filter": lambda: runner.run(asked(filtered)),
        "without": lambda: runner.run(asked(free)),
    }
    samples = by_turns(sides, _CALLS)
    for bot in (filtered, free):
        runner.run(_stopped(bot))
    return Table("a system call of a bot's, Python's own work included", "ns", rows(samples))


def _ends(runner: asyncio.Runner, box: DockerSandbox, image: str, zygote: tuple[str, ...]) -> Table:
    def side(code: str, first: tuple[str, ...]) -> Callable[[], float]:
        launch = Launch("bench", image, ("python3", "-c", code), zygote=first)
        return lambda: runner.run(_end(box, launch))

    sides = {
        "killed and swept, nothing left behind": side(_IDLE, zygote),
        "killed and swept, 1,050 files left": side(_LITTER + _IDLE, zygote),
        "a container removed": side(_IDLE, ()),
    }
    return Table("a bot's end, until the next match may begin", "ms", rows(by_turns(sides, _ENDS)))


async def _end(box: DockerSandbox, launch: Launch) -> float:
    bot = await box.start(launch, timeout=20)
    began = time.perf_counter()
    await bot.stop()
    return (time.perf_counter() - began) * 1000


async def _stopped(bot: RunningBot) -> None:
    await bot.stop()
