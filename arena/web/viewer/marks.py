"""Turns the marks of a told step into markup: cards as people know them, players by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from arena.match.replay import Line
from arenabot.claro import ClaroCard, ClaroOptions

_MARK = re.compile(r"\{(@?)(\w+)\}")
_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def marker(header: Line) -> Callable[[str], Markup]:
    """What puts a match's cards and names in the place of marks, everything escaped."""
    names = [str(seat["bot"]) for seat in header["seats"]]
    stars = claro_stars(header)

    def shown(found: re.Match[str]) -> str:
        if found.group(1):
            return Markup('<b class="player">{}</b>').format(names[int(found.group(2))])
        return card_text(found.group(2), stars)

    # Texts are the teller's: apart from marks they hold nothing that needs to be escaped twice.
    return lambda text: Markup(_MARK.sub(shown, str(escape(text))))  # noqa: S704 - escaped above


def card_text(code: str, stars: Mapping[str, Sequence[int]] | None = None) -> Markup:
    """A card in a line of text: ``K♥``, or Claro's ``44`` with its stars."""
    if stars is None:
        suit = code[-1]
        rank = code[:-1].replace("T", "10")
        return Markup('<span class="card-{}">{}{}</span>').format(suit, rank, _SUITS[suit])
    shown = Markup("").join(
        Markup('<i class="star-{}">★</i>').format(colour) for colour in stars[code]
    )
    name = "J" if code.startswith("J") else code
    return Markup('<span class="card-n">{}{}</span>').format(name, shown)


def claro_stars(header: Line) -> dict[str, list[int]] | None:
    """By card of Claro, which of the deck's colours it shows, as numbers; None in other games."""
    if header["game"] != "claro":
        return None
    deck = ClaroOptions.of(header["options"]).deck
    return {
        str(card): [deck.colours.index(colour) for colour in deck.colours_of(card)]
        for card in map(ClaroCard, range(len(deck.stars)))
    }


def star_colours(header: Line) -> Sequence[Any]:
    """The names of the deck's colours; none in other games."""
    return ClaroOptions.of(header["options"]).deck.colours if header["game"] == "claro" else ()
