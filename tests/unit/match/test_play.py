"""How a match treats its players: asking, charging, faults, and putting seats out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.games import GAMES, game
from arena.games.chance import bot_seed
from arena.match import replay
from arena.match.faults import FaultKind, MatchVoid, PlayerFault, PlayerGone
from arena.match.play import play_match
from arena.match.player import Answer, PlayerReport
from arena.match.setup import MatchSetup, Timers
from arena.match.verify import verify
from arenabot.actions import CLAIM, burn
from arenabot.anygame import AnyEvent, AnyPrompt
from tests.unit.match.scripted import NeverStarts, Scripted, play, setup

TABLES = [(game_id, seats) for game_id, rules in GAMES.items() for seats in rules.seats]


def crash_at(turn: int) -> Scripted:
    return Scripted(
        lambda n, _: PlayerGone(FaultKind.CRASHED, "exited with code 1") if n == turn else None
    )


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_match_ends_with_a_replay_that_holds(game_id: str, seats: int) -> None:
    """Any game, any number of seats: a result, a replay that verifies, no fault."""
    record = play(setup(seats, game_id))
    verdict = verify(list(replay.unpack(record.replay)))
    assert (verdict.line, verdict.reason) == (None, None)
    assert verdict.result == record.result
    assert verdict.digest == record.digest
    assert all(not seat.faults and seat.out is None for seat in record.seats)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_every_seat_hears_everything_once_and_in_order(game_id: str, seats: int) -> None:
    """The news of all calls together are the match's events, the same for each seat."""
    players = [Scripted() for _ in range(seats)]
    record = play(setup(seats, game_id), *players)
    for player in players:
        assert player.heard == players[0].heard
        assert player.result == record.result
    told = list(replay.unpack(record.replay))[1:-1]
    assert len(players[0].heard) == len(told)


def test_equal_seeds_and_bots_give_equal_digests_and_other_seeds_others() -> None:
    """The digest depends on the play alone, not on what was measured."""
    slow = play(setup(3), Scripted(lambda *_: 0.5))
    assert play(setup(3)).digest == slow.digest
    assert play(setup(3), Scripted(lambda *_: 0.5)).replay != play(setup(3)).replay
    assert play(setup(3, seed=2)).digest != slow.digest


def test_each_seat_gets_its_own_seed_from_the_match_seed() -> None:
    """A bot's seed is RULINGS X6's for its seat."""
    players = [Scripted() for _ in range(3)]
    wanted = setup(3)
    play(wanted, *players)
    expected = [bot_seed(wanted.seed, "claims", seat) for seat in range(3)]
    assert [player.info.bot_seed for player in players] == expected


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (burn("As Kd"), FaultKind.ILLEGAL),
        (CLAIM, FaultKind.ILLEGAL),
        (PlayerFault(FaultKind.TIMEOUT, "late", 20.0), FaultKind.TIMEOUT),
        (PlayerFault(FaultKind.MALFORMED, "no action", 0.1), FaultKind.MALFORMED),
    ],
)
def test_a_bad_answer_is_a_fault_and_the_default_move_stands_in(
    said: PlayerFault, kind: FaultKind
) -> None:
    """X4: the fault is that seat's, at that turn; the seat plays on and is asked again."""
    bad = Scripted(lambda n, _: said if n == 1 else None)
    record = play(setup(2), bad)
    (fault,) = record.seats[0].faults
    assert (fault.round, fault.turn, fault.kind) == (1, 1, kind)
    assert record.seats[0].out is None
    assert not record.seats[1].faults
    turn = next(line for line in replay.unpack(record.replay) if line["type"] == "turn")
    state = game("claims").new_match(seats=2, seed=setup(2).seed)
    assert turn["default"] is True
    assert turn["fault"] == kind.value
    assert turn["action"] == replay.action_json(state.default_action())  # type: ignore[arg-type]
    assert bad.turns > 1


