"""A bot's server made of raw HTTP/2 frames, so that a bot can send what no gRPC library would.

A `RawBot` plays a random legal action in each turn until its attack begins. It serves one
connection after the other, and needs none of HPACK's decoding: a request without content is the
health service's, every other belongs to the one match.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import ClassVar, NoReturn

from calm import Calm

from arenabot.conversation import Conversation
from arenabot.v1 import player_pb2 as player

(
    DATA,
    HEADERS,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    PUSH_PROMISE,
    PING,
    GOAWAY,
    WINDOW_UPDATE,
    CONTINUATION,
) = range(10)
ACK = END_STREAM = 0x1
END_HEADERS = 0x4
PADDED = 0x8

_PREFACE = len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
_BLOCK = 1 << 16


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    """One HTTP/2 frame (RFC 9113, section 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def number(value: int) -> bytes:
    """A frame's 32-bit number, such as a window's increment or an error code."""
    return struct.pack(">I", value)


def setting(name: int, value: int) -> bytes:
    """One entry of a SETTINGS frame."""
    return struct.pack(">HI", name, value)


def fields(*pairs: tuple[str, str]) -> bytes:
    """A header block of literals that are not indexed (RFC 7541, section 6.2.2)."""
    return b"".join(b"\0" + _text(name) + _text(value) for name, value in pairs)


def _text(text: str) -> bytes:
    size, raw = len(text), text.encode("ascii")
    if size < 127:
        return bytes([size]) + raw
    rest, more = size - 127, bytearray([127])
    while rest >= 128:
        more.append(rest % 128 + 128)
        rest //= 128
    return bytes(more) + bytes([rest]) + raw


def message(body: bytes, *, compressed: int = 0, length: int | None = None) -> bytes:
    """A gRPC message with its prefix, which may lie."""
    return struct.pack(">BI", compressed, len(body) if length is None else length) + body


HEAD = fields((":status", "200"), ("content-type", "application/grpc"))


def trailers(status: str = "0", *more: tuple[str, str]) -> bytes:
    """The header block that ends a call."""
    return fields(("grpc-status", status), *more)


class RawBot:
    """Serves a bot over frames; a subclass overrides `attack`, or whatever it wants to do wrong."""

    #: How many turns it plays before each further one is an attack.
    calm_turns: ClassVar[int] = 2
    #: What its first SETTINGS frame holds.
    settings: ClassVar[bytes] = b""

    peer: socket.socket
    #: The match's stream.
    stream = 0
    turns = 0
    _answered = False

    def attack(self, request: player.PlayRequest) -> None:
        """Do wrong instead of answering a turn."""
        raise NotImplementedError

    def serve(self) -> NoReturn:
        """Serve for ever."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.bind(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:"))
            server.listen()
            while True:
                self.peer, _ = server.accept()
                with self.peer:
                    try:
                        self.talk()
                    except (OSError, EOFError) as gone:
                        print(f"hung up on: {gone}", flush=True)

    def talk(self) -> None:
        """Talk over one connection to its end."""
        self._conversation = Conversation({"claims": Calm})
        self._heard: dict[int, bytes] = {}
        self._take(_PREFACE)
        self.send(frame(SETTINGS, self.settings))
        while True:
            self._obey(*self._take_frame())

    def send(self, *frames: bytes) -> None:
        """Send frames, or any bytes."""
        self.peer.sendall(b"".join(frames))

    def flood(self, *frames: bytes, reading: bool = True) -> NoReturn:
        """Send frames without end, taking in what comes back, or not."""
        block = b"".join(frames)
        block *= max(1, _BLOCK // len(block))
        while True:
            self.peer.sendall(block)
            if reading:
                self._drain()

    def called(self, stream: int) -> None:
        """Take note of a new call."""

    def make_room(self, stream: int, size: int) -> None:
        """Let the arena send as much again as was read."""
        more = number(size)
        self.send(frame(WINDOW_UPDATE, more), frame(WINDOW_UPDATE, more, stream=stream))

    def health(self, stream: int) -> None:
        """Answer the health service: SERVING."""
        self.call_answer(stream, b"\x08\x01")

    def call_answer(self, stream: int, body: bytes) -> None:
        """Answer a call with one message and end it well."""
        self.send(
            frame(HEADERS, HEAD, flags=END_HEADERS, stream=stream),
            frame(DATA, message(body), stream=stream),
            frame(HEADERS, trailers(), flags=END_HEADERS | END_STREAM, stream=stream),
        )

    def begin_answers(self) -> None:
        """Send the match's response headers, once."""
        if not self._answered:
            self._answered = True
            self.send(frame(HEADERS, HEAD, flags=END_HEADERS, stream=self.stream))

    def answer(self, response: player.PlayResponse) -> None:
        """Answer a question of the match."""
        self.begin_answers()
        self.send(frame(DATA, message(response.SerializeToString()), stream=self.stream))

    def honest(self, request: player.PlayRequest) -> player.PlayResponse | None:
        """What a well-behaved bot would answer."""
        return self._conversation.answer(request)

    def _obey(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, flags=ACK))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, payload, flags=ACK))
        elif kind == HEADERS:
            self.called(stream)
        elif kind == DATA and payload:
            self.make_room(stream, len(payload))
            self._heard[stream] = self._heard.get(stream, b"") + payload
            self._listen(stream)

    def _listen(self, stream: int) -> None:
        while len(heard := self._heard[stream]) >= 5:
            size = int.from_bytes(heard[1:5], "big")
            if len(heard) < 5 + size:
                return
            self._heard[stream] = heard[5 + size :]
            if size == 0:
                self.health(stream)
            else:
                self._asked(stream, player.PlayRequest.FromString(heard[5 : 5 + size]))

    def _asked(self, stream: int, request: player.PlayRequest) -> None:
        self.stream = stream
        if request.HasField("your_turn"):
            self.turns += 1
            if self.turns > self.calm_turns:
                print(f"turn {self.turns}: attacking", flush=True)
                self.begin_answers()
                self.attack(request)
                return
        response = self.honest(request)
        if response is not None:
            self.answer(response)

    def _take_frame(self) -> tuple[int, int, int, bytes]:
        head = self._take(9)
        kind, flags, stream = struct.unpack(">BBI", head[3:])
        return kind, flags, stream & 0x7FFFFFFF, self._take(int.from_bytes(head[:3], "big"))

    def _take(self, size: int) -> bytes:
        taken = b""
        while len(taken) < size:
            piece = self.peer.recv(size - len(taken))
            if not piece:
                raise EOFError("the arena closed the connection")
            taken += piece
        return taken

    def _drain(self) -> None:
        try:
            while self.peer.recv(_BLOCK, socket.MSG_DONTWAIT):
                pass
        except BlockingIOError:
            return
        raise EOFError("the arena closed the connection")
