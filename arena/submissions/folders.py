"""Reads a folder. Symlinks are refused and never followed, also if one appears while we read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from arena.submissions.errors import ArchiveError, SubmissionError, shown
from arena.submissions.limits import DEFAULT_LIMITS, Limits
from arena.submissions.names import check_mode, ignored
from arena.submissions.submission import Submission, assemble
from arena.submissions.tree import Collector

_KINDS = {
    stat.S_IFLNK: "is a symbolic link; put the file itself there",
    stat.S_IFIFO: "is a named pipe; remove it",
    stat.S_IFSOCK: "is a socket; remove it",
    stat.S_IFBLK: "is a device; remove it",
    stat.S_IFCHR: "is a device; remove it",
}


def read_folder(folder: Path, limits: Limits = DEFAULT_LIMITS) -> Submission:
    """The submission that lies in `folder`.

    Raises SubmissionError with one line that says what to change.
    """
    collector = Collector(limits, wrapped=False)
    try:
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SubmissionError(f"can't read the folder: {error.strerror}") from None
    try:
        _walk(top, "", collector)
    finally:
        os.close(top)
    return assemble(collector.finish(), limits)


def _walk(folder: int, prefix: str, collector: Collector) -> None:
    """Gather what lies in the open `folder`; its depth is bounded by the check of each path."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        path = prefix + name
        if ignored(path):
            continue
        collector.count()
        try:
            _take(folder, name, path, collector)
        except OSError as error:
            raise SubmissionError(f"can't read {shown(path)}: {error.strerror}") from None


def _take(folder: int, name: str, path: str, collector: Collector) -> None:
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ArchiveError(f"{shown(path)} {_KINDS.get(stat.S_IFMT(mode), 'is no file')}")
    # What was looked at may have been swapped since: the open says again that it is no link, and
    # a pipe in its place must not make us wait.
    kind = os.O_DIRECTORY if stat.S_ISDIR(mode) else os.O_NONBLOCK
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | kind, dir_fd=folder)
    try:
        if stat.S_ISDIR(mode):
            collector.add_folder(path)
            _walk(handle, f"{path}/", collector)
        else:
            _take_file(handle, path, collector)
    finally:
        os.close(handle)


def _take_file(handle: int, path: str, collector: Collector) -> None:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError(f"{shown(path)} changed while it was read; try again")
    check_mode(path, status.st_mode)
    if collector.wants(path, status.st_size):
        with open(handle, "rb", closefd=False) as source:
            content = source.read(status.st_size + 1)
        if len(content) != status.st_size:
            raise ArchiveError(f"{shown(path)} changed while it was read; try again")
        collector.add(path, content)
