"""Draws the rounds of Claims and Claim!."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from arena.cli.console import FAULT, NOTHING, Holding, counted, table
from arena.match.replay import Line
from arenabot.cards import Card, points

#: Four colours, so that suits are told apart at a glance.
_SUITS = (("♠", "bold"), ("♥", "red"), ("♦", "bright_blue"), ("♣", "green"))
_REASONS = {
    "deck": "the deck is used up",
    "max_laps": "no more laps may be played",
    "stall_laps": "nobody has drawn from the deck for too long",
}


class BurnScene:
    """A round of burning, drawing and claiming."""

    def __init__(self, header: Line, seats: list[str], eyes: int | None) -> None:
        """``eyes`` is the seat that looks; ``None`` sees everything."""
        self._claims = header["game"] == "claims"
        self._seats = seats
        self._eyes = eyes
        #: A card that nobody may see is None.
        self._hands: list[list[Card | None]] = []
        self._zero = Card("As")

    def begin(self, line: Line) -> tuple[Text, list[Holding]]:
        """Take the deal in."""
        self._zero = Card(line["zero"])
        if "hands" in line:
            self._hands = [list(_cards(hand)) for hand in line["hands"]]
        else:  # of a match in play
            self._hands = [[None] * size for size in line["hand_sizes"]]
        heading = Text.assemble(
            (f"Round {line['round']}", "bold"),
            f": {self._seats[line['starter']]} begins, the ",
            "joker" if self._claims else "trump",
            " card is ",
            shown([self._zero]),
            f", {counted(deck_size(line), 'card')} in the deck",
        )
        return heading, [self._hand(seat) for seat in range(len(self._hands))]

    def see(self, line: Line) -> Iterator[tuple[Text, Holding]]:
        """Follow a turn or a new deck."""
        if line["type"] == "reshuffle":
            told = f"the pile becomes a new deck of {counted(deck_size(line), 'card')}"
            yield Text(told, "dim"), NOTHING
        elif line["type"] == "turn":
            yield self._turn(line["seat"], line["action"], line["drawn"])

    def _turn(self, seat: int, action: Line, drawn: str | None) -> tuple[Text, Holding]:
        if "burn" not in action:
            cost = f" with {points(self._open(seat), self._zero)}" if self._sees(seat) else ""
            return Text(f"claims{cost}", "bold magenta"), NOTHING
        burned = _cards(action["burn"])
        hand = [card for card in self._hands[seat] if card not in burned]
        for _ in range(len(hand) + len(burned) - len(self._hands[seat])):
            hand.remove(None)
        self._hands[seat] = [*hand, None if drawn is None else Card(drawn)]
        pile = action["draw"] == "pile"
        return Text.assemble(
            "burns " if self._claims else "discards ",
            shown(burned),
            ", takes " if pile else ", draws ",
            shown([Card(drawn)]) if drawn and (pile or self._sees(seat)) else "a card",
            " from the pile" if pile else "",
        ), self._hand(seat)

    def end(self, line: Line) -> RenderableType:
        """Lay all hands open."""
        rows = [
            (seat, shown(hand), points(hand, self._zero), added, total)
            for seat, hand, added, total in zip(
                self._seats, map(_cards, line["hands"]), line["points"], line["totals"], strict=True
            )
        ]
        heading = ("seat", "hand", "cost>", "adds>", "total>")
        return Group(self._why(line), table(heading, rows))

    def _why(self, line: Line) -> Text:
        if line["claimer"] is None:
            return Text(f"The round is over: {_REASONS[line['reason']]}", "bold")
        held, style = ("holds", "bold green") if line["success"] else ("fails", FAULT)
        return Text(f"The claim of {self._seats[line['claimer']]} {held}", style)

    def _sees(self, seat: int) -> bool:
        return self._eyes in {None, seat}

    def _hand(self, seat: int) -> Holding:
        hand = self._hands[seat]
        if not self._sees(seat):
            return Text(counted(len(hand), "card"), "dim"), ""
        return shown(self._open(seat)), str(points(self._open(seat), self._zero))

    def _open(self, seat: int) -> list[Card]:
        return [card for card in self._hands[seat] if card is not None]


def deck_size(line: Line) -> int:
    """How many cards are in the deck, whether or not they are told."""
    size: int = len(line["deck"]) if "deck" in line else line["deck_size"]
    return size


def _cards(names: Iterable[str]) -> list[Card]:
    return [Card(name) for name in names]


def shown(hand: Iterable[Card]) -> Text:
    """Cards as people know them: ``10♠ K♥``."""
    return Text(" ").join(_card(card) for card in hand)


def _card(card: Card) -> Text:
    suit, style = _SUITS[card.suit]
    return Text(f"{str(card)[0].replace('T', '10')}{suit}", style)
