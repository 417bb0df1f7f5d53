"""The gate before every service, in front of a service that does as a test says."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs

from arena.app import accounts
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.caller import Caller as Who
from arena.server.caller import caller
from arena.server.calls import about
from arena.server.interceptor import Gate
from arena.server.metrics import Metrics
from arena.server.refusals import Refused
from arena.server.settings import Settings
from arena.store import NotFound, Role, Store, StoreFull
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc
from tests.integration.server.calling import Caller, QuietConductor, refused


class Scripted(pb_grpc.BotServiceServicer):
    """Answers as a test says, and notes who called."""

    def __init__(self) -> None:
        self.callers: list[Who] = []
        self.does: Callable[[], Any] = lambda: None
        self.running = asyncio.Event()
        self.ended = asyncio.Event()

    async def _do(self) -> None:
        self.callers.append(caller())
        self.running.set()
        try:
            done = self.does()
            if done is not None:
                await done
        finally:
            self.ended.set()

    async def GetBot(self, _: pb.GetBotRequest, _context: Any) -> pb.GetBotResponse:  # noqa: N802
        """For anybody; changes nothing."""
        await self._do()
        return pb.GetBotResponse()

    async def RetireBot(  # noqa: N802
        self, _: pb.RetireBotRequest, _context: Any
    ) -> pb.RetireBotResponse:
        """For authors; changes something."""
        await self._do()
        return pb.RetireBotResponse()

    async def SubmitBot(  # noqa: N802
        self, messages: AsyncIterator[pb.SubmitBotRequest], _: Any
    ) -> pb.SubmitBotResponse:
        """A stream of requests."""
        async for _message in messages:
            await self._do()
        return pb.SubmitBotResponse()

    async def WatchSubmission(  # noqa: N802
        self, _: pb.WatchSubmissionRequest, _context: Any
    ) -> AsyncIterator[pb.WatchSubmissionResponse]:
        """A stream of answers: one, then what the test says, then another one."""
        yield pb.WatchSubmissionResponse()
        await self._do()
        yield pb.WatchSubmissionResponse()


@dataclass
class Guarded:
    """A scripted service behind a gate, and how to call it."""

    store: Store
    service: Scripted
    gate: Gate
    authenticator: Authenticator
    metrics: Metrics
    target: str
    opened: AsyncExitStack
    tokens: dict[str, str] = field(default_factory=dict)

    async def caller(self, token: str | None = None) -> Caller:
        """Somebody with that token."""
        channel = await self.opened.enter_async_context(grpc.aio.insecure_channel(self.target))
        return Caller(channel, token)

    async def __call__(self, name: str) -> Caller:
        return await self.caller(self.tokens[name])

    def audit(self) -> list[tuple[str | None, str, str, str]]:
        """The audit log, the oldest first."""
        return [
            (entry.author, entry.method, entry.target, entry.outcome)
            for entry in reversed(self.store.audit.entries())
        ]

    def counted(self, method: str, code: str) -> float:
        """How many calls the metrics have of that kind."""
        found = self.metrics.registry.get_sample_value(
            "arena_calls_total", {"method": method, "code": code}
        )
        return found or 0.0


@pytest.fixture
async def guarded(store: Store, chosen: dict[str, Any]) -> AsyncIterator[Guarded]:
    """The service with an author ana, another one bo, and the gate's settings as chosen."""
    settings = Settings(**chosen)
    authenticator = Authenticator(store, wrong_per_minute=settings.wrong_tokens_per_minute)
    metrics = Metrics()
    gate = Gate(Arena(store, settings, QuietConductor(store)), authenticator, metrics)
    server = grpc.aio.server(interceptors=[gate])
    service = Scripted()  # type: ignore[abstract]
    pb_grpc.add_BotServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with AsyncExitStack() as opened:
        opened.push_async_callback(server.stop, 0)
        made = Guarded(store, service, gate, authenticator, metrics, f"127.0.0.1:{port}", opened)
        for name in ("ana", "bo"):
            made.tokens[name] = accounts.add_author(store, name, Role.AUTHOR).secret
        yield made


GET, RETIRE = pb.GetBotRequest(name="greedy"), pb.RetireBotRequest(bot="greedy")
WATCH = pb.WatchSubmissionRequest(id="x")


