"""The rules that people read say what the engine does."""

import re

import pytest

from arena.app.errors import WrongCall
from arena.app.rulebook import LANGUAGES, rules
from arena.games import GAMES, game
from arenabot.cards import POINTS, cards, points
from arenabot.claro import ClaroCard, standard_deck

TEXTS = [(name, language) for name, languages in LANGUAGES.items() for language in languages]
#: Claims and Claim!, which are told in the same shape.
BURNING = [(name, language) for name, language in TEXTS if name != "claro"]


def rows(text: str) -> list[list[str]]:
    """All rows of all tables."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]


def test_every_game_has_its_rules() -> None:
    """No game without a text, no text without a game, and Claim! in Romanian too."""
    assert set(LANGUAGES) == set(GAMES)
    assert "ro" in LANGUAGES["claim"]
    for name, language in TEXTS:
        assert rules(name, language).startswith(f"# {game(name).name}\n")


def test_the_first_language_is_shown_where_nobody_asks() -> None:
    """A language that isn't there is a wrong call that names those that are."""
    assert rules("claim") == rules("claim", "en")
    with pytest.raises(WrongCall, match="en, ro"):
        rules("claim", "fr")
    with pytest.raises(WrongCall, match="claims, claim, claro"):
        rules("poker")


@pytest.mark.parametrize(("name", "language"), BURNING)
def test_the_decks_are_as_large_as_the_engine_deals_them(name: str, language: str) -> None:
    """For each number of players, from the fewest to the most."""
    table = rows(rules(name, language))
    (at,) = (
        number
        for number, row in enumerate(table)
        if row[1:] == [str(seats) for seats in game(name).seats]
    )
    dealt = [
        len(game(name).new_match(seats=seats, seed=bytes(32)).places()["deck"])
        for seats in game(name).seats
    ]
    assert [int(cell) for cell in table[at + 1][1:]] == dealt


@pytest.mark.parametrize(("name", "language"), BURNING)
def test_the_cards_cost_what_the_engine_says(name: str, language: str) -> None:
    """Ace, jack, queen and king; a card of the zero rank costs nothing."""
    costs = [row[1] for row in rows(rules(name, language))[1:7]]
    assert [costs[0], *costs[2:]] == [str(POINTS[0]), *map(str, POINTS[10:]), "0"]


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_option_is_there_with_its_default(name: str, language: str) -> None:
    """And none that the game doesn't have."""
    told = {
        row[0].strip("`"): row[2] for row in rows(rules(name, language)) if row[0].startswith("`")
    }
    known = game(name).options().as_dict()
    assert set(told) == set(known)
    for option, default in known.items():
        assert default is None or told[option] == str(default)


def test_the_targets_of_claims_are_those_it_takes() -> None:
    """The table lists each of them."""
    (values,) = (row[1] for row in rows(rules("claims")) if row[0] == "`target`")
    for target in values.split(", "):
        assert game("claims").options({"target": int(target)})


def test_the_round_that_is_shown_adds_up() -> None:
    """The example's hands cost what it says after every move (RULINGS, Claims 15)."""
    zero = cards("7s")[0]
    hands = [list(cards("Ks Kh 9s 4s As")), list(cards("Qs Js 7h 7d 2s"))]
    moves = [row for row in rows(rules("claims")) if len(row) == 5 and row[0].isdigit()]
    assert len(moves) == 8
    for move in moves[:-1]:
        seat, drawn = int(move[1]), re.findall(r"^\w\w", move[3])[0]
        for card in cards(move[2]):
            hands[seat].remove(card)
        hands[seat] += cards(drawn)
        assert points(hands[seat], zero) == int(move[4])
    assert moves[-1][2] == f"claims with {points(hands[1], zero)}"
    assert f"Seat 0 adds {points(hands[0], zero)}" in rules("claims")


def test_what_fits_in_claro_fits_by_the_deck() -> None:
    """Each line of the example, by the deck that comes with the game."""
    deck = standard_deck()
    examples = [row for row in rules_table("claro") if len(row) == 3 and row[1][:1].isdigit()]
    assert len(examples) == 4
    for top, hand, fits in examples:
        cards_ = {name: ClaroCard("J1" if name == "J" else name) for name in hand.split()}
        # Two jokers never meet in an example, so which joker it is makes no difference.
        on = ClaroCard("J2" if top == "J" else top)
        assert [name for name, card in cards_.items() if deck.fits(card, on)] == fits.split(", ")


def rules_table(name: str) -> list[list[str]]:
    """The tables of a game's rules in English."""
    return [row for row in rows(rules(name)) if not row[0].startswith("`")]
