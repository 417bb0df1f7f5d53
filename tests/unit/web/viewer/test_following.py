"""The viewer's positions are those of the rules, and know no more than whoever looks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from arena.games import Phase, State
from arena.match.spectating import public
from arena.web.viewer.following import follower
from arena.web.viewer.position import Position
from tests.golden.playthroughs import cases
from tests.unit.web.viewer.playing import TABLES, Moment, moments, whole


def _walk(moments_: Iterator[Moment], *, eyes: str) -> Iterator[tuple[Position, State]]:
    """The viewer's position and the rules' state after each move."""
    first = next(moments_)
    table = follower(first.lines[0])
    for moment in chain([Moment(first.lines[1:], first.state)], moments_):
        for line in moment.lines:
            seen = line if eyes == "all" else public(line)
            assert seen is not None
            table.follow(seen)
        yield table.now, moment.state


def _cards(cards: Any) -> tuple[str, ...]:
    return tuple(map(str, cards))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_position_is_the_one_of_the_rules(game: str, seats: int) -> None:
    """Through all golden playthroughs: hands, costs, piles, decks, totals, turns, claims."""
    for case in cases(game, seats):
        for now, state in _walk(moments(case), eyes="all"):
            places = state.places()
            hands = [sorted(str(held.card) for held in hand) for hand in now.hands]
            assert hands == [sorted(_cards(places[f"hand {seat}"])) for seat in range(seats)]
            assert now.totals == state.totals
            assert now.to_act == state.to_act
            assert now.turn == state.turn
            assert now.round == state.round
            if game == "claro":
                assert now.deck == len(places["draw pile"])
                assert now.pile == _cards(places["played"])
                assert now.discarded == len(places["discard pile"])
                if state.turn:
                    assert now.passed == state.observation(state.to_act[0]).passed  # type: ignore[union-attr]
            else:
                assert now.deck == len(places["deck"])
                assert now.pile == _cards(places["pile"])
                assert (now.zero,) == _cards(places["zero"])
                assert now.costs == tuple(map(state.hand_points, range(seats)))  # type: ignore[attr-defined]
                _same_choices(now, state)


def _same_choices(now: Position, state: State) -> None:
    """Whether a claim is open, and which card of the pile may be taken."""
    if state.phase is Phase.PLAYING:
        takeable, can_claim = state.prompt(state.to_act[0])  # type: ignore[misc]
        assert now.claim_open is can_claim
        assert now.pile[-1:] == (() if takeable is None else (str(takeable),))
    else:
        assert now.claim_open is False


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_spectator_knows_how_many_cards_lie_where_and_never_a_wrong_one(
    game: str, seats: int
) -> None:
    """From public lines: sizes, piles and totals are right; a card known in a hand is there."""
    known = unknown = 0
    for case in cases(game, seats):
        for now, state in _walk(moments(case), eyes="spectator"):
            places = state.places()
            for seat, hand in enumerate(now.hands):
                there = _cards(places[f"hand {seat}"])
                assert len(hand) == len(there)
                cards = [held.card for held in hand if held.card is not None]
                assert set(cards) <= set(there)
                assert all(held.seen for held in hand if held.card is not None)
                known += len(cards)
                unknown += len(hand) - len(cards)
            assert now.deck == len(places["draw pile" if game == "claro" else "deck"])
            assert now.pile == _cards(places["played" if game == "claro" else "pile"])
            assert now.totals == state.totals
            assert now.to_act == state.to_act
            if state.phase is Phase.PLAYING and game != "claro":
                _, can_claim = state.prompt(state.to_act[0])  # type: ignore[misc]
                assert now.claim_open in {None, can_claim}
    assert unknown
    assert known or game == "claro"


def test_default_moves_are_counted_by_seat() -> None:
    """Where each move is a default one, each is counted for who made it."""
    case = next(case for case in cases("claims", 3) if case.policy == "default")
    table = follower(whole(case)[0])
    turns = [0, 0, 0]
    for line in whole(case)[1:]:
        table.follow(line)
        if line["type"] == "turn":
            turns[line["seat"]] += 1
        assert table.now.defaults == tuple(turns)
    assert min(turns) > 5


def test_of_a_position_only_what_changed_is_told() -> None:
    """Laying the changes over each other gives every position again."""
    case = next(cases("claim", 4))
    lines = whole(case)
    table = follower(lines[0])
    before: Position | None = None
    told: dict[str, Any] = {}
    for line in lines[1:]:
        now = table.follow(line)
        changes = now.changes(before)
        for seat, hand in changes.pop("hand", {}).items():
            told["hands"] = [
                hand if at == int(seat) else held for at, held in enumerate(told["hands"])
            ]
        told |= changes
        assert told == now.as_json()
        before = now
