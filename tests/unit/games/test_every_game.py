"""The laws that every game keeps, at every number of players."""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import GAMES, IllegalAction, Phase, State, game
from arenabot.actions import Burn, Draw
from arenabot.anygame import AnyAction
from tests.unit.games.playing import (
    Policy,
    Table,
    at_random,
    every_policy,
    every_table,
    from_deck,
    never_claim,
    play_out,
    property_test,
    steps,
    stubborn_pile,
)
from tests.unit.games.spaces import action_space, once
from tests.unit.games.twins import cards_in

seeds = st.binary(min_size=32, max_size=32)
policies = st.sampled_from([at_random, never_claim, stubborn_pile, from_deck])
chances = st.integers(0, 2**32)


def all_cards(state: State) -> list[Any]:
    """Every card, wherever it lies, in canonical order."""
    return sorted(card for cards in state.places().values() for card in cards)


# --- the registry


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    """The error names what was asked for and every game."""
    with pytest.raises(ValueError, match=rf"'chess'; there are: {', '.join(GAMES)}"):
        game("chess")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_found_by_its_id(name: str) -> None:
    """The registry's key is the game's own id."""
    assert game(name).id == name


@pytest.mark.parametrize("name", GAMES)
def test_a_game_refuses_other_numbers_of_players(name: str) -> None:
    """One fewer than the fewest or one more than the most is an error that says what is allowed."""
    known = game(name)
    for seats in (known.seats[0] - 1, known.seats[-1] + 1):
        with pytest.raises(ValueError, match=f"{known.seats[0]} to {known.seats[-1]} players"):
            known.new_match(seats=seats, seed=bytes(32))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_refuses_a_seed_of_another_length(name: str) -> None:
    """A seed is 32 bytes, no more and no fewer."""
    for length in (0, 31, 33):
        with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
            game(name).new_match(seats=game(name).seats[0], seed=bytes(length))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_refuses_the_options_of_another(name: str) -> None:
    """The error names the options that it wants and those that were given."""
    for other in GAMES.values():
        if other.id != name:
            given = other.options()
            with pytest.raises(TypeError, match=f"Options, not {type(given).__name__}"):
                game(name).new_match(seats=game(name).seats[0], seed=bytes(32), options=given)


# --- cards


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_cards_are_conserved(table: Table, seed: bytes, policy: Policy, chance: int) -> None:
    """After every event each card lies in exactly one place."""
    state = table.match(seed)
    deck = all_cards(state)
    assert len(set(deck)) == len(deck)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), 300):
        assert all_cards(state) == deck


# --- legal is what is accepted


@every_table
@settings(property_test, max_examples=5)
@given(data=st.data(), seed=seeds, policy=policies, chance=chances)
def test_what_is_listed_as_legal_is_exactly_what_is_accepted(
    table: Table, data: st.DataObject, seed: bytes, policy: Policy, chance: int
) -> None:
    """Of all actions there are, the listed ones are accepted and the others leave no trace."""
    length = data.draw(st.integers(0, 120), "length")
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), length + 1):
        pass
    before = pickle.dumps(state)
    everything = action_space(table.game)
    for seat in state.to_act:
        listed = state.legal_actions(seat)
        legal = {once(action) for action in listed}
        assert len(legal) == len(listed), "each set is listed once"
        for action in everything:
            if once(action) in legal:
                assert accepted(state.copy(), action, seat), f"refused: {action}"
            else:
                assert not accepted(state, action, seat), f"accepted: {action}"
    kind = type(all_cards(state)[0])
    for seat in set(range(table.seats)) - set(state.to_act):
        hand = set(state.places()[f"hand {seat}"])
        own = [action for action in everything if set(cards_in(action, kind)) <= hand]
        assert not [action for action in own if accepted(state, action, seat)], "not its turn"
    assert pickle.dumps(state) == before


def accepted(state: State, action: Any, seat: int) -> bool:
    """Whether ``apply`` takes an action."""
    try:
        state.apply(action, seat)
    except IllegalAction:
        return False
    return True


@every_table
def test_legal_actions_name_cards_in_order(table: Table) -> None:
    """The cards of each set are listed in card order (X12)."""
    for _ in itertools.islice(steps(state := table.match(), never_claim), 100):
        for seat in state.to_act:
            for action in state.legal_actions(seat):
                named = getattr(action, "cards", ())
                assert list(named) == sorted(named)


@every_table
@pytest.mark.parametrize(
    "nonsense", [None, "claim", 7, (), object()], ids=lambda it: type(it).__name__
)
def test_what_is_no_action_is_illegal(table: Table, nonsense: Any) -> None:
    """Anything else than an action is refused and changes nothing."""
    state = table.match()
    before = pickle.dumps(state)
    with pytest.raises(IllegalAction):
        state.apply(nonsense)
    assert pickle.dumps(state) == before


@every_table
def test_nobody_can_be_asked_between_rounds_or_after_the_match(table: Table) -> None:
    """Outside of play no seat is to act, and every question about a turn is an IllegalAction."""
    phases = set()
    for _ in steps(state := table.match(), at_random):
        if state.phase is Phase.PLAYING:
            continue
        phases.add(state.phase)
        assert (state.to_act, state.turn) == ((), 0)
        for ask in (state.legal_actions, state.default_action, state.prompt, state.observation):
            with pytest.raises(IllegalAction, match="nobody is to act"):
                ask(0)
    assert phases == {Phase.ROUND_OVER, Phase.OVER}