def test_a_crashed_seat_plays_default_moves_at_once_to_the_end() -> None:
    """The others' match goes on and the seat is ranked by its points; its bot is stopped."""
    dead, alive = crash_at(3), Scripted()
    record = play(setup(2), dead, alive)
    seat = record.seats[0]
    assert seat.out is not None
    assert seat.out.kind is FaultKind.CRASHED
    assert [fault.kind for fault in seat.faults] == [FaultKind.CRASHED]
    assert dead.turns == 3
    assert dead.closed == 1
    assert alive.turns > 10
    shown = [
        line["fault"]
        for line in replay.unpack(record.replay)
        if line["type"] == "turn" and line["seat"] == 0
    ]
    assert shown[:2] == [None, None]
    assert set(shown[2:]) == {"CRASHED"}
    assert sorted(record.result.ranks) == [1, 2]


def test_a_seat_that_never_started_is_out_before_the_first_deal() -> None:
    """Its fault has round 0 and turn 0, and it is never asked."""
    absent = NeverStarts()
    record = play(setup(3), absent)
    (fault,) = record.seats[0].faults
    assert (fault.round, fault.turn, fault.kind) == (0, 0, FaultKind.NEVER_STARTED)
    assert absent.turns == absent.readies == 0
    assert verify(list(replay.unpack(record.replay))).holds


def test_all_seats_may_be_out_and_the_match_still_ends() -> None:
    """Default moves alone finish a match."""
    record = play(setup(2), NeverStarts(), NeverStarts())
    assert verify(list(replay.unpack(record.replay))).holds


@pytest.mark.parametrize("most", [0, 3])
def test_more_than_max_faults_put_a_seat_out(most: int) -> None:
    """So many faults are borne; the next one ends the seat's part."""
    cheat = Scripted(lambda *_: burn("As Kd"))
    record = play(setup(2, max_faults=most), cheat)
    seat = record.seats[0]
    assert len(seat.faults) == most + 1
    assert seat.out is not None
    assert seat.out.kind is FaultKind.TOO_MANY_FAULTS
    assert cheat.turns == most + 1
    assert verify(list(replay.unpack(record.replay))).holds


def test_a_turn_may_take_no_longer_than_what_is_left_of_the_budget() -> None:
    """And a seat that has used it up is out for it, not for a late turn."""
    timers = Timers(turn=20, budget=50)
    slow = Scripted(lambda *_: 15.0)
    record = play(setup(2, timers=timers), slow)
    assert [round(allowed, 6) for allowed in slow.allowed] == [20, 20, 20, 5]
    seat = record.seats[0]
    assert [fault.kind for fault in seat.faults] == [FaultKind.BUDGET]
    assert seat.out is not None
    assert seat.seconds == pytest.approx(50)
    assert seat.slowest == 15.0
    assert verify(list(replay.unpack(record.replay))).holds


def with_person(budget: float) -> MatchSetup:
    """A match in which a person has seat 0 and this budget; the bot's is 50 s."""
    wanted = setup(2, timers=Timers(turn=20, ready=60, budget=50), max_rounds=2)
    person, bot = wanted.seats
    return replace(wanted, seats=(replace(person, person=True), bot), person_budget=budget)


def test_a_person_has_a_budget_of_their_own() -> None:
    """The bots beside have theirs, and are told of no other."""
    slow, other = Scripted(lambda *_: 15.0, ready_takes=50.0), Scripted()
    record = play(with_person(7200), slow, other)
    assert set(slow.allowed) == {20}
    assert record.seats[0].seconds > 50
    assert (record.seats[0].out, record.seats[0].faults) == (None, ())
    assert slow.info.budget == other.info.budget == 50
    header = next(iter(replay.unpack(record.replay)))
    assert (header["timers"]["budget"], header["timers"]["person_budget"]) == (50, 7200)


def test_a_person_who_has_used_it_up_holds_no_table() -> None:
    """However punctual each answer was: the last turn is cut short, then the seat is out."""
    slow = Scripted(lambda *_: 15.0)
    record = play(with_person(65), slow)
    assert [round(allowed, 6) for allowed in slow.allowed] == [20, 20, 20, 20, 5]
    out = record.seats[0].out
    assert out is not None
    assert (out.kind, out.detail) == (
        FaultKind.BUDGET,
        "used 65.0 s of the 65 s that a match allows",
    )
    assert verify(list(replay.unpack(record.replay))).holds


