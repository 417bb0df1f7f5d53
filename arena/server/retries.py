"""Requests that change something, known by the id that their caller gave them."""

from __future__ import annotations

import hashlib
from typing import Final, Protocol

from google.protobuf.message import Message

from arena.server.caller import caller
from arena.server.refusals import Refused
from arena.store import Request
from arenabot.v1 import arena_pb2 as pb

_LONGEST: Final = 64


class Asking(Protocol):
    """A message with a request id."""

    @property
    def request_id(self) -> str:
        """What its caller calls it; may be empty."""


def request(message: Message, method: str, *, asked: Asking | None = None) -> Request | None:
    """What the store is to remember of a change; None if its caller gave it no id.

    `asked` is the message with the id, if that isn't `message` itself. Raises Refused.
    """
    id_ = (asked or message).request_id  # type: ignore[union-attr]
    if not id_:
        return None
    if len(id_) > _LONGEST or not (id_.isascii() and id_.isprintable()):
        raise Refused(
            pb.REASON_INVALID, f"a request_id is up to {_LONGEST} printable ASCII characters"
        )
    content = hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()
    return Request(caller().name(), id_, method, content)
