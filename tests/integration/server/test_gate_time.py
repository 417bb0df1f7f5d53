"""The gate before every service: calls that go on, are given up, or take too long."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from structlog.testing import capture_logs

from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import refused
from tests.integration.server.guarded import GET, RETIRE, WATCH, Guarded, guarded, until

__all__ = ["guarded"]


@pytest.mark.parametrize("how", ["token revoked", "author locked out"])
async def test_who_is_let_in_no_more_watches_no_more(guarded: Guarded, how: str) -> None:
    """A watch that began before tells nothing of what happens afterwards; another's goes on."""
    accounts_, go_on = guarded.store.accounts, asyncio.Event()
    guarded.service.does = go_on.wait
    calls = [(await guarded(name)).bots.WatchSubmission(WATCH) for name in ("ana", "bo")]
    for call in calls:
        assert await call.read() is not grpc.aio.EOF
    if how == "token revoked":
        accounts_.revoke(accounts_.tokens("ana")[0].id)
    else:
        accounts_.update_author("ana", locked=True)
    guarded.authenticator.forget()
    go_on.set()
    with refused(pb.REASON_TOKEN_INVALID):
        await calls[0].read()
    assert await calls[1].read() is not grpc.aio.EOF


async def test_a_call_that_was_given_up_is_no_error(guarded: Guarded) -> None:
    """What runs for it ends, and it is counted as what it was."""
    ana = await guarded("ana")
    guarded.service.does = lambda: asyncio.sleep(60)
    with capture_logs() as logs:
        call = ana.bots.RetireBot(RETIRE)
        await guarded.service.running.wait()
        call.cancel()
        await asyncio.wait_for(guarded.service.ended.wait(), 30)
        await until(lambda: guarded.counted("BotService/RetireBot", "CANCELLED") == 1)
        await until(lambda: guarded.audit() != [])
    assert guarded.audit() == [("ana", "BotService/RetireBot", "greedy", "CANCELLED")]
    assert {entry["log_level"] for entry in logs} <= {"info", "debug"}


async def test_a_stream_that_was_given_up_ends(guarded: Guarded) -> None:
    """And makes room for another one."""
    ana = await guarded("ana")
    guarded.service.does = lambda: asyncio.sleep(60)
    call = ana.bots.WatchSubmission(WATCH)
    await guarded.service.running.wait()
    call.cancel()
    await asyncio.wait_for(guarded.service.ended.wait(), 30)
    await until(lambda: not guarded.gate._open._open)
    assert not guarded.gate._watches


async def test_watches_end_when_the_server_stops(guarded: Guarded) -> None:
    """Their watchers are told to come again, and so is whoever calls now."""
    ana = await guarded("ana")
    guarded.service.does = lambda: asyncio.sleep(60)
    with refused(pb.REASON_DRAINING) as told:
        async for _ in ana.bots.WatchSubmission(WATCH):
            await guarded.service.running.wait()
            guarded.gate.end_watches()
    assert told.again_in is not None
    with refused(pb.REASON_DRAINING):
        await ana.bots.GetBot(GET)


async def test_other_calls_go_on_when_the_server_stops(guarded: Guarded) -> None:
    """Those that end by themselves."""
    ana = await guarded("ana")
    go_on = asyncio.Event()
    guarded.service.does = go_on.wait
    call = ana.bots.RetireBot(RETIRE)
    await guarded.service.running.wait()
    guarded.gate.end_watches()
    go_on.set()
    assert await call == pb.RetireBotResponse()


@pytest.mark.parametrize("chosen", [{"call_seconds": 0.2, "upload_seconds": 0.3}])
async def test_a_call_has_its_time(guarded: Guarded) -> None:
    """Whole ones and uploads; a stream of answers may take as long as it takes."""
    ana = await guarded("ana")
    guarded.service.does = lambda: asyncio.sleep(60)
    with refused(pb.REASON_UNAVAILABLE) as told:
        await ana.bots.GetBot(GET)
    assert "0.2 seconds" in str(told)
    with refused(pb.REASON_UNAVAILABLE) as told:
        await ana.bots.SubmitBot(iter([pb.SubmitBotRequest(data=b"x")]))
    assert "0.3 seconds" in str(told)
    guarded.service.does = lambda: asyncio.sleep(0.5)
    assert len([answer async for answer in ana.bots.WatchSubmission(WATCH)]) == 2


@pytest.mark.parametrize("chosen", [{"streams_at_once": 2}])
async def test_streams_are_counted_while_they_are_open(guarded: Guarded) -> None:
    """One too many is refused; single calls and others' streams go on."""
    ana, bo = await guarded("ana"), await guarded("bo")
    guarded.service.does = lambda: asyncio.sleep(60)
    calls = [ana.bots.WatchSubmission(WATCH) for _ in range(2)]
    for call in calls:
        await call.read()
    with refused(pb.REASON_RATE_LIMITED):
        await ana.bots.WatchSubmission(WATCH).read()
    other = bo.bots.WatchSubmission(WATCH)
    assert await other.read() is not grpc.aio.EOF
    guarded.service.does = lambda: None
    await ana.bots.GetBot(GET)
    for call in [*calls, other]:
        call.cancel()


@pytest.mark.parametrize("chosen", [{"unread_seconds": 0.3, "streams_at_once": 1}])
async def test_an_answer_that_nobody_reads_is_let_go_of(guarded: Guarded) -> None:
    """It counts as open until its caller reads on, and is told why there is no more."""
    ana = await guarded("ana")
    guarded.service.more = 5000
    call = ana.bots.WatchSubmission(WATCH)
    await call.read()
    async with asyncio.timeout(60):
        await guarded.service.closed.wait()
    with refused(pb.REASON_RATE_LIMITED):
        await ana.bots.WatchSubmission(WATCH).read()
    with refused(pb.REASON_UNAVAILABLE) as told:
        while await call.read() is not grpc.aio.EOF:
            pass
    assert "nobody has read on" in str(told)
    assert [answer async for answer in (await guarded("bo")).bots.WatchSubmission(WATCH)] != []
