"""How large a submission may be. All sizes are in bytes."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one submission; an operator may raise them, a submission never does.

    Everything is held in memory while it is checked, so `archive_bytes` plus twice `total_bytes`
    bounds what one check can cost.
    """

    archive_bytes: int = 24 * MIB
    """The archive as it was sent."""
    total_bytes: int = 32 * MIB
    """All contents together, unpacked."""
    file_bytes: int = 16 * MIB
    """One file, unpacked."""
    manifest_bytes: int = 16 * KIB
    """`bot.toml`."""
    members: int = 2_000
    """Files and folders, those that are left out (`.git` and the like) included."""
    depth: int = 10
    """Parts of a path: `a/b/c.py` has three."""
    path_length: int = 200
    """Characters of a path."""
    name_length: int = 100
    """Characters of one part of a path."""
    ratio: int = 200
    """Unpacked by packed size; looked at once more than `ratio_floor` has been unpacked."""
    ratio_floor: int = 1 * MIB


DEFAULT_LIMITS = Limits()


def size_text(size: int) -> str:
    """A size as a person reads it: `24 MiB`, `16 KiB`, `17 bytes`."""
    if size >= MIB:
        return f"{size / MIB:.4g} MiB"
    if size >= KIB:
        return f"{size / KIB:.4g} KiB"
    return f"{size} bytes"
