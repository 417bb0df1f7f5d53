"""A bot for the sandbox tests that needs nothing but Python: behaves as its first argument says.

It talks lines of text over its socket instead of gRPC, which the sandbox knows nothing of.
"""

import contextlib
import ctypes
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ADDRESS = os.environ["ARENABOT_ADDRESS"]
SOCKET = Path(ADDRESS.removeprefix("unix:"))


def listen() -> socket.socket:
    """Make the socket that is expected."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(SOCKET))
    server.listen()
    return server


def serve(server: socket.socket | None = None) -> None:
    """Answer one line with one line, for ever; a probe that says nothing is let go."""
    server = server or listen()
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rw") as stream:
            for line in stream:
                name, *arguments = line.split()
                stream.write(json.dumps(ORDERS[name](*arguments)) + "\n")
                stream.flush()


def hog(mib: str) -> str:
    """Use memory."""
    kept = [b"x" * (1 << 20) for _ in range(int(mib))]
    return f"kept {len(kept)} MiB"


def child_hog() -> str:
    """Let a child use too much memory."""
    child = os.fork()
    if child == 0:
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        hog("10000")
    os.waitpid(child, 0)
    return "alive"


def compute(seconds: str) -> str:
    """Use CPU time."""
    until = time.process_time() + float(seconds)
    while time.process_time() < until:
        pass
    return "done"


def nap(seconds: str) -> str:
    """Use time, and no CPU time."""
    time.sleep(float(seconds))
    return "done"


def compute_on(seconds: str) -> str:
    """Use CPU time after the answer."""
    threading.Thread(target=compute, args=(seconds,), daemon=True).start()
    return "going on"


def contend(processes: str, seconds: str) -> str:
    """Let processes keep each other waiting: all compute at once."""
    children = []
    for _ in range(int(processes)):
        children.append(os.fork())
        if children[-1] == 0:
            compute(seconds)
            os._exit(0)
    for child in children:
        os.waitpid(child, 0)
    return "done"


def look_up(count: str) -> str:
    """Ask for files that aren't there."""
    for number in range(int(count)):
        Path(f"/usr/{number}").exists()
    return "not there"


def big_file(path: str) -> str:
    """Write a file without end, and die of it like a program that isn't Python."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with Path(path).open("wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def old_call() -> str:
    """Make a 32-bit system call from a 64-bit program (x86 only)."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    place = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return str(ctypes.CFUNCTYPE(ctypes.c_int)(place)())


def leave_child() -> str:
    """Start a child in a session of its own, to be known by its argument."""
    marker = f"1000.{time.monotonic_ns()}"
    child = subprocess.Popen(["sleep", marker], start_new_session=True)
    while not Path(f"/proc/{child.pid}/cmdline").read_bytes():  # it shows a little later
        time.sleep(0.001)
    return marker


KEPT: list[socket.socket] = []


def abstract(name: str, *, bind: bool) -> socket.socket:
    """Open an abstract socket, which lies in no folder."""
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if bind:
        opened.bind("\0" + name)
        opened.listen()
    else:
        opened.connect("\0" + name)
    return opened


def swap(target: str) -> str:
    """Replace the socket by a link."""
    SOCKET.unlink()
    SOCKET.symlink_to(target)
    return "swapped"


def attempt(action: Callable[[], object]) -> str:
    """What came of it, as a short word."""
    try:
        action()
    except OSError as error:
        return os.strerror(error.errno or 0)
    return "done"


def system_call(number: int, *arguments: int) -> None:
    """Call the kernel directly."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) == -1:
        raise OSError(ctypes.get_errno(), "")


def read(path: str) -> str | None:
    """A file's text, or nothing."""
    with contextlib.suppress(OSError):
        return Path(path).read_text(encoding="utf-8", errors="replace")
    return None


def names_in(path: str) -> list[str] | None:
    """What a folder holds, or nothing."""
    with contextlib.suppress(OSError):
        return sorted(entry.name for entry in Path(path).iterdir())
    return None


def try_to(what: str, *arguments: str) -> str:
    """Attempt something that a container should refuse."""
    numbers = [int(text, 0) for text in arguments if text.lstrip("-").isalnum()]
    actions: dict[str, Callable[[], object]] = {
        "write": lambda: Path(arguments[0]).write_bytes(b"x"),
        "socket": lambda: socket.socket(numbers[0], numbers[1]).close(),
        "call": lambda: system_call(*numbers),
        "mkfifo": lambda: os.mkfifo("/tmp/fifo"),
        "fill": lambda: fill(Path(arguments[0])),
        "many": lambda: [(Path(arguments[0]) / str(n)).write_bytes(b"") for n in range(5000)],
        "fork": fork_many,
        "open": lambda: [Path("/dev/null").open("rb") for _ in range(1000)],  # noqa: SIM115
        "kill": lambda: os.kill(numbers[0], 0),
        "terminal": os.openpty,
        "run": lambda: subprocess.run(arguments, check=True),
    }
    return attempt(actions[what])


def fill(path: Path) -> None:
    """Write small files until something says stop."""
    for number in range(1 << 16):
        (path / f"fill{number}").write_bytes(b"x" * (1 << 16))


