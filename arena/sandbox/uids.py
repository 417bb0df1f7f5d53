"""A user id of its own for every running bot, unique on the machine.

Quotas for inotify, pipes and processes count by user id and leak across containers, so two bots
must never share one, not even bots of two arenas on one machine (SECURITY, finding 6).
"""

import secrets
from pathlib import Path
from typing import Final

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.leases import Lease

MACHINE_UIDS: Final = Path("/run/claim-arena/uids")
"""Shared by all arenas of a machine, unlike everything else that an instance owns."""

# Above everything that systemd, useradd and /etc/subuid hand out, and below docker's limit of 2^31.
_FIRST: Final = 1_900_000_000
_COUNT: Final = 10_000


def take_uid(directory: Path, owner: str) -> Lease:
    """Lease a free id, by any from which it is hard to tell who came before."""
    start = secrets.randbelow(_COUNT)
    numbers = (_FIRST + (start + step) % _COUNT for step in range(_COUNT))
    lease = Lease.acquire(directory, owner, numbers)
    if lease is None:
        raise SandboxFailed(f"all {_COUNT} user ids for bots are taken: look into {directory}")
    return lease
