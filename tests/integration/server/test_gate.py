"""The gate before every service: who calls, what goes wrong, what is written down."""

from __future__ import annotations

import asyncio
import json

import pytest
from structlog.testing import capture_logs

from arena.server.caller import caller
from arena.server.calls import about
from arena.server.refusals import Refused
from arena.store import NotFound, Role, StoreFull
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc
from tests.integration.server.calling import refused
from tests.integration.server.guarded import GET, RETIRE, WATCH, Guarded, fail, guarded

__all__ = ["guarded"]


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
    guarded.service.does = lambda: fail(Refused(pb.REASON_WRONG_STATE, "not now", again_in=3))
    with refused(pb.REASON_WRONG_STATE) as told:
        await ana.bots.RetireBot(RETIRE)
    assert (str(told), told.again_in) == ("not now", 3)
    guarded.service.does = lambda: fail(NotFound("there is no bot 'greedy'"))
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
        guarded.service.does = lambda: fail(ZeroDivisionError("secret"))
        with refused(pb.REASON_INTERNAL) as defect:
            await ana.bots.GetBot(GET)
        guarded.service.does = lambda: fail(StoreFull("/secret is full"))
        with refused(pb.REASON_UNAVAILABLE) as away:
            await ana.bots.GetBot(GET)
    assert "secret" not in str(defect) + str(away)
    assert away.again_in is not None
    told = [entry for entry in logs if entry["event"] in {"defect", "unavailable"}]
    assert isinstance(told[0]["exc_info"], ZeroDivisionError)
    assert told[1]["why"] == "/secret is full"


async def test_changes_are_audited_whatever_came_of_them(guarded: Guarded) -> None:
    """Done, refused by the service, by the role, or for want of a token; looking is not."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    guarded.service.does = lambda: fail(NotFound("no"))
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


async def test_calls_are_counted(guarded: Guarded) -> None:
    """By method and status, with how long they took."""
    ana = await guarded("ana")
    await ana.bots.GetBot(GET)
    guarded.service.does = lambda: fail(NotFound("no"))
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
