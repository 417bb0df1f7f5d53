"""Calls to a server: with a token and a deadline, again where that may help, and errors as ours."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from grpc_status import rpc_status

from arena.app.errors import ArenaError, WrongCall
from arena.client.finding import Server
from arenabot.v1 import arena_pb2_grpc as pb_grpc

T = TypeVar("T")
M = TypeVar("M", bound=Message)

DEADLINE: Final = 60.0
"""Seconds for one try of a call."""

TRIES: Final = 5
FIRST_PAUSE: Final = 0.2
"""How often a call is tried if the server is not there, and how long the first pause is; each
other one is twice as long, or as long as the server says."""

LONGEST_PAUSE: Final = 10.0

PAGE: Final = 500
"""Things on one page of a list: as many as a server gives."""

_LARGEST: Final = 16 << 20
"""Bytes of the largest message that is read: whoever we talk to might be anybody."""

_AGAIN: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


class Unreachable(ArenaError):
    """No server answers there."""


class Away(ArenaError):
    """The server is not there just now, or is being stopped: trying again may help."""

    def __init__(self, sentence: str, again_in: float | None) -> None:
        """`again_in`: after how many seconds, if the server said so."""
        super().__init__(sentence)
        self.again_in = again_in


class TooMany(ArenaError):
    """Too many calls for now."""

    def __init__(self, sentence: str, again_in: float) -> None:
        """`again_in`: after how many seconds there may be more."""
        super().__init__(sentence)
        self.again_in = again_in


class Connection:
    """A connection to a server, with a stub for each of its services.

    Whatever goes wrong is raised as an ArenaError whose text is the server's own sentence.
    """

    def __init__(self, server: Server, *, sleep: Callable[[float], None] = time.sleep) -> None:
        """Connect with the first call; `sleep` is what waits between two tries."""
        self.server = server
        self._sleep = sleep
        options = [
            ("grpc.enable_http_proxy", 0 if server.here else 1),
            ("grpc.max_receive_message_length", _LARGEST),
        ]
        if server.tls:
            known = grpc.ssl_channel_credentials(server.certificates)
            self._channel = grpc.secure_channel(server.address, known, options)
        else:
            self._channel = grpc.insecure_channel(server.address, options)
        self._metadata = [("authorization", f"Bearer {server.token}")] if server.token else []
        self.bots = pb_grpc.BotServiceStub(self._channel)
        self.tournaments = pb_grpc.TournamentServiceStub(self._channel)
        self.rankings = pb_grpc.RankingServiceStub(self._channel)
        self.replays = pb_grpc.ReplayServiceStub(self._channel)
        self.admin = pb_grpc.AdminServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channel.close()

    def call(self, method: Callable[..., Any], message: Message) -> Any:
        """Make a call that has one answer.

        If the server is away it is tried again, with the same request id if the message has one:
        so a change is made once, however often it was tried.
        """
        identify(message)
        return self.again(lambda: method(message, timeout=DEADLINE, metadata=self._metadata))

    def send(
        self, method: Callable[..., Any], messages: Callable[[], Iterable[Message]], seconds: float
    ) -> Any:
        """Send a stream and get its one answer; `messages` makes the stream anew for each try."""
        return self.again(
            lambda: method(iter(messages()), timeout=seconds, metadata=self._metadata)
        )

    def stream(
        self, method: Callable[..., Any], message: Message, *, seconds: float | None = None
    ) -> Iterator[Any]:
        """Make a call whose answers come in a stream, for at most so many seconds; not again.

        Closing the iterator ends the call.
        """
        with self._told():
            call = method(message, timeout=seconds, metadata=self._metadata)
            try:
                yield from call
            finally:
                call.cancel()

    def pages(
        self, method: Callable[..., Any], message: Message, of: Callable[[Any], Iterable[M]]
    ) -> Iterator[M]:
        """All things on all pages of a list; `of` takes those of one page."""
        while True:
            page = self._page(method, message)
            yield from of(page)
            if not page.next_page_token:
                return
            message.page_token = page.next_page_token  # type: ignore[attr-defined]

    def _page(self, method: Callable[..., Any], message: Message) -> Any:
        """One page; many of them can be more than one may ask for at once."""
        while True:
            try:
                return self.call(method, message)
            except TooMany as error:
                self._sleep(error.again_in)

    def again(self, work: Callable[[], T]) -> T:
        """Do something, again while the server is away."""
        for tried in range(TRIES - 1):
            try:
                with self._told():
                    return work()
            except (Away, Unreachable) as error:
                self.pause(tried, error)
        with self._told():
            return work()

    def pause(self, tried: int, error: ArenaError) -> None:
        """Wait before the next try, after so many others."""
        told = error.again_in if isinstance(error, Away) else None
        self._sleep(min(LONGEST_PAUSE, max(FIRST_PAUSE * 2**tried, told or 0)))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise what a call is refused with as one of ours."""
        try:
            yield
        except grpc.RpcError as error:
            raise _as_ours(error, self.server) from None


def identify(message: Message) -> Message:
    """Give a request an id, if it takes one and has none."""
    if "request_id" in message.DESCRIPTOR.fields_by_name and not message.request_id:  # type: ignore[attr-defined]
        message.request_id = secrets.token_hex(16)  # type: ignore[attr-defined]
    return message


def _as_ours(error: Any, server: Server) -> ArenaError:
    reason, again_in = _details(error)
    sentence = error.details() or "the server gave no reason"
    if not reason:
        return _without_reason(error, server, sentence)
    if error.code() in _AGAIN:
        return Away(sentence, again_in)
    if reason == "RATE_LIMITED" and again_in is not None:
        return TooMany(sentence, again_in)
    if reason in {"INVALID", "REQUEST_ID_REUSED"}:
        return WrongCall(sentence)
    return ArenaError(sentence)


def _without_reason(error: Any, server: Server, sentence: str) -> ArenaError:
    """What did not come from an arena's service, but from the way there."""
    where = server.address
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Away(f"the server at {where} did not answer in time: try again", None)
    if error.code() is not grpc.StatusCode.UNAVAILABLE:
        return ArenaError(f"the server at {where} failed: {sentence} ({error.code().name})")
    if any(word in sentence for word in ("SSL", "TLS", "andshake", "ertificate", "CERTIFICATE")):
        return Unreachable(
            f"no secure connection to {where}: is it an arena's gRPC address, and does "
            "`arena login --ca-file` name who vouches for it?"
        )
    return Unreachable(
        f"no arena answers at {where}: is the address right, and the server running?"
    )


def _details(error: Any) -> tuple[str, float | None]:
    """The reason and the pause that an error's details tell."""
    reason, again_in = "", None
    try:
        status = rpc_status.from_call(error)
    except ValueError:  # details that contradict the status: not from an arena
        status = None
    for detail in [] if status is None else status.details:
        info, retry = ErrorInfo(), RetryInfo()
        if detail.Unpack(info):
            reason = str(info.reason)
        elif detail.Unpack(retry):
            again_in = retry.retry_delay.ToNanoseconds() / 1e9
    return reason, again_in
