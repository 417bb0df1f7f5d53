"""Playing cards as SVG, drawn by us: a rank, a suit, and whether the card costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from arena.app.pictures.svg import BACK, GOLD, INK, LINE, RED, group, moved, text
from arenabot.cards import RANKS, SUITS, Card

WIDTH, HEIGHT = 62, 88
GAP = 8

# Each suit in a square of 20 by 20.
_SUITS = {
    "s": "M10 1C7 6 1 8 1 13a4 4 0 0 0 8 1q0 3-2 5h6q-2-2-2-5a4 4 0 0 0 8-1C19 8 13 6 10 1Z",
    "h": "M10 19C4 14 1 10 1 6a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 4-3 8-9 13Z",
    "d": "M10 0 18 10 10 20 2 10Z",
    "c": "M10 1a4 4 0 0 1 3 7 4 4 0 1 1-2 6q0 3 2 5H7q2-2 2-5a4 4 0 1 1-2-6 4 4 0 0 1 3-7Z",
}


def card(shown: Card, *, zero: bool = False) -> str:
    """A card face up; one that costs nothing has a golden rim."""
    suit = SUITS[shown.suit]
    colour = RED if suit in "hd" else INK
    rank = RANKS[shown.rank].replace("T", "10")
    return group(
        str(shown),
        [
            _blank("#ffffff", GOLD if zero else LINE, 4 if zero else 1.5),
            text(15, 25, rank, size=20, fill=colour, weight="bold"),
            f'<path transform="translate(21 44) scale(1.6)" d="{_SUITS[suit]}" fill="{colour}"/>',
        ],
    )


def back() -> str:
    """A card face down."""
    return _blank(BACK, "#ffffff", 2) + (
        f'<rect x="7" y="7" width="{WIDTH - 14}" height="{HEIGHT - 14}" rx="4" fill="none"'
        ' stroke="#ffffff" stroke-opacity="0.6" stroke-width="2"/>'
    )


def row(cards: Sequence[Card], zero_rank: int, *, raised: Sequence[Card] = ()) -> str:
    """Cards side by side, those that are ``raised`` a little higher."""
    return "".join(
        moved(
            at * (WIDTH + GAP),
            -18 if shown in raised else 0,
            card(shown, zero=zero_rank == shown.rank),
        )
        for at, shown in enumerate(cards)
    )


def row_width(count: int) -> int:
    """How wide a row of so many cards is."""
    return count * WIDTH + (count - 1) * GAP


def pile(count: int) -> str:
    """A pile face down, the thicker the more cards it has."""
    return "".join(moved(-2.0 * at, -2.0 * at, back()) for at in range(min(4, 1 + count // 12)))


def _blank(fill: str, stroke: str, thick: float) -> str:
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="{fill}" stroke="{stroke}"'
        f' stroke-width="{thick:g}"/>'
    )