def fork_many() -> None:
    """Start processes until something says stop."""
    children = []
    try:
        for _ in range(1000):
            children.append(subprocess.Popen(["sleep", "100"]))  # noqa: PERF401
    finally:
        for child in children:
            child.kill()
            child.wait()


def look() -> dict[str, object]:
    """What a curious bot sees."""
    return {
        "uid": os.getuid(),
        "gid": os.getgid(),
        "groups": os.getgroups(),
        "hostname": socket.gethostname(),
        "env": dict(os.environ),
        "interfaces": [
            line.split(":")[0].strip() for line in (read("/proc/net/dev") or "").splitlines()[2:]
        ],
        "status": dict(
            line.split(":\t", 1) for line in (read("/proc/self/status") or "").splitlines()
        ),
        "mounts": (read("/proc/self/mounts") or "").splitlines(),
        "limits": read("/proc/self/limits"),
        "processes": [path.name for path in Path("/proc").glob("[0-9]*")],
        "hosts": [read("/etc/hosts"), read("/etc/resolv.conf"), read("/etc/hostname")],
        "pid": os.getpid(),
    }


def write_out(mib: str) -> str:
    """Print much."""
    line = b"x" * 1023 + b"\n"
    for _ in range(int(mib) << 10):
        os.write(1, line)
    os.write(1, b"the end\n")
    return "printed"


ORDERS: dict[str, Callable[..., object]] = {
    "compute": compute,
    "compute_on": compute_on,
    "contend": contend,
    "nap": nap,
    "hello": lambda: "hello",
    "exit": lambda code: os._exit(int(code)),
    "crash": lambda: ctypes.string_at(0),
    "bind": lambda name: KEPT.append(abstract(name, bind=True)),
    "connect": lambda name: attempt(lambda: abstract(name, bind=False).close()),
    "hog": hog,
    "look_up": look_up,
    "child_hog": child_hog,
    "big_file": big_file,
    "old_call": old_call,
    "leave_child": leave_child,
    "swap": swap,
    "look": look,
    "read": read,
    "shell": lambda *words: subprocess.run(["sh", "-c", " ".join(words)], check=False).returncode,
    "list": names_in,
    "try": try_to,
    "print": write_out,
    "say": lambda: os.write(1, b"red \x1b[31m, nothing \x00, not UTF-8 \xff\n"),
}


def serve_later() -> None:
    """Bind first, listen later, as a slow server does."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(SOCKET))
    time.sleep(0.3)
    server.listen()
    serve(server)


def serve_from_thread() -> None:
    """Let the main thread come to its end, with files open, and serve if they still are."""
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]

    def go_on() -> None:
        time.sleep(0.2)
        for descriptor in opened:
            os.fstat(descriptor)
        serve()

    threading.Thread(target=go_on).start()


def serve_stubborn() -> None:
    """Ignore what can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    serve()


def serve_swapped() -> None:
    """Serve, and put a link in the socket's place as soon as it stands."""
    server = listen()
    swap("/var/run/docker.sock")
    serve(server)


def serve_with_child() -> None:
    """Serve, with a child in a session of its own that is known by our parent's id."""
    subprocess.Popen(["sleep", f"1000.{os.getppid()}"], start_new_session=True)
    serve()


def bomb() -> None:
    """Listen, and fork without end, with threads that compute, sessions and ignored signals."""
    server = listen()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while server:
        with contextlib.suppress(OSError, RuntimeError):
            if os.fork() == 0:
                os.setsid()
                threading.Thread(target=compute, args=("1000",), daemon=True).start()


def serve_headless() -> None:
    """Serve from a thread, and end the main one alone; a child does the same."""
    server = listen()
    if os.fork() == 0:
        os.setsid()
        threading.Thread(target=time.sleep, args=(1000,)).start()
    else:
        threading.Thread(target=serve, args=(server,)).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)  # exit


def serve_litter() -> None:
    """Serve from a folder with a tree in it that is deep, locked, and leads out by a link."""
    server = listen()
    here = os.open(SOCKET.parent, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.symlink("/", "out", dir_fd=here)
    (SOCKET.parent / "deep").chmod(0)
    serve(server)


def datagram() -> None:
    """Make a socket of the wrong type."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(str(SOCKET))
        time.sleep(100)


def put(action: Callable[[], object]) -> Callable[[], None]:
    """Put something else in the socket's place, and stay."""

    def behave() -> None:
        action()
        time.sleep(100)

    return behave


BEHAVIOURS: dict[str, Callable[[], object]] = {
    "serve": serve,
    "serve_later": serve_later,
    "serve_from_thread": serve_from_thread,
    "serve_stubborn": serve_stubborn,
    "serve_swapped": serve_swapped,
    "serve_with_child": serve_with_child,
    "serve_headless": serve_headless,
    "serve_litter": serve_litter,
    "bomb": bomb,
    "sleep": lambda: time.sleep(100),
    "die": lambda: sys.exit("no bot today"),
    "datagram": datagram,
    "symlink": put(lambda: SOCKET.symlink_to("/var/run/docker.sock")),
    "fifo": put(lambda: os.mkfifo(SOCKET)),
    "folder": put(SOCKET.mkdir),
    "file": put(SOCKET.touch),
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]()
