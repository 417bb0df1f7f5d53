"""A bot on its way to a server."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import zstandard

from arena.submissions import check
from arena.submissions.limits import DEFAULT_LIMITS
from arena.submissions.submission import to_tar
from arenabot.v1 import arena_pb2 as pb

PIECE: Final = 64 << 10
"""Bytes in one message: as many as a server takes."""


@dataclass(frozen=True, slots=True)
class Upload:
    """An archive and what it is called; sent again it is the same request."""

    bot: str
    filename: str
    data: bytes = field(repr=False)
    request_id: str = field(default_factory=lambda: secrets.token_hex(16))

    @classmethod
    def of(cls, path: Path) -> Self:
        """Check a folder or an archive as the server will, and pack it. Raises SubmissionError."""
        submission = check(path)
        data, name = to_tar(submission), f"{submission.manifest.name}.tar"
        if len(data) > DEFAULT_LIMITS.archive_bytes:
            data, name = zstandard.ZstdCompressor().compress(data), f"{name}.zst"
        return cls(submission.manifest.name, name, data)

    def messages(self) -> Iterator[pb.SubmitBotRequest]:
        """What is sent, from the beginning."""
        yield pb.SubmitBotRequest(
            header=pb.SubmitBotHeader(
                request_id=self.request_id,
                sha256=hashlib.sha256(self.data).hexdigest(),
                size=len(self.data),
                filename=self.filename,
            )
        )
        for at in range(0, len(self.data), PIECE):
            yield pb.SubmitBotRequest(data=self.data[at : at + PIECE])
