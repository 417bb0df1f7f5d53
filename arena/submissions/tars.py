"""Reads a tar, strictly and as a stream.

Ours rather than a library's, since a library reads what it can, and we want to refuse what we do
not expect: one way to read each archive, or none. Read are ustar and v7 headers, GNU long names and
pax paths, which is what tar, git, Python, Go and Node write for files and folders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from arena.submissions.errors import ArchiveError, shown
from arena.submissions.limits import KIB, Limits, size_text
from arena.submissions.names import check_mode, ignored
from arena.submissions.tree import Collector

BLOCK = 512
_ZEROS = bytes(BLOCK)
_FILE, _FOLDER, _PAX, _GLOBAL_PAX, _LONG_NAME, _LONG_LINK = b"0", b"5", b"x", b"g", b"L", b"K"
_EXTENSIONS = {_PAX, _LONG_NAME, _LONG_LINK}
_EXTENSION_BYTES = 64 * KIB
"""The longest pax header or GNU long name that is read; a path needs a few hundred bytes."""
_REFUSED = {
    b"1": "is a hard link; put the file itself there",
    b"2": "is a symbolic link; put the file itself there",
    b"3": "is a device; remove it",
    b"4": "is a device; remove it",
    b"6": "is a named pipe; remove it",
    b"S": "is stored as a sparse file; pack the folder without --sparse",
}
_PAX_RECORD = re.compile(rb"(\d{1,6}) ([^=\n]+)=")


class Source(Protocol):
    """Unpacked bytes in order; `read` gives b"" at their end, and may give fewer than asked."""

    def read(self, size: int, /) -> bytes: ...


class Stream:
    """The unpacked bytes of an archive, counted against the limits while they come."""

    def __init__(self, source: Source, packed_size: int, limits: Limits) -> None:
        self._source = source
        self._packed_size = packed_size
        self._limits = limits
        self._taken = 0

    def take(self, size: int) -> bytes:
        """Up to `size` bytes, fewer only at the end. Raises ArchiveError past a limit."""
        parts: list[bytes] = []
        missing = size
        while missing and (part := self._source.read(missing)):
            parts.append(part)
            missing -= len(part)
            self._taken += len(part)
            self._check()
        return b"".join(parts)

    def need(self, size: int) -> bytes:
        """Exactly `size` bytes. Raises ArchiveError if the archive ends before."""
        found = self.take(size)
        if len(found) < size:
            raise ArchiveError("the archive is cut short; pack or send it again")
        return found

    def pass_over(self, size: int) -> None:
        """Read `size` bytes and drop them, a little at a time."""
        while size:
            size -= len(self.need(min(size, 64 * KIB)))

    def _check(self) -> None:
        # Contents have their own limit; beside them are headers, padding and what is left out.
        most = 2 * self._limits.total_bytes + self._limits.members * 4 * BLOCK
        if self._taken > most:
            raise ArchiveError(
                f"the archive unpacks to more than {size_text(most)}; send only what the bot needs"
            )
        check_ratio(self._taken, self._packed_size, self._limits)


def check_ratio(unpacked: int, packed: int, limits: Limits) -> None:
    """Refuse what grows more than any honest folder does. Raises ArchiveError."""
    if unpacked > limits.ratio_floor and unpacked > limits.ratio * packed:
        raise ArchiveError(
            f"the archive unpacks to more than {limits.ratio} times its size;"
            " send the files in a form that isn't mostly repetition"
        )


@dataclass(frozen=True, slots=True)
class _Header:
    path: str
    size: int
    mode: int
    kind: bytes


def is_tar(content: bytes) -> bool:
    """Whether `content` begins as a tar does."""
    return len(content) >= BLOCK and _checksum_holds(content[:BLOCK])


def read_tar(stream: Stream, collector: Collector) -> None:
    """Add every file of the tar in `stream` to `collector`.

    Raises ArchiveError.
    """
    for header in _members(stream, collector):
        path = re.sub(r"^(\./+)+", "", header.path)  # as `tar -cf bot.tar .` writes it
        if header.kind == _FOLDER or path.endswith("/"):
            _take_folder(path, header, collector)
        else:
            _take_file(path, header, stream, collector)


def _take_folder(path: str, header: _Header, collector: Collector) -> None:
    path = path.removesuffix("/")
    if header.kind not in {_FOLDER, _FILE} or header.size:
        raise ArchiveError(f"{shown(path)} is a folder with content; pack the folder again")
    if path not in {"", "."}:
        collector.add_folder(path)


def _take_file(path: str, header: _Header, stream: Stream, collector: Collector) -> None:
    padded = -(-header.size // BLOCK) * BLOCK
    if ignored(path):
        stream.pass_over(padded)
        return
    if header.kind != _FILE:
        problem = _REFUSED.get(header.kind, "is of a kind that is not known; leave it out")
        raise ArchiveError(f"{shown(path)} {problem}")
    check_mode(path, header.mode)
    if collector.wants(path, header.size):
        collector.add(path, stream.need(padded)[: header.size])


def _members(stream: Stream, collector: Collector) -> Iterator[_Header]:
    """The headers of files, folders and other things, with their long names worked in."""
    extensions: dict[bytes, bytes] = {}
    while (block := stream.need(BLOCK)) != _ZEROS:
        header = _parse(block)
        if header.kind in _EXTENSIONS:
            if header.kind in extensions:
                raise ArchiveError("the tar has two long names for one file; pack it again")
            extensions[header.kind] = _extension(header, stream)
            continue
        collector.count()
        if header.kind == _GLOBAL_PAX:
            _check_global(_pax(_extension(header, stream)))
            continue
        yield _extended(header, extensions)
        extensions = {}
    if extensions:
        raise ArchiveError("the archive is cut short; pack or send it again")
    while rest := stream.take(64 * KIB):
        if rest.strip(b"\0"):
            raise ArchiveError("the tar has data after its end; pack the folder again")


def _parse(block: bytes) -> _Header:
    if not _checksum_holds(block):
        raise ArchiveError("the tar is damaged (a header's checksum is wrong); pack it again")
    path = _until_nul(block[0:100])
    if block[257:263] == b"ustar\0" and block[345]:  # GNU's magic differs: no prefix there
        path = f"{_until_nul(block[345:500])}/{path}"
    kind = block[156:157]
    return _Header(
        path=path,
        size=_number(block[124:136], path),
        mode=_number(block[100:108], path),
        kind=_FILE if kind in {b"\0", b"7"} else kind,
    )


def _checksum_holds(block: bytes) -> bool:
    """Whether the block's sum over unsigned bytes, its own field as spaces, is as it says."""
    stated = block[148:156].strip(b" \0")
    if not re.fullmatch(rb"[0-7]{1,7}", stated):
        return False
    return int(stated, 8) == sum(block) - sum(block[148:156]) + 8 * 0x20


