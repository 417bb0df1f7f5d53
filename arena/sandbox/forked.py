"""A bot whose process was forked for this match by the zygote of its container."""

import os
import select
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.sandbox.api import Ending, Launch, RunReport
from arena.sandbox.endings import ending_of, sentence
from arena.sandbox.errors import ContainerGone, SandboxFailed, ZygoteGone
from arena.sandbox.leases import Lease
from arena.sandbox.output import Output
from arena.sandbox.pinning import BotEndedError
from arena.sandbox.starting import Pinned, in_thread
from arena.sandbox.uids import take_uid
from arena.sandbox.zygote import Match, Zygote

if TYPE_CHECKING:
    from arena.sandbox.docker import DockerSandbox

_KILLED = 137


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a match's process ended, if it did."""

    ending: Ending
    code: int | None = None
    """Its exit code, if that was its own doing."""
    peak: int | None = None
    memory_kill: bool = False
    """A process of it was killed for memory, not necessarily its first."""
    detail: str = ""
    """Where the ending alone does not say it."""


class ForkedBot(Pinned):
    """One match's process in a container, and whatever processes that starts."""

    def __init__(self, sandbox: "DockerSandbox", launch: Launch) -> None:
        """Use `DockerSandbox.start`."""
        super().__init__()
        self._sandbox = sandbox
        self._launch = launch
        self._output = Output(launch.limits.log_kib << 10)
        self._lease: Lease | None = None
        self._zygote: Zygote | None = None
        self._match: Match | None = None
        self._last = _Outcome(Ending.ENGINE_LOST)

    def mark(self, place: str) -> None:
        """See `RunningBot.mark`."""
        self._output.place(place)

    async def report(self) -> RunReport:
        """See `RunningBot.report`."""
        async with self._lock:
            if self._final is not None:
                return self._final
            if self._ended():
                return self._report(await in_thread(self._look))
            memory = self._zygote and self._zygote.memory
            return self._report(_Outcome(Ending.RUNNING, peak=memory.peak() if memory else None))

    async def stop(self) -> RunReport:
        """See `RunningBot.stop`."""
        async with self._lock:
            if self._final is None:
                try:
                    await in_thread(self._end)
                finally:
                    self._let_go()
            assert self._final is not None  # noqa: S101
            return self._final

    async def launch(self) -> tuple[Path, int]:
        """Have the match's process forked; for `bring_up`."""
        async with self._lock:
            await in_thread(self._begin)
        self._output.given()
        assert self._match is not None and self._lease is not None  # noqa: S101, PT018
        if self._match.cant_run:
            raise BotEndedError
        return self._match.folder, self._lease.number

    async def running(self) -> bool:
        """Whether the match's process runs; for `bring_up`."""
        return self._final is None and not self._ended()

    def _begin(self) -> None:
        folder = self._sandbox.instance.folder
        while self._match is None:
            lease = self._lease = take_uid(self._sandbox.uids, str(folder))
            # So that it may open /dev/stdout, which is this pipe, as anybody may open his own.
            os.fchown(self._output.writing, lease.number, lease.number)
            zygote = self._zygote = self._sandbox.zygotes.take(self._launch)
            fresh = not zygote.played
            try:
                self._match = zygote.begin(lease.number, self._output.writing, self._launch.once)
            except ZygoteGone as gone:
                if fresh:
                    detail = f"a bot's container {gone.detail} when a match was to begin in it"
                    raise SandboxFailed(detail) from None
                # It ended while it was idle, as when somebody removed its container. Until that is
                # gone, what it may have begun lives under this user id, so the next has another.
                self._zygote = self._lease = None
                self._sandbox.discard(zygote, lease)
        self.meter = zygote.meter()

    def _ended(self) -> bool:
        """Whether the match's process has ended, as the kernel says."""
        if self._match is None:
            return True
        poll = select.poll()
        poll.register(self._match.process, select.POLLIN)
        return bool(poll.poll(0))

    def _look(self) -> _Outcome:
        """How the match's process ended."""
        assert self._zygote is not None  # noqa: S101
        if self.meter is not None:
            self.meter.thaw()
        try:
            return self._judge(self._zygote, self._zygote.exit_code(), Ending.RUNNING)
        except ZygoteGone as gone:
            return self._without_zygote(self._zygote, gone)

    def _judge(self, zygote: Zygote, code: int | None, otherwise: Ending) -> _Outcome:
        """Whose doing an end is; `otherwise` if the bot had not ended by itself."""
        peak = None if zygote.memory is None else zygote.memory.peak()
        if code is None:
            return _Outcome(otherwise, peak=peak)
        if not zygote.engine_alive():
            return _Outcome(Ending.ENGINE_LOST)
        killed = zygote.memory is not None and zygote.memory.kills() > 0
        return _Outcome(ending_of(code, oom_killed=killed), code, peak, killed)

    def _without_zygote(self, zygote: Zygote, gone: ZygoteGone) -> _Outcome:
        """What ended the container's first process: memory is the bot's doing, nothing else is."""
        detail = f"was lost with the program of ours that runs it, which {gone.detail}"
        try:
            state = zygote.last_state()
        except ContainerGone:
            detail = "lost its container, which somebody else removed"
        except SandboxFailed as error:
            detail = f"was lost: {error.detail}"
        else:
            memory = state.oom_killed and state.exit_code == _KILLED and not state.running
            if memory and zygote.engine_alive():
                return _Outcome(Ending.OUT_OF_MEMORY, _KILLED)
        return _Outcome(Ending.ENGINE_LOST, detail=f"{detail}; this is not the bot's fault")

    def _end(self) -> None:
        """Kill all of the bot's processes, and give the container back or away."""
        if self.meter is not None:
            self.meter.close()
        if self._pinned is not None:
            os.close(self._pinned)  # else the socket would not be gone when it is removed
        if self._zygote is None:
            self._last = _Outcome(Ending.ENGINE_LOST, detail="was not started")
            if self._lease is not None:
                self._lease.release()
            return
        try:
            self._last = self._judge(self._zygote, self._zygote.end(), Ending.STOPPED)
        except ZygoteGone as gone:
            self._last = self._without_zygote(self._zygote, gone)
            self._sandbox.discard(self._zygote, self._lease)
            return
        if self._lease is not None:
            self._lease.release()
        self._sandbox.zygotes.give_back(self._zygote)

    def _let_go(self) -> None:
        """Let go of everything of the arena's own."""
        self._output.close()
        if self._match is not None:
            os.close(self._match.process)
        self._final = self._report(self._last)
        self._sandbox.forget(self)

    def _report(self, outcome: _Outcome) -> RunReport:
        limits = self._launch.limits
        peak = outcome.peak
        if outcome.ending is Ending.OUT_OF_MEMORY:
            peak = limits.memory_mib << 20  # what killed it says so better than any counter
        detail = outcome.detail or sentence(
            outcome.ending,
            limits,
            exit_code=outcome.code,
            peak_memory=peak,
            oom_killed=outcome.memory_kill,
        )
        if self._match is not None and self._match.cant_run:
            detail = f"can't be run: {self._match.cant_run}"
        return RunReport(outcome.ending, outcome.code, peak, self._output.text(), detail)
