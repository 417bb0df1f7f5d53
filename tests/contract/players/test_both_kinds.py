"""What every player does, whether its bot lives here or behind an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games import GAMES
from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.play import play_match
from arena.match.player import Player
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arenabot import CLAIM, Burn
from arenabot.events import MatchReason, Result
from tests.contract.players.bots import BOTS, NAP, Script
from tests.contract.players.conftest import MakePlayer, Table, info, told

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 20.0
RESULT = Result(MatchReason.MAX_ROUNDS, (3, 4), (1, 2))


async def test_it_answers_with_the_bots_action(player: Player, table: Table) -> None:
    """The action is the bot's own, and its time is some, but not much."""
    await player.start("m", info(), LONG)
    answer = await player.turn(table.news(), table.prompt, LONG)
    assert answer.action == table.state.legal_actions()[-1]
    assert 0 < answer.seconds < 5


async def test_the_bot_sees_what_its_seat_may_see(
    player: Player, table: Table, diary: Path
) -> None:
    """News adds up to the engine's own observation of the seat, turn after turn."""
    await player.start("m", info(Script.TELL), LONG)
    for _ in range(5):
        seen = table.state.observation(0)
        await player.turn(table.news(), table.prompt, LONG)
        assert told(diary)[-1] == f"turn {seen!r}"
        table.lap()


async def test_the_bot_hears_a_match_from_start_to_end(
    player: Player, table: Table, diary: Path
) -> None:
    """Start, turn, round's end and result arrive in order, each once."""
    facts = info(Script.TELL)
    await player.start("m", facts, LONG)
    await player.turn(table.news(), table.prompt, LONG)
    table.end_round()
    assert 0 <= await player.ready(table.news(), LONG) < 5
    await player.end([], RESULT)
    await player.close()
    lines = told(diary)
    assert [line.split()[0] for line in lines] == [
        "match_started",
        "turn",
        "round_ended",
        "match_ended",
    ]
    assert lines[0] == f"match_started {facts!r}"
    assert lines[2] == f"round_ended {table.state.events[-1]!r}"
    assert lines[3] == f"match_ended {RESULT!r}"


async def test_the_last_round_is_told_with_the_result(
    player: Player, table: Table, diary: Path
) -> None:
    """There is no ready check after the last round, so its end comes with the match's."""
    await player.start("m", info(Script.TELL), LONG)
    await player.turn(table.news(), table.prompt, LONG)
    table.end_round()
    await player.end(table.news(), RESULT)
    await player.close()
    assert [line.split()[0] for line in told(diary)[-2:]] == [
        "round_ended",
        "match_ended",
    ]


async def test_a_late_turn_is_a_timeout_and_the_next_one_counts(
    player: Player, table: Table
) -> None:
    """The late answer is dropped: what comes next is the answer to the next question."""
    await player.start("m", info(Script.SLEEP_IN_FIRST_TURN), LONG)
    with pytest.raises(PlayerFault) as caught:
        await player.turn(table.news(), table.prompt, NAP / 2)
    assert not isinstance(caught.value, PlayerGone)
    assert caught.value.kind is FaultKind.TIMEOUT
    assert caught.value.detail == "no answer within 0.25 s"
    assert caught.value.seconds >= NAP / 2
    table.lap()
    answer = await player.turn(table.news(), table.prompt, LONG)
    assert answer.action == table.state.legal_actions()[-1]


async def test_a_bot_that_raises_is_gone(player: Player, table: Table) -> None:
    """As a crash with the error in one line; asked again, it is still gone."""
    await player.start("m", info(Script.RAISE_IN_TURN), LONG)
    for _ in range(2):
        with pytest.raises(PlayerGone) as caught:
            await player.turn(table.news(), table.prompt, LONG)
        assert caught.value.kind is FaultKind.CRASHED
        assert caught.value.detail == "ValueError: no idea at all"
    with pytest.raises(PlayerGone):
        await player.ready([], LONG)


