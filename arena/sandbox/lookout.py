"""Run inside a bot's container: prints as JSON what a bot sees there, then listens like a bot.

Its arguments are the paths that should be masked. It needs nothing but Python and is never imported
by the arena.
"""

import ctypes
import json
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path

_NEW_USER = 0x10000000
_INET, _ALG, _VSOCK = 2, 38, 40
_libc = ctypes.CDLL(None, use_errno=True)


def works(attempt: Callable[[], object]) -> bool:
    """Whether it is not refused."""
    try:
        attempt()
    except OSError:
        return False
    return True


def new_namespace() -> None:
    """Ask for a user namespace, where one would be root."""
    if _libc.unshare(_NEW_USER) != 0:
        raise OSError(ctypes.get_errno(), "")


def tells_something(path: Path) -> bool:
    """Whether a file or folder holds anything that can be read."""
    try:
        if path.is_dir():
            return any(path.iterdir())
        return bool(path.read_bytes())
    except OSError:
        return False


def text(path: str) -> str:
    """A file's text, empty if it can't be read."""
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def look() -> dict[str, object]:
    """What a bot sees."""
    status = dict(line.split(":\t", 1) for line in text("/proc/self/status").splitlines())
    mounts = [line.split(" ") for line in text("/proc/self/mounts").splitlines()]
    calls = {
        "internet sockets": lambda: socket.socket(_INET, socket.SOCK_STREAM),
        "sockets to the host (vsock)": lambda: socket.socket(_VSOCK, socket.SOCK_STREAM),
        "the kernel's ciphers": lambda: socket.socket(_ALG, socket.SOCK_SEQPACKET),
        "namespaces": new_namespace,
        "device nodes": lambda: os.mknod("/tmp/device", 0o20666, os.makedev(1, 1)),  # noqa: S108
    }
    limits = {
        name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
        for name in ("NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE")
    }
    return {
        "uid": os.getuid(),
        "groups": os.getgroups(),
        "host": socket.gethostname(),
        "seccomp": status.get("Seccomp"),
        "no_new_privileges": status.get("NoNewPrivs"),
        "capabilities": [status.get(f"Cap{name}") for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")],
        "mounts": {place: [kind, *how.split(",")] for _, place, kind, how, *_ in mounts},
        "interfaces": [
            line.partition(":")[0].strip() for line in text("/proc/net/dev").splitlines()[2:]
        ],
        "allowed": [name for name, call in calls.items() if works(call)],
        "limits": limits,
        "unmasked": [path for path in sys.argv[1:] if tells_something(Path(path))],
        "processes": [path.name for path in Path("/proc").glob("[0-9]*")],
    }


if __name__ == "__main__":
    print(json.dumps(look()), flush=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))
        server.listen()
        while True:
            server.accept()[0].close()
