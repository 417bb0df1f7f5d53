"""What a remote player makes of a bot that talks gRPC, but not our protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.match.faults import FaultKind, MatchVoid, PlayerFault, PlayerGone
from arena.players.channel import MAX_ANSWER
from arena.players.remote import RemotePlayer
from arena.players.stream import MAX_UNASKED
from arenabot import CLAIM
from arenabot.events import MatchReason, Result
from tests.contract.players.conftest import Table, info
from tests.contract.players.hostile import (
    Play,
    Requests,
    claim,
    honest,
    listening,
    playing,
    questions,
    ready,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 5.0
SHORT = 0.15


@pytest.fixture
def servers_here() -> bool:
    """They do."""
    return True


async def match(player: RemotePlayer, table: Table, turns: int) -> None:
    """Start, and ask for so many turns."""
    await player.start("m", info(), LONG)
    for _ in range(turns):
        await player.turn(table.news(), table.prompt, LONG)


async def gone(play: Play | None, *, turns: int = 1) -> PlayerGone:
    """How a player is lost within its first turns, or already in its start: that is a race."""
    table = Table()
    async with listening(play) as (address, _):
        player = RemotePlayer(address)
        with pytest.raises(PlayerGone) as caught:
            await match(player, table, turns)
        # Once gone, it stays so, at once and for the same reason.
        with pytest.raises(PlayerGone) as again:
            await player.turn(table.news(), table.prompt, LONG)
        await player.close()
    assert (again.value.kind, again.value.detail) == (caught.value.kind, caught.value.detail)
    return caught.value


# --- dropped: the wrong answers at the wrong time


async def test_an_answer_with_a_wrong_number_is_dropped() -> None:
    """Numbers of old, later or no questions: the turn ends by its timer."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            for seq in (0, request.seq - 1, request.seq + 1, 2**32 - 1):
                yield claim(seq)

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        with pytest.raises(PlayerFault) as caught:
            await player.turn(table.news(), table.prompt, SHORT)
    assert not isinstance(caught.value, PlayerGone)
    assert (caught.value.kind, caught.value.seconds) == (FaultKind.TIMEOUT, SHORT)


async def test_an_answer_that_comes_before_its_question_is_dropped() -> None:
    """A bot cannot answer a turn that has not begun."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in requests:
            yield claim(request.seq + 1)

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        await asyncio.sleep(0.05)
        with pytest.raises(PlayerFault, match="no answer"):
            await player.turn(table.news(), table.prompt, SHORT)


async def test_of_two_answers_the_first_one_counts() -> None:
    """The second one is not taken for the next turn's."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)
            yield ready(request.seq)

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        for _ in range(3):
            assert (await player.turn(table.news(), table.prompt, LONG)).action == CLAIM


async def test_late_answers_are_never_taken_for_later_turns() -> None:
    """However many they are: a slow bot owes us those, and is not hung up on for them."""
    owed = MAX_UNASKED + 10

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        seqs: list[int] = []
        async for request in questions(requests):
            seqs.append(request.seq)
            if len(seqs) > owed:
                for seq in seqs[:-1]:
                    yield ready(seq)
                yield claim(request.seq)
                seqs.clear()

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        for _ in range(owed):
            with pytest.raises(PlayerFault, match="no answer"):
                await player.turn(table.news(), table.prompt, 0.005)
        assert (await player.turn(table.news(), table.prompt, LONG)).action == CLAIM


async def test_silence_is_a_timeout_each_time() -> None:
    """The seat is asked again, as the rules want it."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in requests:
            if request.seq == 0:
                yield b""

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        for _ in range(3):
            with pytest.raises(PlayerFault) as caught:
                await player.turn(table.news(), table.prompt, SHORT)
            assert caught.value.kind is FaultKind.TIMEOUT
        assert await player.ready(table.news(), SHORT) == SHORT


# --- malformed: the right number, but no answer to this question


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (b"", "neither an action nor ready"),
        (b"\x12\x00", "does not say where it draws from"),
        (b"\x12\x05\x0a\x01\x7f\x10\x01", "a card with an unknown number"),
        (b"\x22\x00", "answered a turn with ready"),
        (b"\x9a\x06\x03abc", "neither an action nor ready"),
    ],
    ids=["empty", "half a burn", "card 127", "ready", "an unknown field"],
)
async def test_an_answer_that_says_nothing_is_malformed(answer: bytes, detail: str) -> None:
    """One fault with its reason, and the time that the answer took; the seat is asked again."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield ready(request.seq)[:2] + answer

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        for _ in range(2):
            with pytest.raises(PlayerFault, match=detail) as caught:
                await player.turn(table.news(), table.prompt, LONG)
            assert not isinstance(caught.value, PlayerGone)
            assert caught.value.kind is FaultKind.MALFORMED
            assert 0 < caught.value.seconds < LONG


async def test_an_action_is_no_answer_to_a_ready_check() -> None:
    """It is malformed, as ready is for a turn."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        with pytest.raises(PlayerFault, match="a ready check with an action") as caught:
            await player.ready(table.news(), LONG)
        assert not isinstance(caught.value, PlayerGone)
        assert caught.value.kind is FaultKind.MALFORMED


# --- gone: the stream is over


async def test_a_flood_of_unasked_messages_ends_the_stream() -> None:
    """After a small number of them, with the reason."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        while True:
            yield claim(0)

    lost = await gone(play)
    assert lost.kind is FaultKind.PROTOCOL
    assert lost.detail == f"sent {MAX_UNASKED + 1} messages that nobody had asked for"


