"""What is written and read again is the same, for all that ever happens in any game."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import GAMES, Phase
from arenabot import wire
from arenabot.anygame import AnyAction, AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.events import MatchReason, Result
from arenabot.v1 import player_pb2 as player
from tests.unit.games.playing import Table, at_random, by_default, every_table, steps

#: Enough for several rounds of every game.
STEPS = 250
seeds = st.binary(min_size=32, max_size=32)
law = settings(max_examples=5, deadline=None)


def happenings(table: Table, seed: bytes) -> list[AnyEvent]:
    """What happens in a match, at first by chance and then by default moves."""
    events: list[AnyEvent] = []
    for policy in (at_random, by_default):
        for new in itertools.islice(steps(table.match(seed), policy, random.Random(seed)), STEPS):
            events += new
    return events


def sent(told: AnyEvent, seat: int) -> player.Event:
    """An event as it comes out of the wire at ``seat``."""
    message = player.Event()
    wire.write_event(told, seat, message)
    return player.Event.FromString(message.SerializeToString())


@every_table
@law
@given(seed=seeds)
def test_an_event_is_read_as_its_seat_may_see_it(table: Table, seed: bytes) -> None:
    """For every seat, what it reads is ``seen_by`` of what happened."""
    for told in happenings(table, seed):
        for seat in range(table.seats):
            assert wire.read_event(sent(told, seat), seat, table.seats) == told.seen_by(seat)


@every_table
@law
@given(seed=seeds)
def test_the_wire_hides_what_a_seat_may_not_see(table: Table, seed: bytes) -> None:
    """A message is made of nothing but what its seat may see."""
    for told in happenings(table, seed):
        for seat in range(table.seats):
            assert sent(told, seat) == sent(told.seen_by(seat), seat)


@every_table
@law
@given(seed=seeds)
def test_every_action_and_prompt_comes_through(table: Table, seed: bytes) -> None:
    """Whatever is legal anywhere in a match is read as it was written, and so is each question."""
    state = table.match(seed)
    rng = random.Random(seed)
    for _ in itertools.islice(steps(state, at_random, rng), STEPS):
        if state.phase is not Phase.PLAYING:
            continue
        for seat in state.to_act:
            prompt = state.prompt(seat)
            assert asked(prompt) == prompt
            for action in state.legal_actions(seat):
                assert answered(action) == action


def asked(prompt: AnyPrompt) -> AnyPrompt:
    """A prompt that went over the wire."""
    request = wire.your_turn(3, [], 0, prompt, 1.5)
    received = player.PlayRequest.FromString(request.SerializeToString())
    assert (received.seq, received.your_turn.time_ms) == (3, 1500)
    return wire.read_prompt(received.your_turn)


def answered(action: AnyAction) -> wire.Answered:
    """An action that went over the wire."""
    response = wire.answer(9, action)
    received = player.PlayResponse.FromString(response.SerializeToString())
    assert received.seq == 9
    return wire.read_answer(received)


@every_table
@given(
    data=st.data(),
    bot_seed=st.integers(0, 2**64 - 1),
    times=st.tuples(*[st.integers(1, 86_400_000)] * 3),
)
@settings(max_examples=20, deadline=None)
def test_the_facts_of_a_match_come_through(
    table: Table, data: st.DataObject, bot_seed: int, times: tuple[int, int, int]
) -> None:
    """Game, options, seat, seed and times, to the millisecond."""
    turn, ready, budget = (time / 1000 for time in times)
    seat = data.draw(st.integers(0, table.seats - 1))
    options = GAMES[table.game].options()
    info = MatchInfo(table.game, options, seat, table.seats, bot_seed, turn, ready, budget)
    request = wire.match_started(1, "m-1", info)
    received = player.PlayRequest.FromString(request.SerializeToString())
    assert (received.seq, received.match_started.match_id) == (1, "m-1")
    assert wire.read_match_started(received.match_started) == info


@pytest.mark.parametrize("reason", MatchReason)
def test_a_result_comes_through(reason: MatchReason) -> None:
    """Reason, totals and ranks."""
    result = Result(reason, (310, 0, 45), (3, 1, 2))
    request = wire.match_ended(4, [], 0, result)
    received = player.PlayRequest.FromString(request.SerializeToString())
    assert wire.read_match_ended(received.match_ended) == result


def test_ready_comes_through() -> None:
    """The question between rounds and its answer."""
    request = wire.ready_check(5, [], 0, 60.0)
    assert (request.seq, request.ready_check.time_ms) == (5, 60_000)
    assert wire.read_answer(wire.ready(5)) is wire.READY


@pytest.mark.parametrize(("seconds", "whole"), [(0.0, 0), (0.0001, 1), (0.05, 50), (1.2346, 1235)])
def test_times_are_whole_milliseconds(seconds: float, whole: int) -> None:
    """Rounded, and never 0 while any time is left."""
    assert wire.milliseconds(seconds) == whole
