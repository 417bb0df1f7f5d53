"""A bot that leaves a trace wherever it can, and looks for one: needs nothing but Python.

Talks like `bot.py`. `leave` says what it managed to do; `find` what there is that a bot of a new
container would not find.
"""

import builtins
import contextlib
import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

SOCKET = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))
WRITABLE = [*map(Path, ("/tmp", "/dev/shm", "/dev/mqueue", "/run/arena")), SOCKET.parent]
EVERYWHERE = [Path(f"/{name}") for name in ("dev", "tmp", "run", "bot", "etc", "var", "root")]
"""Without /proc, where the kernel counts; see `arena/sandbox/sweep.py`."""
NAME = "left_behind"
KEPT: list[object] = []
libc = ctypes.CDLL(None, use_errno=True)


# --- leaving


def in_modules() -> None:
    """Modules that were imported before this bot came, and the environment."""
    for module in (builtins, sys, os, json, signal):
        setattr(module, NAME, "here")
    os.environ[NAME] = "here"
    sys.path.append(NAME)


def in_files() -> None:
    """Files, links, deep and locked trees."""
    for folder in WRITABLE:
        with contextlib.suppress(OSError):
            (folder / NAME).write_bytes(b"here")
            (folder / f"{NAME}\n2").symlink_to("/etc/passwd")
    here = os.open("/tmp", os.O_RDONLY)
    for _ in range(500):
        os.mkdir(NAME + "-deep", dir_fd=here)
        below = os.open(NAME + "-deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    Path(f"/tmp/{NAME}-deep").chmod(0)


def in_times() -> None:
    """The times of whatever everybody may write to or read."""
    for path in everything():
        with contextlib.suppress(OSError):
            os.utime(path, follow_symlinks=False)


def in_processes() -> None:
    """A process in a session of its own that ignores signals, and holds what it can hold."""
    told, tell = os.pipe()
    if os.fork() != 0:
        os.close(tell)
        os.read(told, 1)
        return
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{NAME}")
    listener.listen()
    locked = os.open(__file__, os.O_RDONLY)
    fcntl.flock(locked, fcntl.LOCK_EX)
    unlinked = os.open("/tmp/unlinked", os.O_CREAT | os.O_WRONLY)
    os.write(unlinked, bytes(1 << 20))
    Path("/tmp/unlinked").unlink()
    with contextlib.suppress(OSError):
        os.open("/dev/ptmx", os.O_RDWR)
    os.write(tell, b"x")
    time.sleep(1000)


def in_flight() -> None:
    """A listening socket that lives only in a message that a socket has sent to itself."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{NAME}-flying")
    listener.listen()
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other, listener:
        socket.send_fds(one, [b"x"], [listener.fileno(), one.fileno(), other.fileno()])


def in_kernel() -> None:
    """Limits, niceness, places in the kernel: of this process, and of the first one."""
    for pid in (0, 1):
        for attempt in (
            lambda pid=pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (99, 99)),
            lambda pid=pid: os.setpriority(os.PRIO_PROCESS, pid, 7),
            lambda pid=pid: os.sched_setaffinity(pid, {0}),
            lambda pid=pid: Path(f"/proc/{pid or 'self'}/oom_score_adj").write_text("777"),
        ):
            with contextlib.suppress(OSError):
                attempt()
    os.umask(0)
    with contextlib.suppress(OSError):
        os.chdir("/tmp")
    for descriptor in (0, 1, 2):
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)
    calls = {"x86_64": (29, 68, 248), "aarch64": (194, 186, 217)}[os.uname().machine]
    for call, arguments in zip(calls, ((77, 4096, 0o1666), (77, 0o1666), (0, 0, 0)), strict=True):
        libc.syscall(call, *arguments)


LEAVE: dict[str, Callable[[], None]] = {
    "modules": in_modules,
    "processes": in_processes,
    "flight": in_flight,
    "files": in_files,
    "kernel": in_kernel,
    "times": in_times,
}


def leave() -> float:
    """Leave everything; since when."""
    began = time.time()
    for action in LEAVE.values():
        action()
    return began


# --- finding


def everything() -> Iterator[Path]:
    """All files that may be seen and outlive a process."""
    for top in EVERYWHERE:
        for folder, folders, files in os.walk(top):
            yield Path(folder)
            for name in (*files, *folders):
                yield Path(folder, name)


def files_found() -> Iterator[str]:
    for folder in WRITABLE:
        with contextlib.suppress(OSError):
            for entry in folder.iterdir():
                if entry not in (SOCKET, SOCKET.parent):
                    yield str(entry)
        space = os.statvfs(folder)
        if space.f_bavail < space.f_blocks:
            yield f"{folder} holds bytes"
    if (files := os.statvfs("/tmp")).f_files - files.f_ffree > 1:
        yield "/tmp has inodes in use"


def processes_found() -> Iterator[str]:
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) not in (1, os.getpid()):
            yield f"process {entry.name}"
    for name in (NAME, f"{NAME}-flying"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as knock:
            knock.connect(f"\0{name}")
            yield f"a socket named {name}"
    with Path(__file__).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield "a lock"
    with contextlib.suppress(OSError):
        terminals = [entry.name for entry in Path("/dev/pts").iterdir() if entry.name != "ptmx"]
        if terminals:
            yield f"terminals {terminals}"


def modules_found() -> Iterator[str]:
    for name, module in list(sys.modules.items()):
        if name != "__main__" and hasattr(module, NAME):
            yield f"in module {name}"
    if NAME in os.environ or NAME in sys.path:
        yield "in the environment"


def kernel_found() -> Iterator[str]:
    for pid in ("self", "1"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/limits").read_text().splitlines():
                if line.startswith("Max open files") and line.split()[3] != "256":
                    yield f"limit of {pid}"
            if Path(f"/proc/{pid}/oom_score_adj").read_text().strip() == "777":
                yield f"score of {pid}"
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if fields[16] != "0":
                yield f"niceness of {pid}"
    mask = os.umask(0o22)
    if mask != 0o22 or os.getcwd() != "/bot":  # noqa: PTH109
        yield "umask or folder"
    for descriptor in (0, 1, 2):
        if fcntl.fcntl(descriptor, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_APPEND):
            yield f"flags of descriptor {descriptor}"
    with contextlib.suppress(OSError):
        yield f"{Path('/proc/sys/kernel/pty/nr').read_text().strip()} terminals of the whole host"
    for key in Path("/proc/sysvipc").glob("*"):
        with contextlib.suppress(OSError):
            if len(key.read_text().splitlines()) > 1:
                yield f"{key.name} of System V"


def times_found(since: float, until: float) -> Iterator[str]:
    for path in everything():
        with contextlib.suppress(OSError):
            seen = path.lstat()
            own = stat.S_ISSOCK(seen.st_mode) or path in (SOCKET.parent, Path("/run/arena"))
            if own or path.is_relative_to("/dev/fd"):
                continue
            for name in ("st_atime", "st_mtime", "st_ctime"):
                if since <= getattr(seen, name) <= until:
                    yield f"{name} of {path}"


def find(since: str, until: str) -> dict[str, list[str]]:
    """What there is of what another bot has left between two moments."""
    return {
        "times": list(times_found(float(since), float(until))),
        "files": list(files_found()),
        "processes": list(processes_found()),
        "modules": list(modules_found()),
        "kernel": list(kernel_found()),
    }


def first_process() -> str:
    """What tells one container from another."""
    return Path("/proc/1/stat").read_text().rpartition(")")[2].split()[19]


ORDERS: dict[str, Callable[..., object]] = {
    "leave": leave,
    "find": find,
    "first": first_process,
}


def serve() -> None:
    """Answer one line with one line, for ever."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(SOCKET))
    server.listen()
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rw") as stream:
            for line in stream:
                name, *arguments = line.split()
                stream.write(json.dumps(ORDERS[name](*arguments)) + "\n")
                stream.flush()


serve()