async def test_an_error_in_the_start_shows_at_the_first_question(
    player: Player, table: Table
) -> None:
    """The bot hears the start in the time of its first question."""
    await player.start("m", info(Script.RAISE_IN_START), LONG)
    with pytest.raises(PlayerGone) as caught:
        await player.turn(table.news(), table.prompt, LONG)
    assert (caught.value.kind, caught.value.detail) == (FaultKind.CRASHED, "ValueError: no start")


async def test_an_error_at_a_rounds_end_is_a_crash(player: Player, table: Table) -> None:
    """Between rounds the bot's code runs, too."""
    await player.start("m", info(Script.RAISE_IN_ROUND_ENDED), LONG)
    table.end_round()
    with pytest.raises(PlayerGone) as caught:
        await player.ready(table.news(), LONG)
    assert (caught.value.kind, caught.value.detail) == (FaultKind.CRASHED, "ValueError: no end")


async def test_an_error_at_the_matchs_end_changes_nothing(player: Player, table: Table) -> None:
    """The result stands, and nobody hears of it but the bot's author."""
    await player.start("m", info(Script.RAISE_IN_MATCH_ENDED), LONG)
    await player.turn(table.news(), table.prompt, LONG)
    await player.end([], RESULT)


async def test_what_is_no_action_is_malformed(player: Player, table: Table) -> None:
    """And the seat is asked again."""
    await player.start("m", info(Script.RETURN_NONE), LONG)
    for _ in range(2):
        with pytest.raises(PlayerFault) as caught:
            await player.turn(table.news(), table.prompt, LONG)
        assert not isinstance(caught.value, PlayerGone)
        assert caught.value.kind is FaultKind.MALFORMED
        table.lap()


@pytest.mark.parametrize(
    ("script", "action"), [(Script.BURN_NOTHING, Burn(())), (Script.CLAIM, CLAIM)]
)
async def test_an_illegal_action_comes_through(
    player: Player, table: Table, script: Script, action: object
) -> None:
    """What the rules say of an action is not the player's business."""
    await player.start("m", info(script), LONG)
    assert (await player.turn(table.news(), table.prompt, LONG)).action == action


async def test_a_late_ready_is_waited_for_no_longer(player: Player, table: Table) -> None:
    """It costs the seat the whole time, and is no fault (RULINGS X13)."""
    await player.start("m", info(Script.SLEEP_IN_ROUND_ENDED), LONG)
    table.end_round()
    assert await player.ready(table.news(), NAP / 5) == NAP / 5


async def test_it_can_be_closed_in_every_state(make: MakePlayer, table: Table) -> None:
    """Before the start, after it, in the middle and at the end; and twice each time."""
    for steps in range(4):
        player = make("claims")
        if steps > 0:
            await player.start("m", info(), LONG)
        if steps > 1:
            await player.turn(Table().news(), table.prompt, LONG)
        if steps > 2:
            await player.end([], RESULT)
        await player.close()
        await player.close()


async def test_to_ask_before_the_start_is_our_mistake(player: Player, table: Table) -> None:
    """After the close, too: it is told as a programming error, not as the bot's fault."""
    with pytest.raises(RuntimeError, match="before it was started"):
        await player.turn(table.news(), table.prompt, LONG)
    await player.start("m", info(), LONG)
    await player.close()
    with pytest.raises(RuntimeError, match="after it was closed"):
        await player.turn(table.news(), table.prompt, LONG)


@pytest.mark.parametrize("id_", GAMES)
async def test_a_match_is_the_same_whoever_plays_it(make: MakePlayer, id_: str) -> None:
    """Its digest is that of the same match with bots in this process, and nobody is at fault."""
    seats = min(GAMES[id_].seats)
    setup = MatchSetup(
        match_id="m",
        game=id_,
        options=GAMES[id_].options(),
        seed=bytes(32),
        seats=tuple(SeatInfo("bot", "1", "") for _ in range(seats)),
    )
    played = await play_match(setup, [make(id_) for _ in range(seats)])
    plain = await play_match(setup, [LocalPlayer(BOTS[id_]) for _ in range(seats)])
    assert played.digest == plain.digest
    assert not any(seat.faults for seat in played.seats)
