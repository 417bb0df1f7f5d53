"""Claro's cards and decks: numbers 1 to 50, five star jokers, and who shows which stars.

A card's text form is its number, or ``J1`` to ``J5`` for the jokers.  Which stars a card shows is
the deck's business: the printed list is not public, and another deck can be given (Claro 1).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeGuard

from arenabot.options import OptionError

NUMBERS: Final = 50
JOKERS: Final = 5
COLOURS: Final = 3


class ClaroCard(int):
    """One of the 55 cards.  ``ClaroCard("44")``, ``ClaroCard("J1")``.

    Its integer value is its place in canonical order: 0 to 49 for the numbers 1 to 50, then the
    jokers (RULINGS X6).  Raises ``ValueError`` for a text or place that names no card.
    """

    #: The number shown; ``None`` for a joker, which has none.
    number: int | None
    #: One bit of its own, so that a hand is one integer.
    bit: int

    def __new__(cls, name: str | int) -> ClaroCard:  # noqa: PYI034 - always one of the 55
        """Look the card up: there are only ever 55."""
        card = _BY_NAME.get(name)
        if card is None:
            raise ValueError(f"no such card: {name!r} (a card of Claro is 1 to 50, or J1 to J5)")
        return card

    @property
    def joker(self) -> bool:
        """Whether this is a star joker."""
        return self.number is None

    def __bool__(self) -> bool:
        """A card is true, also the 1, whose place is 0."""
        return True

    def __str__(self) -> str:
        """The text form, e.g. ``44`` or ``J1``."""
        return str(self.number) if self.number is not None else f"J{self - NUMBERS + 1}"

    def __repr__(self) -> str:
        return f"ClaroCard({str(self)!r})"

    def __reduce__(self) -> tuple[type[ClaroCard], tuple[int]]:
        return ClaroCard, (int(self),)

    def __copy__(self) -> ClaroCard:
        return self

    def __deepcopy__(self, memo: object) -> ClaroCard:
        return self


def _make(place: int) -> ClaroCard:
    card = int.__new__(ClaroCard, place)
    card.number = place + 1 if place < NUMBERS else None
    card.bit = 1 << place
    return card


_BY_NAME: dict[str | int, ClaroCard] = {}

#: All 55 cards in canonical order.
CLARO_CARDS: Final[tuple[ClaroCard, ...]] = tuple(map(_make, range(NUMBERS + JOKERS)))

_BY_NAME.update({str(card): card for card in CLARO_CARDS})
_BY_NAME.update({int(card): card for card in CLARO_CARDS})


def claro_cards(text: str) -> tuple[ClaroCard, ...]:
    """Read cards from their text forms: ``claro_cards("44 12 J1")``."""
    return tuple(ClaroCard(name) for name in text.replace(",", " ").split())


@dataclass(frozen=True, slots=True)
class ClaroDeck:
    """Which stars every card shows.  Made by ``of`` from a deck file's contents.

    ``stars`` holds, by card, a bit for each colour in the order of ``colours``.
    """

    name: str
    colours: tuple[str, ...]
    stars: tuple[int, ...]
    #: By card, the cards that fit on it, as the union of their bits.
    fitting: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once what fits on what."""
        fitting = tuple(
            sum(card.bit for card in CLARO_CARDS if self.fits(card, top)) for top in CLARO_CARDS
        )
        object.__setattr__(self, "fitting", fitting)

    def fits(self, card: ClaroCard, top: ClaroCard) -> bool:
        """Whether ``card`` may be put on ``top``: a higher number or a star in common (Claro 3)."""
        if self.stars[card] & self.stars[top]:
            return True
        return card.number is not None and top.number is not None and card.number > top.number

    def colours_of(self, card: ClaroCard) -> tuple[str, ...]:
        """The colours of the stars that ``card`` shows."""
        return tuple(colour for at, colour in enumerate(self.colours) if self.stars[card] >> at & 1)

    def as_dict(self) -> dict[str, Any]:
        """The deck as a deck file holds it, so that a replay can carry it."""
        return {
            "name": self.name,
            "star_colours": list(self.colours),
            "cards": [
                {"id": str(card), "number": card.number, "stars": list(self.colours_of(card))}
                for card in CLARO_CARDS
            ],
        }

    @classmethod
    def of(cls, contents: Any) -> ClaroDeck:
        """Read a deck file's contents; ``OptionError`` says what is wrong with it (Claro 1)."""
        if not isinstance(contents, Mapping):
            raise OptionError("a Claro deck must be a JSON object with star_colours and cards")
        colours = contents.get("star_colours")
        if not _is_texts(colours) or len(set(colours)) != COLOURS or len(colours) != COLOURS:
            raise OptionError(f"a Claro deck must have {COLOURS} different star_colours")
        entries = contents.get("cards")
        count = NUMBERS + JOKERS
        if not isinstance(entries, list) or len(entries) != count:
            raise OptionError(f"a Claro deck must list {count} cards")
        stars: dict[ClaroCard, int] = {}
        ids: set[str] = set()
        for entry in entries:
            _read_card(entry, colours, stars, ids)
        return cls(
            name=str(contents.get("name", "unnamed")),
            colours=tuple(colours),
            stars=tuple(stars[card] for card in CLARO_CARDS),
        )


def _read_card(entry: Any, colours: list[str], stars: dict[ClaroCard, int], ids: set[str]) -> None:
    """Read one card of a deck file into ``stars``."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
        raise OptionError("every card of a Claro deck must be an object with an id")
    id_, number, shown = entry["id"], entry.get("number"), entry.get("stars")
    if id_ in ids:
        raise OptionError(f"the Claro deck has two cards with the id {id_!r}")
    ids.add(id_)
    if not _is_texts(shown) or len(set(shown)) != len(shown) or not set(shown) <= set(colours):
        raise OptionError(f"card {id_!r} of the Claro deck must list known colours, each once")
    if number is None:
        if len(shown) != COLOURS:
            raise OptionError(f"joker {id_!r} of the Claro deck must show a star of every colour")
        place = NUMBERS + sum(1 for card in stars if card.joker)
        if place >= NUMBERS + JOKERS:
            raise OptionError(f"a Claro deck must have {JOKERS} jokers, cards without a number")
    else:
        if type(number) is not int or not 1 <= number <= NUMBERS:
            raise OptionError(f"card {id_!r} of the Claro deck must have a number from 1 to 50")
        place = number - 1
    card = CLARO_CARDS[place]
    if card in stars:
        raise OptionError(f"the Claro deck has the number {number} twice")
    stars[card] = sum(1 << colours.index(colour) for colour in shown)


def _is_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def deck_contents() -> Any:
    """The standard deck's file, as JSON reads it."""
    # Only Claro's own bots and matches need it, and it takes as long to import as all the rest.
    from importlib.resources import files  # noqa: PLC0415

    return json.loads(files("arenabot.claro").joinpath("deck.json").read_text("utf-8"))


@cache
def standard_deck() -> ClaroDeck:
    """The deck that comes with the game: a reconstruction, as its file says."""
    return ClaroDeck.of(deck_contents())


def cards_of(hand: int) -> tuple[ClaroCard, ...]:
    """The cards whose bits make up ``hand``, in card order."""
    found = []
    while hand:
        bit = hand & -hand
        found.append(CLARO_CARDS[bit.bit_length() - 1])
        hand ^= bit
    return tuple(found)


def bits_of(cards: Iterable[ClaroCard]) -> int:
    """The union of the cards' bits."""
    bits = 0
    for card in cards:
        bits |= card.bit
    return bits
