"""The tree of files that a submission is, gathered under limits from whatever it came in.

Readers tell a `Collector` of every member that they meet, *before* they read its content, so that
limits hold while reading and not after it.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.submissions.errors import ArchiveError, shown
from arena.submissions.limits import Limits, size_text
from arena.submissions.manifest import MANIFEST_NAME
from arena.submissions.names import check_path, ignored


@dataclass(frozen=True, slots=True)
class File:
    """One file of a submission: its path below the submission's folder, and its bytes."""

    path: str
    content: bytes


class Collector:
    """Takes the members of a folder or archive one by one and refuses the first that may not be.

    `wrapped` says that the members may all lie in one folder, which is then taken off: an archive
    is often made of a folder rather than of what lies in it.
    """

    def __init__(self, limits: Limits, *, wrapped: bool) -> None:
        self.limits = limits
        self._wrapped = wrapped
        self._members = 0
        self._bytes = 0
        self._files: list[File] = []
        self._known: dict[str, tuple[str, bool]] = {}  # path in lower case -> path, is a file

    def count(self) -> None:
        """Note one more member, of whatever kind, left out or not.

        Raises ArchiveError.
        """
        self._members += 1
        if self._members > self.limits.members:
            raise ArchiveError(
                f"holds more than {self.limits.members} files and folders (.git and the like"
                " count too); send only what the bot needs"
            )

    def wants(self, path: str, size: int) -> bool:
        """Whether the content, `size` bytes, of the file at `path` is to be read and added.

        Raises ArchiveError if the path may not be, or if its content would pass a limit.
        """
        if ignored(path):
            return False
        check_path(path, self.limits, extra_parts=int(self._wrapped))
        if size > self.limits.file_bytes:
            raise ArchiveError(
                f"{shown(path)} is larger than {size_text(self.limits.file_bytes)};"
                " make the file smaller"
            )
        self._bytes += size
        if self._bytes > self.limits.total_bytes:
            raise ArchiveError(
                f"holds more than {size_text(self.limits.total_bytes)} unpacked;"
                " send only what the bot needs"
            )
        self._enter(path, is_file=True)
        return True

    def add(self, path: str, content: bytes) -> None:
        """Take a file that `wants` has said yes to."""
        self._files.append(File(path, content))

    def add_folder(self, path: str) -> None:
        """Check a folder's path; an empty folder is no part of a submission.

        Raises ArchiveError.
        """
        if not ignored(path):
            check_path(path, self.limits, extra_parts=int(self._wrapped))
            self._enter(path, is_file=False)

    def finish(self) -> tuple[File, ...]:
        """The files, sorted by path, with the wrapping folder taken off.

        Raises ArchiveError.
        """
        files = self._files
        if self._wrapped:
            files = _unwrap(files)
            for file in files:
                check_path(file.path, self.limits)
        return tuple(sorted(files, key=lambda file: file.path))

    def _enter(self, path: str, *, is_file: bool) -> None:
        """Note `path` and the folders above it; refuse what can't lie beside what is there."""
        parts = path.split("/")
        for n in range(1, len(parts) + 1):
            self._enter_one("/".join(parts[:n]), is_file=is_file and n == len(parts))

    def _enter_one(self, path: str, *, is_file: bool) -> None:
        key = path.lower()
        if key not in self._known:
            self._known[key] = (path, is_file)
            return
        earlier, was_file = self._known[key]
        if earlier != path:
            raise ArchiveError(
                f"{shown(earlier)} and {shown(path)} differ only in upper and lower case;"
                " rename one"
            )
        if is_file and was_file:
            raise ArchiveError(f"{shown(path)} is there twice; pack the folder again")
        if is_file or was_file:
            raise ArchiveError(f"{shown(path)} is both a file and a folder; rename one")


def _unwrap(files: list[File]) -> list[File]:
    """Take off the one folder that everything lies in, if `bot.toml` is right below it."""
    tops = {file.path.split("/", 1)[0] for file in files}
    if len(tops) != 1:
        return files
    wrapper = f"{tops.pop()}/"
    if not any(file.path == wrapper + MANIFEST_NAME for file in files):
        return files
    return [File(file.path.removeprefix(wrapper), file.content) for file in files]
