"""Reads a zip, strictly.

Ours for the reason that tars.py gives. What the central directory and a file's own header say must
agree; no two files may share bytes; sizes are believed only as upper bounds while inflating, and
must then be exact. Encryption, zip64 (which nothing below 4 GiB needs), several disks and methods
other than stored and deflated are refused.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from arena.submissions.errors import ArchiveError, shown
from arena.submissions.names import check_mode, ignored
from arena.submissions.tars import check_ratio
from arena.submissions.tree import Collector

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins: with a file, or, if it is empty, with its end."""

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MAGIC, _ENTRY_MAGIC, _LOCAL_MAGIC = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_ZIP64_LOCATOR = b"PK\x06\x07"
_ZIP64_FIELD = 1
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13
_SIZES_FOLLOW = 1 << 3

_DAMAGED = "the zip is damaged; pack or send it again"
_ZIP64 = "the zip is written as zip64, which no submission needs; pack it with a usual tool"


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the central directory says of one member."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    mode: int
    """Unix type and permissions, 0 where the zip was made elsewhere."""
    offset: int

    @property
    def path(self) -> str:
        return self.name.decode("latin-1")  # ASCII or refused, as in tars.py


def read_zip(content: bytes, collector: Collector) -> None:
    """Add every file of the zip `content` to `collector`.

    Raises ArchiveError.
    """
    count, start, end = _find_directory(content)
    entries = []
    for entry in _entries(content[start:end], count):
        collector.count()
        entries.append(entry)
    if len({entry.name for entry in entries}) < len(entries):
        raise ArchiveError("the zip has two members of one name; pack the folder again")
    unpacked, reached = 0, 0
    for entry in sorted(entries, key=lambda e: e.offset):
        if entry.offset < reached:
            raise ArchiveError(f"{shown(entry.path)} shares bytes with another file of the zip")
        data = _find_data(content, start, entry)
        reached = data + entry.packed
        if not ignored(entry.path.removesuffix("/")):
            unpacked += entry.size
            check_ratio(unpacked, len(content), collector.limits)
            _take(entry, content[data:reached], collector)


def _take(entry: _Entry, packed: bytes, collector: Collector) -> None:
    path = entry.path
    kind = stat.S_IFMT(entry.mode)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        what = "a symbolic link" if kind == stat.S_IFLNK else "neither a file nor a folder"
        raise ArchiveError(f"{shown(path)} is {what}; put the file itself there")
    if path.endswith("/") != (kind == stat.S_IFDIR) and kind:
        raise ArchiveError(f"{shown(path)} is both a file and a folder; pack the folder again")
    if entry.flags & _ENCRYPTED:
        raise ArchiveError(f"{shown(path)} is encrypted; pack the folder without a password")
    if path.endswith("/"):
        if entry.size:
            raise ArchiveError(f"{shown(path)} is a folder with content; pack the folder again")
        collector.add_folder(path.removesuffix("/"))
        return
    check_mode(path, entry.mode)
    if collector.wants(path, entry.size):
        collector.add(path, _unpacked(entry, packed))


def _find_directory(content: bytes) -> tuple[int, int, int]:
    """How many entries the central directory has, where it starts and where it ends."""
    at = len(content) - _END.size
    # The end record is the last thing but for a comment of the length that the record states.
    lowest = max(0, at - 0xFFFF)
    while at >= lowest:
        at = content.rfind(_END_MAGIC, lowest, at + len(_END_MAGIC))
        if at < 0:
            break
        fields = _END.unpack_from(content, at)
        if at + _END.size + fields[-1] == len(content):
            return _directory(content, at, fields)
        at -= 1
    raise ArchiveError("the zip is cut short; pack or send it again")


def _directory(content: bytes, at: int, fields: tuple[int, ...]) -> tuple[int, int, int]:
    _, disk, first_disk, count_here, count, size, start, _ = fields
    if content[max(0, at - 20) : at].startswith(_ZIP64_LOCATOR) or 0xFFFFFFFF in {size, start}:
        raise ArchiveError(_ZIP64)
    if disk or first_disk or count_here != count:
        raise ArchiveError("the zip is one of several parts; pack it as one file")
    if start + size != at:
        raise ArchiveError(_DAMAGED)
    return count, start, at


def _entries(directory: bytes, count: int) -> Iterator[_Entry]:
    at = 0
    for _ in range(count):
        if at + _ENTRY.size > len(directory):
            raise ArchiveError(_DAMAGED)
        fields = _ENTRY.unpack_from(directory, at)
        magic, _, _, flags, method, _, _, crc, packed, size = fields[:10]
        name_length, extra_length, comment_length, _, _, attributes, offset = fields[10:]
        extra = at + _ENTRY.size + name_length
        following = extra + extra_length + comment_length
        if magic != _ENTRY_MAGIC or following > len(directory):
            raise ArchiveError(_DAMAGED)
        is_zip64 = 0xFFFFFFFF in {packed, size, offset}
        if is_zip64 or _has_zip64_field(directory[extra : extra + extra_length]):
            raise ArchiveError(_ZIP64)
        name = directory[at + _ENTRY.size : extra]
        yield _Entry(name, flags, method, crc, packed, size, attributes >> 16, offset)
        at = following
    if at != len(directory):
        raise ArchiveError(_DAMAGED)


def _has_zip64_field(extra: bytes) -> bool:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == _ZIP64_FIELD:
            return True
        extra = extra[4 + length :]
    return False


def _find_data(content: bytes, directory: int, entry: _Entry) -> int:
    """Where the packed bytes of `entry` begin, its own header agreeing with the directory."""
    if entry.offset + _LOCAL.size > directory:
        raise ArchiveError(_DAMAGED)
    fields = _LOCAL.unpack_from(content, entry.offset)
    magic, _, flags, method, _, _, crc, packed, size, name_length, extra_length = fields
    name_at = entry.offset + _LOCAL.size
    data: int = name_at + name_length + extra_length
    if magic != _LOCAL_MAGIC or data + entry.packed > directory:
        raise ArchiveError(_DAMAGED)
    stated = ((crc, entry.crc), (packed, entry.packed), (size, entry.size))
    # A zip that was written as a stream puts what it could not know yet as 0, and sets a flag.
    agree = all(own == listed or (flags & _SIZES_FOLLOW and not own) for own, listed in stated)
    same_name = content[name_at : name_at + name_length] == entry.name
    if not (agree and same_name and (flags, method) == (entry.flags, entry.method)):
        raise ArchiveError(
            f"{shown(entry.path)} is described in two ways by the zip; pack the folder again"
        )
    return data


def _unpacked(entry: _Entry, packed: bytes) -> bytes:
    if entry.method == _STORED:
        content = packed
    elif entry.method == _DEFLATED:
        content = _inflate(entry, packed)
    else:
        raise ArchiveError(
            f"{shown(entry.path)} is packed by a method other than deflate;"
            " pack the folder with a usual zip tool"
        )
    if len(content) != entry.size or zlib.crc32(content) != entry.crc:
        raise ArchiveError(f"{shown(entry.path)} is not what the zip says it is; pack it again")
    return content


def _inflate(entry: _Entry, packed: bytes) -> bytes:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        # One byte more than promised is enough to know that the promise was a lie.
        content = inflater.decompress(packed, entry.size + 1)
    except zlib.error:
        raise ArchiveError(f"{shown(entry.path)} is damaged; pack or send it again") from None
    if not inflater.eof or inflater.unused_data or inflater.unconsumed_tail:
        raise ArchiveError(f"{shown(entry.path)} is not what the zip says it is; pack it again")
    return content