def _raise(error: Exception) -> None:
    raise error


async def test_the_caller_is_known_to_whatever_runs(guarded: Guarded) -> None:
    """In calls of every kind, in threads as well, and to none of another's."""
    seen = []
    guarded.service.does = lambda: asyncio.to_thread(lambda: seen.append(caller().author))
    ana, bo = await guarded("ana"), await guarded("bo")
    await asyncio.gather(
        ana.bots.RetireBot(RETIRE),
        bo.bots.RetireBot(RETIRE),
        ana.bots.SubmitBot(iter([pb.SubmitBotRequest(data=b"x")])),
    )
    assert len([answer async for answer in bo.bots.WatchSubmission(WATCH)]) == 2
    await (await guarded.caller()).bots.GetBot(GET)
    assert sorted(filter(None, seen)) == ["ana", "ana", "bo", "bo"]
    assert seen[-1] is None
    assert {who.role for who in guarded.service.callers} == {Role.AUTHOR, None}
    assert all(who.peer.startswith("ipv4:127.0.0.1") for who in guarded.service.callers)


@pytest.mark.parametrize(
    "metadata",
    [
        [("authorization", "Bearer arena_unknown")],
        [("authorization", "Bearer ")],
        [("authorization", "Basic abc")],
        [("authorization", "")],
        [("authorization", "Bearer a"), ("authorization", "Bearer b")],
    ],
)
async def test_a_token_that_isnt_one_lets_nobody_in(
    guarded: Guarded, metadata: list[tuple[str, str]]
) -> None:
    """Not even where none is needed: whoever sends one means to be somebody."""
    channel = (await guarded.caller()).channel
    with refused(pb.REASON_TOKEN_INVALID):
        await pb_grpc.BotServiceStub(channel).GetBot(GET, metadata=metadata)
    assert guarded.service.callers == []


async def test_a_revoked_token_is_worthless_at_once(guarded: Guarded) -> None:
    """And so is one of an author who was locked out, as soon as this process knows."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    guarded.store.accounts.revoke(guarded.store.accounts.tokens("ana")[0].id)
    guarded.authenticator.forget()
    with refused(pb.REASON_TOKEN_INVALID):
        await ana.bots.RetireBot(RETIRE)


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


async def test_another_process_revokes_within_a_second_or_so(guarded: Guarded) -> None:
    """Nobody tells the gate of it."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    guarded.store.accounts.update_author("ana", locked=True)
    await asyncio.sleep(1.1)
    with refused(pb.REASON_TOKEN_INVALID):
        await ana.bots.RetireBot(RETIRE)


async def test_what_a_service_raises_becomes_a_status(guarded: Guarded) -> None:
    """A refusal as it is, a room's error by its family; also in the middle of a stream."""
    ana = await guarded("ana")
    guarded.service.does = lambda: _raise(Refused(pb.REASON_WRONG_STATE, "not now", again_in=3))
    with refused(pb.REASON_WRONG_STATE) as told:
        await ana.bots.RetireBot(RETIRE)
    assert (str(told), told.again_in) == ("not now", 3)
    guarded.service.does = lambda: _raise(NotFound("there is no bot 'greedy'"))
    with refused(pb.REASON_NOT_FOUND) as told:
        await ana.bots.GetBot(GET)
    assert (str(told), told.again_in) == ("there is no bot 'greedy'", None)
    answers = []
    with refused(pb.REASON_NOT_FOUND):
        async for answer in ana.bots.WatchSubmission(WATCH):
            answers.append(answer)  # noqa: PERF401 - what came before the error counts
    assert len(answers) == 1


async def test_a_defect_is_in_the_log_and_not_in_the_answer(guarded: Guarded) -> None:
    """Under an id that the answer names; what isn't available as well, without a traceback."""
    ana = await guarded("ana")
    with capture_logs() as logs:
        guarded.service.does = lambda: _raise(ZeroDivisionError("secret"))
        with refused(pb.REASON_INTERNAL) as defect:
            await ana.bots.GetBot(GET)
        guarded.service.does = lambda: _raise(StoreFull("/secret is full"))
        with refused(pb.REASON_UNAVAILABLE) as away:
            await ana.bots.GetBot(GET)
    assert "secret" not in str(defect) + str(away)
    assert away.again_in is not None
    told = [entry for entry in logs if entry["event"] in {"defect", "unavailable"}]
    assert isinstance(told[0]["exc_info"], ZeroDivisionError)
    assert told[1]["why"] == "/secret is full"


