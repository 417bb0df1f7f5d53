"""What a failure is called: a stream's end, as gRPC tells it, in the words of a bot's author."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import grpc

from arena.match.faults import FaultKind
from arenabot.driver import brief

#: The detail of a TIMEOUT, with the seconds that there were.
LATE: Final = "no answer within {:g} s"
#: Why a bot that floods its stream is hung up on.
FLOOD: Final = "sent {} messages that nobody had asked for"
#: Why a bot whose messages cannot be read is hung up on.
GARBAGE: Final = "sent bytes that are no PlayResponse"
#: What a stream that outlived its bound is called: a bot cannot bring that about.
OUTLIVED: Final = "the match took longer than its seats may take together"
#: Why a bot that leaves its stream unread is hung up on.
UNREAD: Final = "does not read its messages: one could not be handed over"


class Ending(NamedTuple):
    """How a stream came to its end."""

    #: What the bot did; ``None`` where the end is no doing of its.
    kind: FaultKind | None
    detail: str
    #: Whether the connection broke, rather than the bot ending the stream: then whoever runs the
    #: bot may know more.
    broke: bool = False


class StreamEnded(Exception):
    """The stream is over; ``ending`` says how."""

    def __init__(self, ending: Ending) -> None:
        """Keep the reason."""
        super().__init__(ending.detail)
        self.ending = ending


_CODES: Final = {
    # What a server in any language says when the code behind a call raised an error; the SDK
    # puts the error's name and text beside it.
    grpc.StatusCode.INTERNAL: (FaultKind.CRASHED, "failed inside"),
    grpc.StatusCode.UNKNOWN: (FaultKind.CRASHED, "failed inside"),
    grpc.StatusCode.UNAVAILABLE: (FaultKind.CRASHED, "the connection broke off"),
    grpc.StatusCode.UNIMPLEMENTED: (
        FaultKind.PROTOCOL,
        "does not serve arenabot.v1.PlayerService",
    ),
    grpc.StatusCode.RESOURCE_EXHAUSTED: (FaultKind.PROTOCOL, "sent more than may be sent at once"),
    grpc.StatusCode.CANCELLED: (FaultKind.PROTOCOL, "cancelled the stream"),
}


# How gRPC puts it when it ends a stream itself for what came over the connection, or came no more.
_TORN: Final = re.compile(r"Stream removed \((.*)\)", re.DOTALL)
_ON_PURPOSE: Final = ("GOAWAY received", "RST_STREAM")
# And when a message claims to be packed in a way that was never agreed on.
_UNREADABLE: Final = "Compression bit set"


def ending_of(code: grpc.StatusCode, details: str | None) -> Ending:
    """Name the end of a stream that should still be open."""
    if code is grpc.StatusCode.OK:
        return Ending(FaultKind.PROTOCOL, "ended the stream before the match was over")
    kind, words = _CODES.get(code, (FaultKind.PROTOCOL, f"ended the stream with {code.name}"))
    broke = code is grpc.StatusCode.UNAVAILABLE
    said = details or ""
    if torn := _TORN.fullmatch(said):
        said = torn[1]
        if said.startswith(_ON_PURPOSE) and broke:
            # A server that is ending says so, too, and then its host knows more.
            kind, words = FaultKind.PROTOCOL, "went away"
        elif kind is FaultKind.CRASHED and not broke:
            kind, words = FaultKind.PROTOCOL, "broke the rules of HTTP/2"
    elif code is grpc.StatusCode.INTERNAL and said.startswith(_UNREADABLE):
        kind, words = FaultKind.PROTOCOL, "sent a message that can't be read"
    elif code is grpc.StatusCode.INTERNAL and said:
        return Ending(kind, brief(said))
    said = brief(said)
    return Ending(kind, f"{words}: {said}" if said else words, broke=broke)
