"""What may be known of a match: all that lies open at the table, a seat's own cards, no more."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import GAMES, Phase
from arena.match import replay
from arena.match.play import play_match
from arena.match.player import Answer
from arena.match.replay import Line
from arena.match.spectating import public, seen_by
from arena.match.transcript import Transcript
from tests.unit.games.playing import (
    Policy,
    Table,
    at_random,
    every_table,
    from_deck,
    never_claim,
    property_test,
    stubborn_pile,
)
from tests.unit.games.twins import Deal, Story, record, shuffles, twin
from tests.unit.match.scripted import Scripted, play, setup

seeds = st.binary(min_size=32, max_size=32)
policies = st.sampled_from([at_random, never_claim, stubborn_pile, from_deck])
every_game = pytest.mark.parametrize("game", GAMES)

#: Sees like everybody at the table who holds no cards.
NO_SEAT = -1


def lines_of(deal: Deal, story: Story) -> list[Line]:
    """The lines that a replay of the story has after its header."""
    lines = []
    with shuffles(story.orders):
        state = deal.table.match(deal.seed)
        lines += [replay.event_line(event, 1, 0) for event in state.events]
        for step in story.steps[1:]:
            told, turn = len(state.events), state.turn
            if step.move is None:
                state.next_round()
                told = 0
            else:
                state.apply(step.move.action, step.move.seat, default=step.move.default)
            lines += [replay.event_line(event, state.round, turn) for event in state.events[told:]]
    return lines


def shown(lines: list[Line]) -> list[Line | None]:
    """What a spectator sees of them."""
    return [public(line) for line in lines]


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=st.integers(0, 2**32), length=st.integers(1, 150))
def test_no_public_line_depends_on_what_is_hidden(
    table: Table, seed: bytes, policy: Policy, chance: int, length: int
) -> None:
    """With every card that nobody has shown in another's place, they are the same."""
    deal, rng = Deal(table, seed, NO_SEAT), random.Random(chance)
    story = record(deal, policy, rng, length)
    lines = lines_of(deal, story)
    for _ in range(4):
        other = twin(deal, story, rng)
        if other is not None:
            assert shown(lines_of(deal, other)) == shown(lines)


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=st.integers(0, 2**32), length=st.integers(1, 150))
def test_no_line_of_a_seat_depends_on_what_is_hidden_from_it(
    table: Table, seed: bytes, policy: Policy, chance: int, length: int
) -> None:
    """With every card that the seat has not seen in another's place, they are the same."""
    rng = random.Random(chance)
    deal = Deal(table, seed, rng.randrange(table.seats))
    story = record(deal, policy, rng, length)
    lines = [seen_by(line, deal.seat) for line in lines_of(deal, story)]
    for _ in range(4):
        other = twin(deal, story, rng)
        if other is not None:
            assert [seen_by(line, deal.seat) for line in lines_of(deal, other)] == lines


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=st.integers(0, 2**32))
def test_the_lines_of_a_seat_add_up_to_what_it_may_know(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """Its hand above all, whenever it must decide: all of it is told before it is asked."""
    rng, state = random.Random(chance), table.match(seed)
    seat, hand, asked = rng.randrange(table.seats), set[str](), 0
    told = 0
    for _ in range(150):
        for event in state.events[told:]:
            line = seen_by(replay.event_line(event, state.round, state.turn), seat)
            assert line is not None
            hand = after(hand, line, seat)
        told = len(state.events)
        if seat in state.to_act:
            asked += 1
            assert hand == {str(card) for card in state.observation(seat).hand}
        if state.phase is Phase.OVER:
            break
        if state.phase is Phase.ROUND_OVER:
            state.next_round()
            told = 0
        else:
            acting = rng.choice(state.to_act)
            state.apply(policy(state, acting, rng), acting)
    assert asked or state.phase is Phase.OVER


def after(hand: set[str], line: Line, seat: int) -> set[str]:
    """A seat's hand after a line that it was told."""
    if line["type"] == "round":
        assert [at for at, shown in enumerate(line["hands"]) if shown is not None] == [seat]
        return set(line["hands"][seat])
    if line.get("seat") != seat:
        return hand
    match line["type"]:
        case "turn":
            drawn = {line["drawn"]} - {None}
            return hand - set(line["action"].get("burn", ())) | drawn
        case "play":
            return hand - {line["card"]}
        case "discard":
            return hand - set(line["cards"])
        case "refill":
            hand = hand | set(line["cards"])
    return hand


@every_game
def test_a_seat_sees_all_that_a_spectator_sees(game: str) -> None:
    """And of other seats nothing else."""
    for line in replay.unpack(play(setup(3, game)).replay):
        for seat in range(3):
            open_, own = public(line), seen_by(line, seat)
            assert open_ is not None
            assert own is not None
            more = {key for key in own if key not in open_ or own[key] != open_[key]}
            assert more <= {"hands", "drawn", "cards"}
            if line.get("seat", seat) != seat:
                assert own == open_


@every_game
def test_a_round_is_told_before_anybody_is_asked_in_it(game: str) -> None:
    """Or a person would be asked about cards that were not shown."""
    transcript, untold = Transcript(), list[int]()

    class Watching(Scripted):
        async def turn(self, *told: Any) -> Answer:
            dealt = [line["round"] for line in transcript.lines if line["type"] == "round"]
            if max(event.round for event in self._rounds(told[0])) not in dealt:
                untold.append(self.turns)
            return await super().turn(*told)

        def _rounds(self, news: Sequence[Any]) -> list[Any]:
            heard = [*self.heard, *news]
            return [event for event in heard if type(event).__name__.endswith("RoundStarted")]

    wanted = setup(3, game) if game == "claro" else setup(3, game, max_rounds=3)
    asyncio.run(play_match(wanted, [Watching() for _ in range(3)], transcript))
    assert not untold


@every_table
def test_hidden_cards_do_differ_in_the_lines_themselves(table: Table) -> None:
    """So there was something to hide: the same matches differ where nothing is left out."""
    for chance in range(100):
        rng = random.Random(chance)
        deal = Deal(table, rng.randbytes(32), NO_SEAT)
        story = record(deal, at_random, rng, 12)
        other = twin(deal, story, rng)
        if other is not None and lines_of(deal, other) != lines_of(deal, story):
            return
    pytest.fail("no twin differed from its match")


@every_game
def test_every_line_of_a_replay_is_shown_without_seed_hands_and_times(game: str) -> None:
    """In the order of the replay; hands only where the round ends, and only if the game does so."""
    lines = list(replay.unpack(play(setup(3, game)).replay))
    seen = [line for line in shown(lines) if line is not None]
    assert [line["type"] for line in seen] == [line["type"] for line in lines]
    assert {"round", "round_end", "result"} < {line["type"] for line in seen}
    for line in seen:
        assert not {"seed", "deck", "measured"} & line.keys()
        assert "hands" not in line or line["type"] == "round_end"
    assert lines[0]["seed"] not in json.dumps(seen)


@every_game
def test_what_lies_open_is_shown_as_it_is(game: str) -> None:
    """Every decision with its cards, every score, and a fault by its kind."""
    faulty = Scripted(lambda turn, _: 30.0 if turn == 2 else None)
    lines = list(replay.unpack(play(setup(3, game), faulty).replay))
    for line, seen in zip(lines, shown(lines), strict=True):
        assert seen is not None
        open_ = {
            key: value
            for key, value in line.items()
            if key not in {"measured", "seed", "hands", "deck", "drawn", "cards"}
        }
        assert open_.items() <= seen.items() or line["type"] == "header"
        if line["type"] in {"round_end", "discard"}:
            assert seen == {key: value for key, value in line.items() if key != "measured"}
    assert any(line.get("fault") == "TIMEOUT" for line in shown(lines) if line)


def test_only_a_card_from_the_pile_is_seen_when_it_is_drawn() -> None:
    """It lay there, face up."""
    lines = list(replay.unpack(play(setup(2, max_rounds=4)).replay))
    turns = [(line, public(line)) for line in lines if line["type"] == "turn"]
    sources = set()
    for line, seen in turns:
        assert seen is not None
        source = line["action"].get("draw")
        sources.add(source)
        assert seen["drawn"] == (line["drawn"] if source == "pile" else None)
    assert {"pile", "deck"} <= sources


def test_what_nobody_has_thought_of_is_not_shown() -> None:
    """A key that a line will have some day, or a line of a new kind."""
    line: dict[str, Any] = {"type": "pass", "round": 1, "turn": 2, "seat": 1}
    assert public({**line, "hand": ["12"]}) == line
    assert public({"type": "peek", "cards": ["12"]}) is None


def test_a_transcript_tells_whoever_listens_of_each_new_line() -> None:
    """And keeps all of them, whether anybody listens or not."""
    transcript, heard = Transcript(), list[Line]()
    transcript.add({"type": "header"})
    transcript.listener = heard.append
    transcript.add({"type": "pass"})
    transcript.listener = None
    transcript.add({"type": "result"})
    assert heard == [{"type": "pass"}]
    assert [line["type"] for line in transcript.lines] == ["header", "pass", "result"]