@pytest.mark.parametrize(
    ("message", "detail"),
    [
        (b"\xff" * 20, "sent bytes that are no PlayResponse"),
        (b"\x00" * (MAX_ANSWER + 1), "sent more than may be sent at once"),
    ],
    ids=["garbage", "huge"],
)
async def test_bytes_that_are_no_answer_end_the_stream(message: bytes, detail: str) -> None:
    """What is no message, or too large for one, is not read on."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for _request in questions(requests):
            yield message

    lost = await gone(play)
    assert lost.kind is FaultKind.PROTOCOL
    assert detail in lost.detail


@pytest.mark.parametrize("turns", [0, 1], ids=["at the start", "after a turn"])
async def test_a_bot_may_not_end_the_stream(turns: int) -> None:
    """Not even in good order."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        left = turns
        async for request in requests:
            if left == 0:
                return
            if request.seq > 1:
                yield claim(request.seq)
                left -= 1

    lost = await gone(play, turns=turns + 1)
    assert lost.kind is FaultKind.PROTOCOL
    assert lost.detail == "ended the stream before the match was over"


@pytest.mark.parametrize(
    ("code", "said", "kind", "detail"),
    [
        (grpc.StatusCode.INTERNAL, "ValueError: no", FaultKind.CRASHED, "ValueError: no"),
        (grpc.StatusCode.INTERNAL, "", FaultKind.CRASHED, "failed inside"),
        (grpc.StatusCode.UNKNOWN, "oops", FaultKind.CRASHED, "failed inside: oops"),
        (
            grpc.StatusCode.FAILED_PRECONDITION,
            "too old",
            FaultKind.PROTOCOL,
            "ended the stream with FAILED_PRECONDITION: too old",
        ),
        (
            grpc.StatusCode.DEADLINE_EXCEEDED,
            "",
            FaultKind.PROTOCOL,
            "ended the stream with DEADLINE_EXCEEDED",
        ),
        (
            grpc.StatusCode.INTERNAL,
            "\x1b[31mred\nlines\x00" + "x" * 500,
            FaultKind.CRASHED,
            ("[31mred lines " + "x" * 500)[:197] + "...",
        ),
    ],
    ids=["error", "bare", "unknown", "refusal", "pretends our timer", "for a terminal"],
)
async def test_a_status_is_told_in_plain_words(
    code: grpc.StatusCode, said: str, kind: FaultKind, detail: str
) -> None:
    """What the bot says is cut, printable, and cannot pass for a failure of ours."""

    async def play(requests: Requests, context: Any) -> AsyncIterator[bytes]:
        async for _request in questions(requests):
            await context.abort(code, said)
            yield b""

    lost = await gone(play)
    assert (lost.kind, lost.detail) == (kind, detail)


async def test_a_bot_without_the_service_is_told_so() -> None:
    """UNIMPLEMENTED is no crash."""
    lost = await gone(None)
    assert lost.kind is FaultKind.PROTOCOL
    assert lost.detail.startswith("does not serve arenabot.v1.PlayerService")


async def test_a_bot_that_ends_first_hears_nothing_of_the_result() -> None:
    """To tell the end to a bot that is gone is no fault and no error."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)
            return

    table = Table()
    async with listening(play) as (address, _), playing(address) as player:
        await player.turn(table.news(), table.prompt, LONG)
        await asyncio.sleep(0.05)
        await player.end([], Result(MatchReason.TARGET, (0, 301), (1, 2)))


# --- the host's word


async def test_the_hosts_word_counts_more_than_the_streams() -> None:
    """A bot that was killed for its memory did not break the protocol."""

    async def play(requests: Requests, _: Any) -> AsyncIterator[bytes]:
        async for request in questions(requests):
            yield claim(request.seq)
            return

    async def diagnose() -> PlayerGone | None:
        return PlayerGone(FaultKind.OUT_OF_MEMORY, "used 256 MiB of 256 MiB")

    table = Table()
    async with listening(play) as (address, _), playing(address, diagnose=diagnose) as player:
        await player.turn(table.news(), table.prompt, LONG)
        for _ in range(2):
            with pytest.raises(PlayerGone, match="256 MiB") as caught:
                await player.turn(table.news(), table.prompt, LONG)
            assert caught.value.kind is FaultKind.OUT_OF_MEMORY


async def test_a_lost_engine_voids_the_match() -> None:
    """Nobody is to blame for what the host did."""

    async def play(requests: Requests, context: Any) -> AsyncIterator[bytes]:
        async for _request in questions(requests):
            await context.abort(grpc.StatusCode.INTERNAL, "looks like a crash")
            yield b""

    async def diagnose() -> PlayerGone | None:
        raise MatchVoid("the container engine is down")

    table = Table()
    async with listening(play) as (address, _), playing(address, diagnose=diagnose) as player:
        with pytest.raises(MatchVoid, match="engine is down"):
            await player.turn(table.news(), table.prompt, LONG)


async def test_an_honest_bot_needs_no_diagnosis() -> None:
    """The host is asked only when a stream broke."""
    asked = 0

    async def diagnose() -> PlayerGone | None:
        nonlocal asked
        asked += 1
        return None

    table = Table()
    async with listening(honest) as (address, _), playing(address, diagnose=diagnose) as player:
        for _ in range(3):
            await player.turn(table.news(), table.prompt, LONG)
        await player.ready(table.news(), LONG)
    assert asked == 0
