"""Bots as archives, and how they are sent."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import AsyncIterator

from arenabot.v1 import arena_pb2 as pb

BOT = """
from arenabot import ClaimsBot, serve

class Bot(ClaimsBot):
    def turn(self, observation):
        return self.rng.choice(observation.legal_actions())

if __name__ == "__main__":
    serve(Bot)
"""


def packed(name: str, code: str = BOT, **files: str) -> bytes:
    """A .zip of a bot that plays Claims."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("bot.toml", f'name = "{name}"\ngame = "claims"\n')
        archive.writestr("bot.py", code)
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def header(archive: bytes, **changes: object) -> pb.SubmitBotRequest:
    """What is told of an archive before it is sent."""
    told: dict[str, object] = {
        "sha256": hashlib.sha256(archive).hexdigest(),
        "size": len(archive),
        "filename": "bot.zip",
        **changes,
    }
    return pb.SubmitBotRequest(header=pb.SubmitBotHeader(**told))  # type: ignore[arg-type]


def data(archive: bytes, piece: int = 64 << 10) -> list[pb.SubmitBotRequest]:
    """The archive in pieces."""
    return [
        pb.SubmitBotRequest(data=archive[at : at + piece]) for at in range(0, len(archive), piece)
    ]


async def upload(archive: bytes, **changes: object) -> AsyncIterator[pb.SubmitBotRequest]:
    """An archive as it is to be sent."""
    yield header(archive, **changes)
    for piece in data(archive):
        yield piece