def _number(field: bytes, path: str) -> int:
    """A number in octal, or in base 256 as GNU writes what does not fit; never negative."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    if field[0] & 0x80 or not re.fullmatch(rb"[0-7]*", digits):
        raise ArchiveError(f"{shown(path)} has a size or mode that is no number; pack it again")
    return int(digits or b"0", 8)


def _extension(header: _Header, stream: Stream) -> bytes:
    if header.size > _EXTENSION_BYTES:
        raise ArchiveError(
            f"the tar has a name or extended header longer than {size_text(_EXTENSION_BYTES)};"
            " pack the folder again"
        )
    return stream.need(-(-header.size // BLOCK) * BLOCK)[: header.size]


def _extended(header: _Header, extensions: dict[bytes, bytes]) -> _Header:
    """The header with what the extension headers before it say."""
    if _LONG_NAME in extensions:
        header = replace(header, path=extensions[_LONG_NAME].removesuffix(b"\0").decode("latin-1"))
    for key, value in _pax(extensions.get(_PAX, b"")).items():
        if key == b"path":
            header = replace(header, path=value.decode("latin-1"))
        elif key == b"size" and value != str(header.size).encode():
            raise ArchiveError(f"{shown(header.path)} states two sizes; pack the folder again")
        elif key.startswith(b"GNU.sparse"):
            raise ArchiveError(f"{shown(header.path)} {_REFUSED[b'S']}")
    return header


def _pax(content: bytes) -> dict[bytes, bytes]:
    """The records `<length> <key>=<value>\\n` of a pax header."""
    records: dict[bytes, bytes] = {}
    while content:
        match = _PAX_RECORD.match(content)
        end = int(match[1]) if match else 0
        if match is None or end <= match.end() or content[end - 1 : end] != b"\n":
            raise ArchiveError("the tar has a damaged extended header; pack the folder again")
        records[match[2]] = content[match.end() : end - 1]
        content = content[end:]
    return records


def _check_global(records: dict[bytes, bytes]) -> None:
    """git writes its commit's id there; a name or size for all files makes no sense."""
    for key in records:
        if key in {b"path", b"size"} or key.startswith(b"GNU.sparse"):
            raise ArchiveError(f"the tar sets {shown(key.decode('latin-1'))} for all its files")


def _until_nul(field: bytes) -> str:
    # Names are ASCII or refused; latin-1 keeps whatever else is there for the message.
    return field.split(b"\0", 1)[0].decode("latin-1")