def test_time_for_ready_is_the_seats_own_and_being_late_is_no_fault() -> None:
    """X13; once the budget is used up nobody waits for the seat's ready."""
    late = Scripted(ready_takes=100.0)
    record = play(setup(2, timers=Timers(ready=60, budget=150)), late)
    # 60 s, 60 s, and what is left of 150 s.
    assert late.readies == 3
    assert record.seats[0].out is not None
    assert record.seats[0].out.kind is FaultKind.BUDGET
    assert record.rounds > 4


def test_ready_is_asked_after_every_round_but_the_last() -> None:
    """X13."""
    player = Scripted()
    record = play(setup(2), player)
    assert player.readies == record.rounds - 1


class GoneAtReady(Scripted):
    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        await super().ready(news, seconds)
        raise PlayerGone(FaultKind.CRASHED, "raised KeyError")


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_a_seat_lost_between_rounds_is_out_from_the_next_round_on(game_id: str, seats: int) -> None:
    """The fault says after which round; turn 0 is none."""
    record = play(setup(seats, game_id), GoneAtReady())
    (fault,) = record.seats[0].faults
    assert (fault.round, fault.turn, fault.kind) == (1, 0, FaultKind.CRASHED)
    assert verify(list(replay.unpack(record.replay))).holds


class BadReady(Scripted):
    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        await super().ready(news, seconds)
        raise PlayerFault(FaultKind.MALFORMED, "answered a ready check with an action", 0.5)


def test_nonsense_for_ready_is_a_fault_and_the_seat_plays_on() -> None:
    """It counts towards max_faults like any other."""
    bad = BadReady()
    record = play(setup(2, max_faults=2), bad)
    assert [fault.kind for fault in record.seats[0].faults] == [FaultKind.MALFORMED] * 3
    assert bad.readies == 3
    assert verify(list(replay.unpack(record.replay))).holds


class Spoils(Scripted):
    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        raise MatchVoid("the container engine does not answer")


def test_a_void_ends_the_match_for_nobodys_fault_and_closes_every_player() -> None:
    """No record is made of a match that we spoilt."""
    players = [Spoils(), Scripted(), Scripted()]
    with pytest.raises(MatchVoid, match="engine"):
        asyncio.run(play_match(setup(3), players))
    assert [player.closed for player in players] == [1, 1, 1]


class Slow(Scripted):
    async def start(self, match_id: str, info: object, seconds: float) -> None:
        await super().start(match_id, info, seconds)  # type: ignore[arg-type]
        await asyncio.sleep(60)


def test_a_cancelled_match_closes_every_player() -> None:
    """Also those that were just starting."""

    async def cancelled(players: list[Scripted]) -> None:
        match = asyncio.create_task(play_match(setup(2), players))
        await asyncio.sleep(0.01)
        match.cancel()
        with pytest.raises(asyncio.CancelledError):
            await match

    players = [Scripted(), Slow()]
    asyncio.run(cancelled(players))
    assert [player.closed for player in players] == [1, 1]


def test_what_a_player_reports_when_it_is_closed_is_in_the_record() -> None:
    """Also where it was closed before the end."""
    record = play(setup(2), crash_at(2))
    assert [seat.log for seat in record.seats] == ["log of seat 0", "log of seat 1"]
    assert [seat.peak_memory for seat in record.seats] == [1000, 1000]


def test_a_match_needs_a_player_for_each_seat() -> None:
    """And says so."""
    with pytest.raises(ValueError, match="2 seats cannot be played by 1"):
        asyncio.run(play_match(setup(2), [Scripted()]))


@pytest.mark.parametrize("value", [0.0, 0.049, -1.0, float("nan"), float("inf"), 1e9])
def test_timers_have_bounds(value: float) -> None:
    """A timer out of bounds is refused with what is allowed."""
    with pytest.raises(ValueError, match="must be from"):
        Timers(turn=value)


def test_a_report_of_nothing_is_empty() -> None:
    """What a player that never ran reports."""
    assert PlayerReport() == PlayerReport("", None)