@every_table
def test_a_round_is_dealt_only_between_rounds_and_a_result_comes_only_at_the_end(
    table: Table,
) -> None:
    """``next_round`` during play or after the end, and ``result`` before it, are errors."""
    for _ in steps(state := table.match(), at_random):
        if state.phase is not Phase.ROUND_OVER:
            with pytest.raises(ValueError, match=f"the match is {state.phase.value}"):
                state.next_round()
        if state.phase is not Phase.OVER:
            with pytest.raises(ValueError, match="not over"):
                state.result()


# --- copies


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances, length=st.integers(0, 100))
def test_a_copy_goes_its_own_way(
    table: Table, seed: bytes, policy: Policy, chance: int, length: int
) -> None:
    """Playing a copy on changes nothing of the original, and both go alike if played alike."""
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), length):
        pass
    before = pickle.dumps(state)
    twin = state.copy()
    assert vars(twin) == vars(state)
    ahead = list(itertools.islice(steps(twin, policy, random.Random(chance + 1)), 100))
    assert pickle.dumps(state) == before
    assert list(itertools.islice(steps(state, policy, random.Random(chance + 1)), 100)) == ahead


# --- the end


@every_table
@every_policy
@pytest.mark.parametrize("caps", [{}, {"stall_laps": 2, "max_laps": 3, "max_rounds": 4}], ids=str)
def test_each_match_ends_within_the_caps(
    table: Table, policy: Policy, caps: dict[str, int]
) -> None:
    """However the seats play, rounds and the match end within the options' laps and rounds."""
    known = GAMES[table.game].options().as_dict()
    given: dict[str, Any] = {name: cap for name, cap in caps.items() if name in known}
    options = {**known, **given}
    turns: Counter[int] = Counter()
    for news in steps(state := table.match(**given), policy):
        turns[state.round] += sum(hasattr(event, "action") for event in news)
    assert state.phase is Phase.OVER
    assert state.round <= options.get("max_rounds", 2 * table.seats + 1)
    if "max_laps" in options:
        assert max(turns.values()) <= options["max_laps"] * table.seats + 1, "a claim is one more"


@every_table
@property_test
@given(seed=seeds, chance=chances)
def test_ranks_are_shared_by_equals_and_skip_after_them(
    table: Table, seed: bytes, chance: int
) -> None:
    """A seat's rank is one more than the number of seats ranked before it (X11)."""
    state = play_out(table.match(seed), at_random, rng=random.Random(chance)).state
    result = state.result()
    assert result.totals == state.totals
    for rank in result.ranks:
        assert rank == 1 + sum(other < rank for other in result.ranks)
    assert result.winners == tuple(s for s, rank in enumerate(result.ranks) if rank == 1)
    assert result.winners


# --- default moves


@every_table
@property_test
@given(seed=seeds, policy=policies, chance=chances)
def test_a_default_move_is_always_legal(
    table: Table, seed: bytes, policy: Policy, chance: int
) -> None:
    """At every turn it is one of the listed actions, the same one however often it is asked for."""
    state = table.match(seed)
    for _ in itertools.islice(steps(state, policy, random.Random(chance)), 200):
        for seat in state.to_act:
            default = state.default_action(seat)
            assert default == state.default_action(seat), "asking changes nothing"
            assert default in state.legal_actions(seat)


def stand_ins(actions: Sequence[AnyAction]) -> list[AnyAction]:
    """What a default move is chosen from: where cards are burned, one card, from the deck."""
    if not any(isinstance(act, Burn) for act in actions):
        return list(actions)
    burns = [act for act in actions if isinstance(act, Burn) and act.draw is Draw.DECK]
    return [act for act in burns if len(act.cards) == 1]


@every_table
def test_default_moves_are_uniform(table: Table) -> None:
    """Over 2,000 seeds each place in the hand is chosen as often as chance allows."""
    places: dict[int, Counter[int]] = {}
    for number in range(2000):
        state = table.match(number.to_bytes(32, "big"))
        choices = stand_ins(state.legal_actions())
        chosen = choices.index(state.default_action())
        places.setdefault(len(choices), Counter())[chosen] += 1
    for size, counts in places.items():
        expected = counts.total() / size
        chi_square = sum((counts[place] - expected) ** 2 / expected for place in range(size))
        # Wilson and Hilferty's approximation of the bound that one in ten thousand passes.
        freedom = max(1, size - 1)
        bound = freedom * (1 - 2 / (9 * freedom) + 3.72 * (2 / (9 * freedom)) ** 0.5) ** 3
        assert chi_square <= bound, counts


# --- pickles


@every_table
def test_a_match_can_be_pickled_and_goes_on_alike(table: Table) -> None:
    """What a worker sends across is the same match: cards and actions keep their identity."""
    state = table.match()
    for _ in itertools.islice(steps(state, at_random), 20):
        pass
    twin = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
    assert list(steps(twin, at_random)) == list(steps(state, at_random))
