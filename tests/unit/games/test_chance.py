"""Chance as RULINGS X6 fixes it, derived a second time here from that text and hashlib alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, TypeAlias
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import GAMES, State
from arena.games.chance import Chance, bot_seed
from arenabot.anygame import AnyAction
from arenabot.claro import ClaroReshuffle
from arenabot.events import Reshuffle, RoundStarted
from tests.unit.games.playing import (
    SEED,
    Policy,
    Table,
    at_random,
    by_default,
    every_table,
    from_deck,
    never_claim,
    play_out,
    property_test,
    steps,
)

# --- the second derivation: cards are texts here

BURNING = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
CANONICAL = {
    "claims": BURNING,
    "claim": BURNING,
    "claro": [str(number) for number in range(1, 51)] + [f"J{joker}" for joker in range(1, 6)],
}
DEALT = {"claims": 5, "claim": 4, "claro": 5}


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """The stream's numbers of two bytes."""
    key = sha256(seed + label.encode("ascii")).digest()
    for i in itertools.count():
        block = sha256(key + i.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2))


def below(stream: Iterator[int], m: int) -> int:
    """A number below m: again while not below the largest multiple of m up to 65536."""
    return next(number % m for number in stream if number < 65536 // m * m)


def shuffled(cards: Sequence[str], stream: Iterator[int]) -> list[str]:
    """For i from the last index down to 1, swap i with a number below i + 1."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def texts(cards: Sequence[int] | None) -> list[str]:
    """Cards as texts."""
    return [str(card) for card in cards or ()]


# --- known answers, so that a mistake made on both sides shows


def test_the_known_answers_of_one_stream() -> None:
    """Key and first block as `sha256sum` gives them for 32 zero bytes and |claims|1|deal|0."""
    key = sha256(bytes(32) + b"|claims|1|deal|0").hexdigest()
    assert key == "3cf7755361a74f599cbebaa01c9de49bcfed574d8047371556a13a65a2a804a7"
    block = Chance(bytes(32), "claims", 1, "deal", 0).block(0)
    assert block.hex() == "8509341be0be13b6d45c829aa7d855831f447258fc723b35c24d065f67ea4f12"


@pytest.mark.parametrize(
    ("game", "round_", "deck"),
    [
        (
            "claims",
            1,
            (
                "Jc 3c 4c 7h 3d Qs 8h Jh 4d 7d Js Qd 6h 7c 5h Ad 9s Kd 8c 4s 5c 5d 4h 3s 9h Ts "
                "Ah 9c 9d 6d 8d 5s Qc 6c 7s 2c Ks Jd Td Qh Tc 8s 2d As 6s 2h 2s Ac Kh Th 3h Kc"
            ),
        ),
        (
            "claims",
            2,
            (
                "Qd 8s 5c Jd Tc 4c 4d Qs 2s 5d 3s 9s 4s Kc 9d Kh Js Td 3h Ts 3c 6s Kd 2h 2d Qh "
                "8h As Ac 8c Jh 9h Ah Ks 3d Ad 7s 7d 9c 8d Qc 6d 2c Th 4h 5s 6h 7h 7c Jc 5h 6c"
            ),
        ),
        (
            "claim",
            1,
            (
                "Ad 3h 2c 5s As 6d 9d 5h Qd 9h 7h 8h Td 4s 9c Js 6c 7c 8c 2s 8s 6h 5c Ah 8d 2d "
                "Kc Th Ks 3c 7s 5d Kh Jc 4d 3d 4c 2h 6s 4h 9s Jh Ts 7d Qc Kd Tc Ac 3s Qh Jd Qs"
            ),
        ),
        (
            "claro",
            0,
            (
                "1 17 47 11 10 19 41 39 J5 28 15 23 46 40 32 6 20 16 9 30 38 J2 18 50 14 22 12 5 "
                "49 8 44 25 26 29 42 27 7 33 24 13 21 45 3 4 37 35 48 43 J1 J3 34 2 36 31 J4"
            ),
        ),
    ],
)
def test_the_known_answers_of_some_deals(game: str, round_: int, deck: str) -> None:
    """The shuffled deck of the seed 00 01 02 ... 1f, its top first."""
    chance = Chance(SEED, game, round_, "deal", 0)
    assert " ".join(chance.shuffled(CANONICAL[game])) == deck
    assert " ".join(shuffled(CANONICAL[game], numbers(SEED, f"|{game}|{round_}|deal|0"))) == deck


def test_the_known_answers_of_a_default_move_and_of_bots_own_seeds() -> None:
    """The seed 00 01 02 ... 1f again."""
    default = Chance(SEED, "claims", 1, "default", 1)
    assert [default.below(5) for _ in range(8)] == [2, 1, 1, 1, 2, 2, 3, 4]
    assert [bot_seed(SEED, "claims", seat) for seat in range(3)] == [
        10860656678262889953,
        14187952639360761858,
        5532986129787728121,
    ]


# --- the engine against the second derivation


@property_test
@given(seed=st.binary(min_size=32, max_size=32), ms=st.lists(st.integers(1, 65536), max_size=50))
def test_numbers_below_any_bound_are_those_of_the_second_derivation(
    seed: bytes, ms: list[int]
) -> None:
    """Large bounds reject many numbers, so the rule for drawing again is met."""
    chance = Chance(seed, "claims", 3, "reshuffle", 2)
    stream = numbers(seed, "|claims|3|reshuffle|2")
    assert [chance.below(m) for m in ms] == [below(stream, m) for m in ms]


@property_test
@given(seed=st.binary(min_size=32, max_size=32), size=st.integers(0, 2000))
def test_shuffles_of_any_size_are_those_of_the_second_derivation(seed: bytes, size: int) -> None:
    """Large ones draw again now and then; what is drawn next shows that nothing was left over."""
    chance = Chance(seed, "claro", 0, "reshuffle", 4)
    stream = numbers(seed, "|claro|0|reshuffle|4")
    cards = [str(card) for card in range(size)]
    assert chance.shuffled(cards) == shuffled(cards, stream)
    assert chance.below(65535) == below(stream, 65535)


@every_table
@property_test
@given(seed=st.binary(min_size=32, max_size=32))
def test_cards_are_dealt_one_at_a_time_clockwise_from_the_starter(
    table: Table, seed: bytes
) -> None:
    """Then the zero card, where there is one; the rest is the deck, its top first."""
    round_ = 0 if table.game == "claro" else 1
    deck = shuffled(CANONICAL[table.game], numbers(seed, f"|{table.game}|{round_}|deal|0"))
    places = {place: texts(cards) for place, cards in table.match(seed).places().items()}
    dealt = DEALT[table.game] * table.seats
    for seat in range(table.seats):
        # Hands lie in card order; who got which card is what counts.
        assert sorted(places[f"hand {seat}"]) == sorted(deck[seat : dealt : table.seats])
    rest = places.get("zero", []) + places.get("deck", places.get("draw pile", []))
    assert rest == deck[dealt:]


@pytest.mark.parametrize("game", ["claims", "claim"])
def test_later_rounds_are_dealt_from_their_own_starter(game: str) -> None:
    """Round r begins at seat (r - 1) mod n, who gets the first card (X2)."""
    state = Table(game, 3).match()
    for news in itertools.islice(steps(state, at_random), 400):
        start = news[0]
        if not isinstance(start, RoundStarted):
            continue
        deck = shuffled(BURNING, numbers(SEED, f"|{game}|{start.round}|deal|0"))
        assert start.starter == (start.round - 1) % 3
        for seat in range(3):
            first = (seat - start.starter) % 3
            assert texts(start.hands[seat]) == deck[first : 3 * DEALT[game] : 3]
    assert state.round > 3


@every_table
def test_reshuffles_and_default_moves_are_those_of_the_second_derivation(table: Table) -> None:
    """The k-th reshuffle from its cards in canonical order, the k-th turn's default by index."""
    canonical = CANONICAL[table.game]
    k = reshuffles = defaults = 0
    state = table.match()
    for news in itertools.islice(steps(state, from_deck), 400):
        round_ = 0 if table.game == "claro" else state.round
        for event in news:
            if isinstance(event, RoundStarted):
                k = 0
            if isinstance(event, Reshuffle | ClaroReshuffle):
                k += 1
                reshuffles += 1
                order = texts(event[1])
                cards = sorted(order, key=canonical.index)
                label = f"|{table.game}|{round_}|reshuffle|{k}"
                assert order == shuffled(cards, numbers(SEED, label))
                assert event.number == k
        for seat in state.to_act:
            choices = choices_of(state, seat)
            if choices:
                defaults += 1
                label = f"|{table.game}|{state.round}|default|{state.turn}"
                index = below(numbers(SEED, label), len(choices))
                assert chosen_by(state.default_action(seat)) == choices[index]
    assert reshuffles
    assert defaults


def choices_of(state: State, seat: int) -> list[str]:
    """The cards among which a default move chooses, in canonical order."""
    legal: list[Any] = list(state.legal_actions(seat))
    played = [str(action.card) for action in legal if hasattr(action, "card")]
    burned = texts(state.places()[f"hand {seat}"]) if hasattr(legal[0], "draw") else []
    return played or burned


def chosen_by(action: AnyAction) -> str:
    """The one card of a default move."""
    card = getattr(action, "card", None)
    return str(card) if card is not None else " ".join(texts(getattr(action, "cards", ())))


# --- nothing that a bot does changes anything


@every_table
def test_equal_seeds_give_equal_chance_whatever_the_bots_do(table: Table) -> None:
    """The same deals, reshuffles and defaults, as far as they choose among as many."""
    books = [book_of_chance(table, policy) for policy in (at_random, never_claim, by_default)]
    common = set(books[0]) & set(books[1]) | set(books[1]) & set(books[2])
    assert {purpose for _, _, purpose, _ in common} >= {"deal", "default"}
    for first, second in itertools.pairwise(books):
        for key in set(first) & set(second):
            agreed = itertools.takewhile(
                lambda both: both[0][0] == both[1][0], zip(first[key], second[key], strict=False)
            )
            assert all(one == other for one, other in agreed), key


#: Game, round, purpose, k.
Key: TypeAlias = tuple[Any, ...]


def book_of_chance(table: Table, policy: Policy) -> dict[Key, list[tuple[int, Any]]]:
    """All that was drawn in a match, by stream: out of how many, and what came out.

    That is a number below a bound, or how a shuffle moved so many cards.
    """
    book: dict[Key, list[tuple[int, Any]]] = {}
    keys: dict[int, Key] = {}
    init, draw, shuffle = Chance.__init__, Chance.below, Chance.shuffled

    def opened(chance: Chance, seed: bytes, *key: Any) -> None:
        assert seed == SEED, "chance comes from the match seed"
        init(chance, seed, *key)
        keys[id(chance)] = key
        book[key] = []

    def drawn(chance: Chance, m: int) -> int:
        number = draw(chance, m)
        book[keys[id(chance)]].append((m, number))
        return number

    def shuffled(chance: Chance, cards: Iterable[Any]) -> list[Any]:
        given = list(cards)
        order = shuffle(chance, given)
        book[keys[id(chance)]].append((len(given), [given.index(card) for card in order]))
        return order

    with (
        mock.patch.object(Chance, "__init__", opened),
        mock.patch.object(Chance, "below", drawn),
        mock.patch.object(Chance, "shuffled", shuffled),
    ):
        state = table.match()
        for _ in itertools.islice(steps(state, policy), 300):
            for seat in state.to_act:
                state.default_action(seat)
    return book


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_or_game_gives_another_deal(game: str) -> None:
    """Neither two seeds nor two games share a deal."""
    seats = GAMES[game].seats[0]
    deals = [Table(game, seats).match(bytes([number]) * 32).places() for number in range(20)]
    assert len({tuple(deal["hand 0"]) for deal in deals}) == len(deals)
    assert (
        Table("claims", 2).match().places()["hand 0"]
        != Table("claim", 2).match().places()["hand 0"]
    )


@every_table
def test_no_outside_chance_is_used(table: Table) -> None:
    """Python's own random numbers may do what they like."""
    random.seed(1)
    first = play_out(table.match(), never_claim).events
    random.seed(2)
    assert play_out(table.match(), never_claim).events == first


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_is_32_bytes(length: int) -> None:
    """Any other length is refused."""
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        Chance(bytes(length), "claims", 1, "deal", 0)
