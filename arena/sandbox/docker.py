"""The sandbox for strangers' bots: one container each, built as SECURITY says."""

import asyncio
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

from arena.sandbox.api import Ending, Launch, RunReport
from arena.sandbox.endings import ending_of, sentence
from arena.sandbox.engine import ContainerState, Engine
from arena.sandbox.errors import ContainerGone, SandboxFailed
from arena.sandbox.folders import SocketFolder, check_mount, make_folder
from arena.sandbox.forked import ForkedBot
from arena.sandbox.instance import LABEL_PREFIX, Instance
from arena.sandbox.leases import Lease
from arena.sandbox.logs import as_text, plain
from arena.sandbox.memory import cgroup_peak_file, read_peak
from arena.sandbox.meter import container_meter
from arena.sandbox.pinning import BotEndedError
from arena.sandbox.slots import Slots, slot_leases
from arena.sandbox.spec import INSIDE, container_config
from arena.sandbox.starting import Pinned, bring_up, in_thread
from arena.sandbox.uids import MACHINE_UIDS, take_uid
from arena.sandbox.watch import EngineWatch
from arena.sandbox.zygote import Zygote, forks_here
from arena.sandbox.zygotes import MOST_IDLE, Zygotes

_LOOK_EVERY = 0.1
"""Seconds between questions to the engine while a socket is waited for; each costs about 2 ms."""

_COMMAND_CANT_RUN = {126, 127}
_KILLED = 137


class DockerSandbox:
    """Starts bots in containers; use it from one event loop."""

    def __init__(
        self,
        instance: Instance,
        *,
        host: str | None = None,
        uids: Path = MACHINE_UIDS,
        keep: bool = True,
    ) -> None:
        """`host` as in DOCKER_HOST; `uids` must be shared by all arenas of the machine.

        With `keep`, a container whose first process is ours plays one match after another, each
        in a process of its own; else each launch is a new container.
        """
        self.instance = instance
        self.engine = Engine(host)
        self.uids = uids
        self.slots = Slots.declared(slot_leases(uids))
        most_idle = MOST_IDLE if self.slots is None else self.slots.idle
        self.zygotes = Zygotes(self._new_zygote, self.discard, keep=keep, most_idle=most_idle)
        self._bots: set[DockerBot | ForkedBot] = set()
        # A queue, as several threads add to it and take from it.
        self._leftovers: SimpleQueue[tuple[str, Holding]] = SimpleQueue()

    async def start(self, launch: Launch, *, timeout: float) -> "DockerBot | ForkedBot":  # noqa: ASYNC109
        """See `Sandbox.start`; `launch.artifact` is an image reference."""
        if not self._leftovers.empty():
            await in_thread(self._remove_leftovers)
        # Another runtime may give its processes a kernel of their own, which we can't look into.
        forked = launch.zygote and forks_here() and self.engine.runtime is None
        bot = ForkedBot(self, launch) if forked else DockerBot(self, launch)
        self._bots.add(bot)
        bot.pin(await bring_up(bot, timeout))
        return bot

    async def close(self) -> None:
        """Stop what still runs. Containers that a lost engine still has are left to `reap`."""
        await asyncio.gather(*(bot.stop() for bot in list(self._bots)))
        idle = self.zygotes.take_all()
        await asyncio.gather(*(in_thread(partial(self.discard, zygote)) for zygote in idle))
        await in_thread(self._remove_leftovers)
        for _, holding in self._take_leftovers():
            holding.abandon()
        self.engine.close()

    def forget(self, bot: "DockerBot | ForkedBot") -> None:
        """Take note that a bot is stopped."""
        self._bots.discard(bot)

    def make_folder(self, path: Path, uid: int, mode: int = 0o700) -> SocketFolder:
        """A folder for a bot's socket; raises `SandboxFailed`."""
        if self.slots is not None:
            return self.slots.take(str(self.instance.folder), uid, mode)
        return make_folder(path, uid, mode)

    def discard(self, zygote: Zygote, uid: Lease | None = None) -> None:
        """Remove a container with a zygote, and with it whatever runs there under that user id."""
        zygote.close()
        self.remove(zygote.name, Holding(uid, zygote.folder))

    def _new_zygote(self, launch: Launch) -> Zygote:
        return Zygote(self.engine, self.instance, launch, self.make_folder)

    def remove(self, name: str, holding: "Holding") -> None:
        """Remove a container and give back what it had, later if the engine doesn't answer now."""
        try:
            self.engine.remove(name)
        except SandboxFailed:
            self._leftovers.put((name, holding))
        else:
            holding.release()

    def _remove_leftovers(self) -> None:
        for name, holding in self._take_leftovers():
            self.remove(name, holding)

    def _take_leftovers(self) -> "list[tuple[str, Holding]]":
        """All that there are now, which are the caller's from now on."""
        taken = []
        with suppress(Empty):
            while True:
                taken.append(self._leftovers.get_nowait())
        return taken


@dataclass(frozen=True, slots=True)
class Holding:
    """What a container has of this machine, until it is gone."""

    uid: Lease | None
    folder: SocketFolder | None

    def release(self) -> None:
        """Give it back: the container is gone for certain."""
        if self.folder is not None:
            self.folder.remove()
        if self.uid is not None:
            self.uid.release()

    def abandon(self) -> None:
        """Leave it to `reap`, since the container may still run."""
        if self.folder is not None:
            self.folder.abandon()
        if self.uid is not None:
            self.uid.abandon()


