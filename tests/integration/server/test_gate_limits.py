"""The gate before every service: who calls too often."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from arena.server.caller import Caller as Who
from arena.server.refusals import Refused
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc
from tests.integration.server.calling import refused
from tests.integration.server.guarded import GET, RETIRE, Guarded, guarded

__all__ = ["guarded"]


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


@pytest.mark.parametrize("chosen", [{"calls_at_once": 1, "calls_per_second": 0.01}])
async def test_whoever_is_slowed_down_does_not_fill_the_audit_log(guarded: Guarded) -> None:
    """One entry for the call that was let through."""
    ana = await guarded("ana")
    await ana.bots.RetireBot(RETIRE)
    for _ in range(5):
        with refused(pb.REASON_RATE_LIMITED):
            await ana.bots.RetireBot(RETIRE)
    assert len(guarded.audit()) == 1
