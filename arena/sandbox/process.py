"""The sandbox for one's own trusted code, where no container engine is: a child with limits.

It keeps accidents within bounds, not attackers: the bot has our user id, our files and our network.
"""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from arena.sandbox.api import ADDRESS_VARIABLE, Ending, Launch, Limits, RunReport
from arena.sandbox.endings import ending_of, sentence
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import SOCKET_NAME, SocketFolder, make_short_folder
from arena.sandbox.instance import Instance
from arena.sandbox.memory import process_peak
from arena.sandbox.meter import process_meter
from arena.sandbox.output import Output
from arena.sandbox.starting import Pinned, bring_up, in_thread
from arena.sandbox.stragglers import kill_all

_LAUNCHER = Path(__file__).with_name("launcher.py")
_STACK_MIB = 8


class ProcessSandbox:
    """Starts trusted bots as child processes; use it from one event loop in a lasting thread."""

    def __init__(self, instance: Instance) -> None:
        """The instance's folder lets `reap` find what a killed arena leaves."""
        self.instance = instance
        self._bots: set[ProcessBot] = set()

    async def start(self, launch: Launch, *, timeout: float) -> "ProcessBot":  # noqa: ASYNC109
        """See `Sandbox.start`; `launch.artifact` is the absolute path of the bot's folder."""
        _check_folder(Path(launch.artifact))
        bot = ProcessBot(self, launch)
        self._bots.add(bot)
        bot.pin(await bring_up(bot, timeout))
        return bot

    async def close(self) -> None:
        """Stop what still runs."""
        await asyncio.gather(*(bot.stop() for bot in list(self._bots)))

    def forget(self, bot: "ProcessBot") -> None:
        """Take note that a bot is stopped."""
        self._bots.discard(bot)


class ProcessBot(Pinned):
    """A child process with a bot in it, and whatever processes that starts."""

    def __init__(self, sandbox: ProcessSandbox, launch: Launch) -> None:
        """Use `ProcessSandbox.start`."""
        super().__init__()
        self._sandbox = sandbox
        self._launch = launch
        self._link: Path | None = None
        self._folder: SocketFolder | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._output: Output | None = None
        self._our_peak = 0
        self._last: tuple[int | None, int | None] = None, None

    def mark(self, place: str) -> None:
        """See `RunningBot.mark`."""
        if self._output is not None:
            self._output.place(place)

    async def report(self) -> RunReport:
        """See `RunningBot.report`."""
        async with self._lock:
            if self._final is not None:
                return self._final
            assert self._process is not None  # noqa: S101
            pid = self._process.pid
            return self._report(_exit_code(pid), process_peak(pid), Ending.RUNNING)

    async def stop(self) -> RunReport:
        """See `RunningBot.stop`."""
        async with self._lock:
            if self._final is None:
                try:
                    if self._process is not None:
                        await in_thread(self._kill)
                finally:
                    self._end()
            assert self._final is not None  # noqa: S101
            return self._final

    async def launch(self) -> tuple[Path, int]:
        """Start the child; for `bring_up`."""
        self._link = self._sandbox.instance.folder / str(self._sandbox.instance.next_number())
        self._folder = make_short_folder(self._link)
        self._output = Output(self._launch.limits.log_kib << 10)
        self._spawn(self._output.writing)
        self._output.given()
        assert self._process is not None  # noqa: S101
        self.meter = process_meter(self._process.pid)
        return self._folder.path, os.getuid()

    async def running(self) -> bool:
        """Whether the child runs; for `bring_up`."""
        assert self._process is not None  # noqa: S101
        return self._final is None and _exit_code(self._process.pid) is None

    def _spawn(self, output: int) -> None:
        assert self._folder is not None  # noqa: S101
        orders = {
            "parent": os.getpid(),
            "limits": _rlimits(self._launch.limits),
            "command": self._launch.command,
        }
        # What the child is born with counts into its resource usage, see `_kill`.
        self._our_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # From the event loop's own thread: the child dies with the thread that started it.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(orders)],
            cwd=self._launch.artifact,
            env={**_environment(), **self._launch.env, ADDRESS_VARIABLE: self._listens_at()},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )

    def _listens_at(self) -> str:
        assert self._folder is not None  # noqa: S101
        return f"unix:{self._folder.path / SOCKET_NAME}"

    def _kill(self) -> None:
        """Kill all of the bot's processes; the first is waited for last, to keep its id ours."""
        assert self._process is not None  # noqa: S101
        pid = self._process.pid
        own_code, peak = _exit_code(pid), process_peak(pid)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        kill_all(self._listens_at(), session=pid)
        _, status, usage = os.wait4(pid, 0)
        # Popen warns of a child that it did not wait for itself.
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if own_code is not None and usage.ru_maxrss > self._our_peak:
            peak = usage.ru_maxrss << 10
        self._last = own_code, peak

    def _end(self) -> None:
        """Let go of everything on the host."""
        if self.meter is not None:
            self.meter.close()
        if self._output is not None:
            self._output.close()
        if self._pinned is not None:
            os.close(self._pinned)
        if self._folder is not None:
            self._folder.remove()
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        self._final = self._report(*self._last, Ending.STOPPED)
        self._sandbox.forget(self)

    def _report(self, own_code: int | None, peak: int | None, otherwise: Ending) -> RunReport:
        """`own_code` is None if the bot did not end by itself."""
        ending = otherwise if own_code is None else ending_of(own_code, oom_killed=False)
        limits = self._launch.limits
        return RunReport(
            ending=ending,
            exit_code=own_code,
            peak_memory=peak,
            log=self._output.text() if self._output else "",
            detail=sentence(ending, limits, exit_code=own_code, peak_memory=peak),
        )


def _check_folder(folder: Path) -> None:
    if not folder.is_absolute() or not folder.is_dir():
        raise SandboxFailed(f"{folder} is not the absolute path of a bot's folder")


def _environment() -> dict[str, str]:
    """Nothing of the arena's environment but a path on which its own Python comes first."""
    return {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"}


def _rlimits(limits: Limits) -> dict[str, int]:
    """Limits for the launcher. No NPROC: it counts all processes of our user id.

    DATA counts what is reserved, also the 8 MiB that each thread sets aside for its stack: a gRPC
    bot that used 54 MiB had reserved 192.
    """
    return {
        "DATA": (limits.memory_mib + limits.pids * _STACK_MIB) << 20,
        "NOFILE": limits.open_files,
        "FSIZE": limits.file_mib << 20,
        "CORE": 0,
    }


def _exit_code(pid: int) -> int | None:
    """How a child ended, as a shell shows it, or None; it stays a zombie, so its id stays ours."""
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else 128 + found.si_status