class DockerBot(Pinned):
    """A container with a bot in it."""

    def __init__(self, sandbox: DockerSandbox, launch: Launch) -> None:
        """Use `DockerSandbox.start`."""
        super().__init__()
        self._sandbox = sandbox
        self._engine = sandbox.engine
        self._launch = launch
        self._life: EngineWatch | None = None
        self._name: str | None = None
        self._lease: Lease | None = None
        self._folder: SocketFolder | None = None
        self._peak_file: Path | None = None
        self._next_look = 0.0

    def mark(self, place: str) -> None:
        """See `RunningBot.mark`; the engine reads the output, so we can't tell where it belongs."""

    async def report(self) -> RunReport:
        """See `RunningBot.report`."""
        async with self._lock:
            if self._final is not None:
                return self._final
            return await in_thread(self._observe)

    async def stop(self) -> RunReport:
        """See `RunningBot.stop`."""
        async with self._lock:
            if self._final is None:
                await in_thread(self._end)
            assert self._final is not None  # noqa: S101
            return self._final

    async def launch(self) -> tuple[Path, int]:
        """Create and start the container; for `bring_up`."""
        async with self._lock:
            return await in_thread(self._start)

    async def running(self) -> bool:
        """Whether the container runs, as far as it was asked lately; for `bring_up`."""
        now = asyncio.get_running_loop().time()
        if now < self._next_look:
            return True
        self._next_look = now + _LOOK_EVERY
        seen = await in_thread(partial(self._observe, log=False))
        return seen.ending is Ending.RUNNING

    def _start(self) -> tuple[Path, int]:
        instance = self._sandbox.instance
        number = instance.next_number()
        self._life = self._engine.life()
        uid = os.getuid()
        if uid == 0:
            self._lease = take_uid(self._sandbox.uids, str(instance.folder))
            uid = self._lease.number
        self._folder = self._sandbox.make_folder(instance.folder / str(number), uid)
        labels = {**instance.labels(), LABEL_PREFIX + "bot": self._launch.label}
        config = container_config(self._launch, uid=uid, socket_folder=self._folder, labels=labels)
        # Known before it exists: an engine may create it and lose the answer.
        self._name = f"arena-{instance.id}-{instance.folder.name}-{number}"
        container = self._engine.create(self._name, config)
        self._run(self._name, container, self._folder)
        return self._folder.path, uid

    def _run(self, name: str, container: str, folder: SocketFolder) -> None:
        try:
            self._engine.start(name)
        except SandboxFailed:
            if self._engine.state(name).exit_code in _COMMAND_CANT_RUN:
                raise BotEndedError from None
            raise
        state = self._engine.state(name)
        if state.running:
            self._peak_file = cgroup_peak_file(state.pid, container)
            self.meter = container_meter(state.pid, container)
            check_mount(state.pid, folder, INSIDE)

    def _observe(self, *, kill: bool = False, log: bool = True) -> RunReport:
        """Look at the container, after killing it if asked to."""
        assert self._name is not None and self._life is not None  # noqa: S101, PT018
        peak = read_peak(self._peak_file)
        try:
            killed = kill and self._engine.kill(self._name)
            state = self._engine.state(self._name)
            printed = self._printed(self._name) if log else b""
        except ContainerGone:
            return _lost("lost its container, which somebody else removed: not the bot's fault")
        except SandboxFailed as error:
            return _lost(f"was lost, which is not the bot's fault: {error}")
        if state.running:
            ending = Ending.RUNNING
        elif killed and state.exit_code == _KILLED:  # else it ended before we killed it
            ending = Ending.STOPPED
        elif self._life.alive():
            ending = ending_of(state.exit_code, oom_killed=state.oom_killed)
        else:
            ending = Ending.ENGINE_LOST
        return self._report(ending, state, peak, printed)

    def _printed(self, name: str) -> bytes:
        try:
            return self._engine.log(name)
        except SandboxFailed as error:
            # Never a reason to excuse a bot, which might be at the bottom of it.
            return f"[this log can't be read: {error}]".encode()

    def _report(
        self, ending: Ending, state: ContainerState, peak: int | None, printed: bytes
    ) -> RunReport:
        limits = self._launch.limits
        own_end = ending in {Ending.EXITED, Ending.OUT_OF_MEMORY, Ending.LIMIT}
        if ending is Ending.OUT_OF_MEMORY:
            peak = limits.memory_mib << 20  # the counter went with the container, but it was full
        return RunReport(
            ending=ending,
            exit_code=state.exit_code if own_end else None,
            peak_memory=peak,
            log=as_text(plain(printed), limits.log_kib << 10),
            detail=_command_error(state)
            or sentence(
                ending,
                limits,
                exit_code=state.exit_code,
                peak_memory=peak,
                oom_killed=state.oom_killed,
            ),
        )

    def _end(self) -> None:
        if self.meter is not None:
            self.meter.close()
        try:
            self._final = (
                _lost("was not started") if self._name is None else self._observe(kill=True)
            )
        finally:
            self._clean()

    def _clean(self) -> None:
        if self._pinned is not None:
            os.close(self._pinned)
        holding = Holding(self._lease, self._folder)
        if self._name is not None:
            self._sandbox.remove(self._name, holding)
        else:
            holding.release()
        self._sandbox.forget(self)


def _lost(detail: str) -> RunReport:
    return RunReport(Ending.ENGINE_LOST, None, None, "", detail)


def _command_error(state: ContainerState) -> str | None:
    """Why the engine could not run the bot's command, from its own long message."""
    if state.exit_code not in _COMMAND_CANT_RUN or not state.error:
        return None
    found = re.search(r'exec: (".*?"): (?:stat .*?: )?(.*?)(?:: unknown)?$', state.error)
    reason = f"{found[1]}: {found[2]}" if found else state.error
    return f"can't be run: {reason}"
