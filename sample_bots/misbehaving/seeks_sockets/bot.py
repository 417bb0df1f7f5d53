"""Looks for other sockets, with and without a file, and for families that lead out."""

import contextlib
import os
import socket
from pathlib import Path

from calm import Calm

from arenabot import serve

OWN = os.environ["ARENABOT_ADDRESS"].removeprefix("unix:")
KNOWN = (
    *("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"),
    *("/run/systemd/private", "/run/dbus/system_bus_socket", "/dev/log"),
)
FAMILIES = {"inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44}


def abstract() -> list[str]:
    """The sockets without a file that the kernel lists."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/net/unix").read_text(encoding="ascii").splitlines()[1:]
        return [line.split()[7] for line in lines if " @" in line]
    return []


def answers(path: str) -> bool:
    """Whether somebody listens there."""
    with socket.socket(socket.AF_UNIX) as mine:
        return mine.connect_ex(path.replace("@", "\0", 1)) == 0


if __name__ == "__main__":
    found = {str(path) for path in Path("/run").rglob("*") if path.is_socket()} - {OWN}
    reached = [path for path in {*KNOWN, *found, *abstract()} if answers(path)]
    opened = []
    for name, family in FAMILIES.items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            with contextlib.suppress(OSError), socket.socket(family, kind):
                opened.append(name)
    print(f"reached {reached}, opened {opened}", flush=True)
    serve(Calm)
