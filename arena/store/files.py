"""Folders and files that are there for their owner alone, and still there after a power cut."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Make the folder and those above it, where they are missing."""
    make_folders([*reversed(folder.parents), folder])


def make_folders(folders: Iterable[Path]) -> None:
    """Make those of the folders that are missing, outer ones first: seeds and replays are secret,
    so only their owner may enter."""
    parents = set()
    for folder in folders:
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
            parents.add(folder.parent)
    for parent in parents:
        sync_folder(parent)


def touch(file: Path) -> None:
    """Make the file, if it is missing."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def write_once(file: Path, text: str) -> str:
    """Write the text unless somebody has written one there before; returns what is there."""
    if not file.exists():
        handle, made = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as opened:
                opened.write(text)
                opened.flush()
                os.fsync(handle)
            with suppress(FileExistsError):
                os.link(made, file)  # unlike a rename it never replaces
        finally:
            Path(made).unlink()
        sync_folder(file.parent)
    return file.read_text(encoding="utf-8")


def replace_file(file: Path, content: bytes) -> None:
    """Write the file in place of an older one: whoever reads it finds either whole.

    After a power cut it may be damaged: that is for what can be made anew.
    """
    handle, made = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        Path(made).replace(file)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Write the folder's names to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
