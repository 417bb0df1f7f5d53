"""Writing what a person asked for to where that person said."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from arena.app.errors import ArenaError


def make_folder(folder: Path) -> None:
    """Make a folder, unless it is there; ``ArenaError`` if files cannot be put there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"{folder} cannot be a folder: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ArenaError(f"{folder} cannot be written to: choose another folder")


def write_file(path: Path, data: bytes | str, *, private: bool = False) -> None:
    """Write a file whole or not at all, its folder first; ``ArenaError`` if it cannot be.

    Nobody but its owner may read a ``private`` one.
    """
    if isinstance(data, str):
        data = data.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(prefix=".", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(fresh).chmod(0o600 if private else 0o666 & ~_umask())
            Path(fresh).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(fresh).unlink()
            raise
    except OSError as error:
        raise ArenaError(f"{path} cannot be written: {error.strerror}") from None


def _umask() -> int:
    """What this process leaves off the files that it makes; can only be read by being set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
