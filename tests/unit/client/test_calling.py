"""Calls to servers that are away, slow, or refuse; and to what is no arena at all."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from arena.app.errors import ArenaError, WrongCall
from arena.client.calling import TRIES, Away, Connection, Unreachable
from arena.client.finding import Server
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

#: What a service does in its n-th call, from 1, before it answers.
Script = Callable[[int, grpc.ServicerContext], None]


class Bots(pb_grpc.BotServiceServicer):
    """Does as a test says, and keeps what it was asked."""

    def __init__(self) -> None:
        self.script: Script = lambda *_: None
        self.asked: list[Any] = []
        self.metadata: list[dict[str, Any]] = []

    def _called(self, message: Any, context: grpc.ServicerContext) -> None:
        self.asked.append(message)
        self.metadata.append(dict(context.invocation_metadata()))
        self.script(len(self.asked), context)

    def RetireBot(  # noqa: N802 - as the protocol has it
        self, message: pb.RetireBotRequest, context: Any
    ) -> pb.RetireBotResponse:
        self._called(message, context)
        return pb.RetireBotResponse(bot=pb.BotSummary(name=message.bot))

    def ListBots(  # noqa: N802
        self, message: pb.ListBotsRequest, context: Any
    ) -> pb.ListBotsResponse:
        self._called(message, context)
        page = int(message.page_token or 0)
        told = [pb.BotSummary(name=f"bot{page}")]
        return pb.ListBotsResponse(bots=told, next_page_token="" if page == 2 else str(page + 1))


def refusing(
    reason: str, code: grpc.StatusCode, *, times: int = 100, again_in: int | None = None
) -> Script:
    """Refuse the first calls as an arena does."""

    def script(call: int, context: grpc.ServicerContext) -> None:
        if call > times:
            return
        told = Status(code=code.value[0], message="because of this")
        told.details.add().Pack(ErrorInfo(reason=reason, domain="claim-arena"))
        if again_in is not None:
            retry = RetryInfo()
            retry.retry_delay.FromSeconds(again_in)
            told.details.add().Pack(retry)
        context.abort_with_status(rpc_status.to_status(told))

    return script


@pytest.fixture
def bots() -> Bots:
    """A service."""
    return Bots()  # type: ignore[abstract] # what it lacks is unimplemented


@pytest.fixture
def pauses() -> list[float]:
    """How long the connection waited between tries."""
    return []


@pytest.fixture
def connection(bots: Bots, pauses: list[float]) -> Iterator[Connection]:
    """A connection to it, with a token, which waits for nothing."""
    with ExitStack() as ending:
        pool = ending.enter_context(ThreadPoolExecutor(4))
        server = grpc.server(pool)
        pb_grpc.add_BotServiceServicer_to_server(bots, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        ending.callback(lambda: server.stop(0).wait())
        called = Server("127.0.0.1", port, "arena_secret")
        yield ending.enter_context(Connection(called, sleep=pauses.append))


def test_a_change_is_tried_again_under_one_id(
    connection: Connection, bots: Bots, pauses: list[float]
) -> None:
    """With growing pauses, or as long as the server says; each try shows the token."""
    bots.script = refusing("DRAINING", grpc.StatusCode.UNAVAILABLE, times=3)
    answer = connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert answer.bot.name == "mine"
    assert len(bots.asked) == 4
    (id_,) = {message.request_id for message in bots.asked}
    assert len(id_) == 32
    assert pauses == [0.2, 0.4, 0.8]
    assert {told["authorization"] for told in bots.metadata} == {"Bearer arena_secret"}
    connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert bots.asked[-1].request_id != id_
    pauses.clear()
    bots.asked.clear()
    bots.script = refusing("DRAINING", grpc.StatusCode.UNAVAILABLE, times=1, again_in=5)
    connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert pauses == [5]


def test_a_server_that_stays_away_is_given_up(connection: Connection, bots: Bots) -> None:
    """After a few tries, in its own words."""
    bots.script = refusing("UNAVAILABLE", grpc.StatusCode.UNAVAILABLE)
    with pytest.raises(Away, match="because of this"):
        connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert len(bots.asked) == TRIES


@pytest.mark.parametrize(
    ("reason", "code", "kind"),
    [
        ("INVALID", grpc.StatusCode.INVALID_ARGUMENT, WrongCall),
        ("NOT_FOUND", grpc.StatusCode.NOT_FOUND, ArenaError),
        ("WRONG_STATE", grpc.StatusCode.FAILED_PRECONDITION, ArenaError),
        ("TOKEN_INVALID", grpc.StatusCode.UNAUTHENTICATED, ArenaError),
        ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED, ArenaError),
        ("INTERNAL", grpc.StatusCode.INTERNAL, ArenaError),
        ("SOMETHING_NEW", grpc.StatusCode.ABORTED, ArenaError),
    ],
)
def test_what_is_refused_is_not_tried_again(
    connection: Connection, bots: Bots, reason: str, code: grpc.StatusCode, kind: type[Exception]
) -> None:
    """It is raised in the server's own words; what was asked wrongly is a wrong call."""
    bots.script = refusing(reason, code)
    with pytest.raises(ArenaError, match="because of this") as caught:
        connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert type(caught.value) is kind
    assert len(bots.asked) == 1


def test_a_list_has_all_pages_and_waits_where_they_are_too_many(
    connection: Connection, bots: Bots, pauses: list[float]
) -> None:
    """As long as the server says."""
    bots.script = lambda call, context: (
        refusing("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED, again_in=3)(call, context)
        if call == 2
        else None
    )
    asked = pb.ListBotsRequest(page_size=1)
    found = connection.pages(connection.bots.ListBots, asked, lambda page: page.bots)
    assert [bot.name for bot in found] == ["bot0", "bot1", "bot2"]
    assert pauses == [3]


def test_a_service_that_fails_without_a_reason_is_told_with_its_address(
    connection: Connection, bots: Bots
) -> None:
    """It may be no arena's."""

    def script(_: int, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.INTERNAL, "no idea")

    bots.script = script
    with pytest.raises(ArenaError, match=r"127\.0\.0\.1:\d+ failed: no idea \(INTERNAL\)"):
        connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    with pytest.raises(ArenaError, match="UNIMPLEMENTED"):
        connection.call(connection.admin.GetStatus, pb.GetStatusRequest())


def test_nobody_there_is_said() -> None:
    """With what may be wrong: the address, or TLS."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    with (
        Connection(Server("127.0.0.1", port), sleep=lambda _: None) as connection,
        pytest.raises(Unreachable, match="no arena answers at 127"),
    ):
        connection.call(connection.admin.GetStatus, pb.GetStatusRequest())


def test_a_server_without_tls_is_not_spoken_to_in_the_clear(bots: Bots) -> None:
    """If certificates are known for it, no token leaves this machine before TLS is agreed on."""
    with ExitStack() as ending:
        server = grpc.server(ending.enter_context(ThreadPoolExecutor(1)))
        pb_grpc.add_BotServiceServicer_to_server(bots, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        ending.callback(lambda: server.stop(0).wait())
        known = Server("127.0.0.1", port, "arena_secret", certificates=b"none that would do")
        connection = ending.enter_context(Connection(known, sleep=lambda _: None))
        with pytest.raises(Unreachable):
            connection.call(connection.bots.RetireBot, pb.RetireBotRequest(bot="mine"))
    assert bots.asked == []