async def test_a_call_that_was_given_up_is_no_error(guarded: Guarded) -> None:
    """What runs for it ends, and it is counted as what it was."""
    ana = await guarded("ana")
    guarded.service.does = lambda: asyncio.sleep(60)
    with capture_logs() as logs:
        call = ana.bots.RetireBot(RETIRE)
        await guarded.service.running.wait()
        call.cancel()
        await asyncio.wait_for(guarded.service.ended.wait(), 30)
        await _until(lambda: guarded.counted("BotService/RetireBot", "CANCELLED") == 1)
        await _until(lambda: guarded.audit() != [])
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
    await _until(lambda: not guarded.gate._open._open)
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
    await call


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


@pytest.mark.parametrize(
    "chosen",
    [
        {
            "calls_at_once": 3,
            "calls_per_second": 0.01,
            "spectator_calls_at_once": 2,
            "spectator_calls_per_second": 0.01,
        }
    ],
)
async def test_too_many_calls_are_told_when_to_come_again(guarded: Guarded) -> None:
    """By author, over all connections, and without a token by address; others' calls go on."""
    for _ in range(3):
        await (await guarded("ana")).bots.GetBot(GET)
    with refused(pb.REASON_RATE_LIMITED) as told:
        await (await guarded("ana")).bots.GetBot(GET)
    assert told.again_in is not None
    assert 90 < told.again_in <= 100
    await (await guarded("bo")).bots.GetBot(GET)
    for _ in range(2):
        await (await guarded.caller()).bots.GetBot(GET)
    with refused(pb.REASON_RATE_LIMITED):
        await (await guarded.caller()).bots.GetBot(GET)


@pytest.mark.parametrize("chosen", [{"calls_at_once": 6, "calls_per_second": 0.01}])
async def test_what_costs_more_counts_for_more(guarded: Guarded) -> None:
    """An upload is five calls."""
    ana = await guarded("ana")
    await ana.bots.SubmitBot(iter([]))
    await ana.bots.GetBot(GET)
    with refused(pb.REASON_RATE_LIMITED):
        await ana.bots.GetBot(GET)


@pytest.mark.parametrize("chosen", [{"wrong_tokens_per_minute": 3}])
async def test_whoever_tries_tokens_is_slowed_down(guarded: Guarded) -> None:
    """By address; a token that was known before still works there."""
    await (await guarded("ana")).bots.GetBot(GET)
    for number in range(3):
        with refused(pb.REASON_TOKEN_INVALID):
            await (await guarded.caller(f"arena_{number}")).bots.GetBot(GET)
    with refused(pb.REASON_RATE_LIMITED) as told:
        await (await guarded.caller("arena_4")).bots.GetBot(GET)
    assert told.again_in is not None
    guarded.authenticator.forget()
    await (await guarded("ana")).bots.GetBot(GET)


@pytest.mark.parametrize("chosen", [{"wrong_tokens_per_minute": 3}])
async def test_what_is_no_token_is_counted_as_a_wrong_one(guarded: Guarded) -> None:
    """Else it could be sent, and would be audited, as often as somebody likes."""
    stub = pb_grpc.BotServiceStub((await guarded.caller()).channel)
    for reason in [pb.REASON_TOKEN_INVALID] * 3 + [pb.REASON_RATE_LIMITED] * 5:
        with refused(reason):
            await stub.RetireBot(RETIRE, metadata=[("authorization", "Basic abc")])
    assert len(guarded.audit()) == 3


