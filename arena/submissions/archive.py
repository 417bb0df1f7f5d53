"""Reads a submission from wherever it lies: a folder, or an archive of one of four types."""

from __future__ import annotations

import io
import os
import stat
import zlib
from pathlib import Path

import zstandard

from arena.submissions.errors import ArchiveError, SubmissionError
from arena.submissions.folders import read_folder
from arena.submissions.limits import DEFAULT_LIMITS, KIB, MIB, Limits, size_text
from arena.submissions.submission import Submission, assemble
from arena.submissions.tars import Source, Stream, is_tar, read_tar
from arena.submissions.tree import Collector
from arena.submissions.zips import MAGIC as ZIP_MAGIC
from arena.submissions.zips import read_zip

_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW = 32 * MIB
"""The memory that a zstd archive may ask for; its own contents may not be larger anyway."""


def read_submission(path: Path, limits: Limits = DEFAULT_LIMITS) -> Submission:
    """The submission in the folder or archive at `path`. Nothing is unpacked on disk.

    Raises SubmissionError with one line that says what to change.
    """
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        raise SubmissionError(
            f"can't read {str(path)[:80]}: {error.strerror}; name a bot's folder or archive"
        ) from None
    if is_folder:
        return read_folder(path, limits)
    return read_archive(_file_content(path, limits), limits)


def read_archive(content: bytes, limits: Limits = DEFAULT_LIMITS) -> Submission:
    """The submission in a .zip, .tar, .tar.gz or .tar.zst; the type is read from its content.

    Everything may lie in one folder, which is then taken off.

    Raises SubmissionError with one line that says what to change.
    """
    _check_archive_size(len(content), limits)
    collector = Collector(limits, wrapped=True)
    if content.startswith(ZIP_MAGIC):
        read_zip(content, collector)
    else:
        read_tar(Stream(_tar_source(content), len(content), limits), collector)
    return assemble(collector.finish(), limits)


def _file_content(path: Path, limits: Limits) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise SubmissionError(f"can't read the submission: {error.strerror}") from None
    with open(handle, "rb") as source:  # noqa: PTH123 - a descriptor, not a path
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise SubmissionError("the submission is neither a folder nor an archive file")
        content = source.read(limits.archive_bytes + 1)
    _check_archive_size(len(content), limits)
    return content


def _check_archive_size(size: int, limits: Limits) -> None:
    if size > limits.archive_bytes:
        raise ArchiveError(
            f"the archive is larger than {size_text(limits.archive_bytes)};"
            " send only what the bot needs"
        )


def _tar_source(content: bytes) -> Source:
    if content.startswith(_GZIP_MAGIC):
        return _Gzip(content)
    if content.startswith(_ZSTD_MAGIC):
        return _Zstd(content)
    if is_tar(content):
        return io.BytesIO(content)
    raise ArchiveError(
        "this is no archive that can be read; send a folder, .zip, .tar, .tar.gz or .tar.zst"
    )


class _Gzip:
    """The unpacked bytes of exactly one gzip member, as one call to gzip writes."""

    def __init__(self, content: bytes) -> None:
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._packed = io.BytesIO(content)

    def read(self, size: int, /) -> bytes:
        while not self._inflater.eof:
            packed = self._inflater.unconsumed_tail or self._packed.read(64 * KIB)
            try:
                found = self._inflater.decompress(packed, size)
            except zlib.error:
                raise ArchiveError("the gzip is damaged; pack or send it again") from None
            if found:
                return found
            if not packed:
                raise ArchiveError("the archive is cut short; pack or send it again")
        if self._inflater.unused_data or self._packed.read(1):
            raise ArchiveError("the gzip has data after its end; pack the folder again")
        return b""


class _Zstd:
    """The unpacked bytes of a zstd file."""

    def __init__(self, content: bytes) -> None:
        inflater = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._reader = inflater.stream_reader(content, read_across_frames=True)

    def read(self, size: int, /) -> bytes:
        try:
            return self._reader.read(size)
        except zstandard.ZstdError:
            raise ArchiveError("the zstd is damaged; pack or send it again") from None
