"""Which paths a submission may hold, and which are left out of it.

A path is relative, its parts are joined by `/`, and it means the same on every file system: plain
printable ASCII, none of the characters that Windows gives a meaning, no part that is empty, `.`,
`..`, or begins or ends with a space or ends with a dot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from arena.submissions.errors import ArchiveError, shown
from arena.submissions.limits import Limits

IGNORED_NAMES = frozenset(
    {
        "__pycache__", ".git", ".hg", ".svn", ".venv", ".mypy_cache", ".pytest_cache",
        ".ruff_cache", ".DS_Store", "__MACOSX",
    }
)  # fmt: skip
"""A file or folder with one of these names is no part of a submission, nor is `*.pyc`."""

_FORBIDDEN = re.compile(r'[^ -~]|[\\:*?"<>|]')


def ignored(path: str) -> bool:
    """Whether `path` is left out: one of its parts is in IGNORED_NAMES, or it ends in `.pyc`."""
    return path.endswith(".pyc") or not IGNORED_NAMES.isdisjoint(path.split("/"))


def check_path(path: str, limits: Limits, *, extra_parts: int = 0) -> None:
    """Refuse a path that a submission may not hold.

    `extra_parts` allows that many parts more than `limits.depth`, with their length: an archive's
    wrapping folder is looked at before it is taken off.

    Raises ArchiveError.
    """
    problem = next(_problems(path, limits, extra_parts), None)
    if problem is not None:
        raise ArchiveError(f"{shown(path)} {problem}")


def _problems(path: str, limits: Limits, extra_parts: int) -> Iterator[str]:
    found = _FORBIDDEN.search(path)
    if found is not None:
        yield _character_problem(found.group())
    if path.startswith("/"):
        yield "is an absolute path; write paths relative to the bot's folder"
    parts = path.split("/")
    if ".." in parts:
        yield 'has ".." in its path; a submission holds only what lies below its own folder'
    if "" in parts or "." in parts:
        yield 'has an empty part or "." in its path; pack the folder again with a usual tool'
    if len(parts) > limits.depth + extra_parts:
        yield f"lies more than {limits.depth} levels deep; make the folders flatter"
    if max(len(part) for part in parts) > limits.name_length:
        yield f"has a name longer than {limits.name_length} characters; shorten it"
    if len(path) > limits.path_length + extra_parts * (limits.name_length + 1):
        yield f"is a path longer than {limits.path_length} characters; shorten it"
    if any(part != part.strip(" ") or part.endswith(".") for part in parts):
        yield "has a name that begins or ends with a space or ends with a dot; rename it"


def _character_problem(character: str) -> str:
    if character == "\\":
        return "has a backslash in its name; pack the folder with forward slashes"
    if character == ":":
        return "has a colon in its name, as a drive letter would; rename it"
    if character in '*?"<>|':
        return f"has the character {character} in its name; rename it"
    if ord(character) < 0x80:
        return "has a control character in its name; rename it"
    return "has a name that is not plain ASCII; rename it"


def check_mode(path: str, mode: int) -> None:
    """Refuse a file that wants to run as somebody else. Raises ArchiveError."""
    if mode & 0o6000:
        raise ArchiveError(
            f"{shown(path)} has its set-user-id or set-group-id bit on; take it off (chmod ug-s)"
        )