@pytest.mark.parametrize("chosen", [{"wrong_tokens_per_minute": 3}])
async def test_many_wrong_tokens_at_once_are_no_way_around_that(guarded: Guarded) -> None:
    """Few are looked up; one that was known before works meanwhile."""
    known, peer = guarded.authenticator, "ipv4:192.0.2.1:4711"
    mine = [("authorization", f"Bearer {guarded.tokens['ana']}")]
    await known.caller(mine, peer)
    known.forget()
    wrong = [known.caller([("authorization", f"Bearer arena_{n}")], peer) for n in range(100)]
    *refusals, ana = await asyncio.gather(*wrong, known.caller(mine, peer), return_exceptions=True)
    assert isinstance(ana, Who)
    told = Counter(one.reason for one in refusals if isinstance(one, Refused))
    assert told[pb.REASON_TOKEN_INVALID] + told[pb.REASON_RATE_LIMITED] == 100
    assert 3 <= told[pb.REASON_TOKEN_INVALID] <= 7


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


async def test_changes_are_audited_whatever_came_of_them(guarded: Guarded) -> None:
    """Done, refused by the service, by the role, or for want of a token; looking is not."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    guarded.service.does = lambda: _raise(NotFound("no"))
    with refused(pb.REASON_NOT_FOUND):
        await ana.bots.RetireBot(pb.RetireBotRequest(bot="theirs"))
    with refused(pb.REASON_TOKEN_MISSING):
        await (await guarded.caller()).bots.RetireBot(RETIRE)
    with refused(pb.REASON_NOT_FOUND):
        await ana.bots.GetBot(GET)
    assert guarded.audit() == [
        ("ana", "BotService/RetireBot", "greedy", "OK"),
        ("ana", "BotService/RetireBot", "theirs", "NOT_FOUND NOT_FOUND"),
        (None, "BotService/RetireBot", "greedy", "UNAUTHENTICATED TOKEN_MISSING"),
    ]
    entry = guarded.store.audit.entries()[-1]
    assert entry.token == guarded.store.accounts.tokens("ana")[0].id
    assert entry.peer.startswith("ipv4:127.0.0.1:")


async def test_a_service_says_what_a_stream_is_about(guarded: Guarded) -> None:
    """Since its first message alone may not tell."""
    guarded.service.does = lambda: about("greedy:3")
    await (await guarded("ana")).bots.SubmitBot(iter([pb.SubmitBotRequest(data=b"x")]))
    assert guarded.audit() == [("ana", "BotService/SubmitBot", "greedy:3", "OK")]


@pytest.mark.parametrize("chosen", [{"calls_at_once": 1, "calls_per_second": 0.01}])
async def test_whoever_is_slowed_down_does_not_fill_the_audit_log(guarded: Guarded) -> None:
    """One entry for the call that was let through."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    for _ in range(5):
        with refused(pb.REASON_RATE_LIMITED):
            await ana.bots.RetireBot(RETIRE)
    assert len(guarded.audit()) == 1


async def test_calls_are_counted(guarded: Guarded) -> None:
    """By method and status, with how long they took."""
    ana = await guarded("ana")
    await ana.bots.GetBot(GET)
    guarded.service.does = lambda: _raise(NotFound("no"))
    for _ in range(2):
        with refused(pb.REASON_NOT_FOUND):
            await ana.bots.GetBot(GET)
    assert guarded.counted("BotService/GetBot", "OK") == 1
    assert guarded.counted("BotService/GetBot", "NOT_FOUND") == 2
    seconds = guarded.metrics.registry.get_sample_value(
        "arena_call_seconds_count", {"method": "BotService/GetBot"}
    )
    assert seconds == 3


@pytest.mark.parametrize("chosen", [{"spectators": False}])
async def test_spectators_can_be_kept_out(guarded: Guarded) -> None:
    """An author gets in."""
    with refused(pb.REASON_TOKEN_MISSING):
        await (await guarded.caller()).bots.GetBot(GET)
    await (await guarded("ana")).bots.GetBot(GET)


async def test_the_database_away_is_told_as_that(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it goes before the caller is known, and a change that can't be audited is done."""
    ana = await guarded("ana")
    await ana.bots.GetBot(GET)

    def away(*_: object) -> None:
        raise StoreFull("full")

    monkeypatch.setattr(guarded.store.audit, "add", away)
    with capture_logs() as logs:
        await ana.bots.RetireBot(RETIRE)
    assert "not audited" in json.dumps(logs)
    monkeypatch.setattr(guarded.store.accounts, "known", away)
    with refused(pb.REASON_UNAVAILABLE):
        await (await guarded("bo")).bots.GetBot(GET)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - it happens elsewhere
            await asyncio.sleep(0.02)
