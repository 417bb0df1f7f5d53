"""Draws the rounds of Claro."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console import NOTHING, Holding, counted
from arena.cli.drawing_burn import deck_size
from arena.match.replay import Line
from arenabot.claro import ClaroCard, ClaroOptions

_STAR = "★"
#: A deck names its colours; terminals know a few of them.
_STYLES = {"yellow": "yellow", "blue": "bright_blue", "pink": "magenta"}
_REASONS = {"passed": "all others have passed", "played_out": "all cards are played"}


class ClaroScene:
    """A round of playing, passing, discarding and refilling."""

    def __init__(self, header: Line, seats: list[str], eyes: int | None) -> None:
        """``eyes`` is the seat that looks; ``None`` sees everything."""
        self._deck = ClaroOptions.of(header["options"]).deck
        self._seats = seats
        self._eyes = eyes
        #: A card that nobody may see is None.
        self._hands: list[list[ClaroCard | None]] = []

    def begin(self, line: Line) -> tuple[Text, list[Holding]]:
        """Take the hands in."""
        if "hands" in line:
            self._hands = [list(_cards(hand)) for hand in line["hands"]]
        else:  # of a match in play
            self._hands = [[None] * size for size in line["hand_sizes"]]
        heading = Text.assemble(
            (f"Round {line['round']}", "bold"),
            f": {self._seats[line['starter']]} leads, ",
            f"{counted(deck_size(line), 'card')} in the draw pile",
        )
        return heading, [self._hand(seat) for seat in range(len(self._hands))]

    def see(self, line: Line) -> Iterator[tuple[Text, Holding]]:
        """Follow whatever happened."""
        kind, seat = line["type"], line.get("seat", 0)
        if kind == "play":
            card = ClaroCard(line["card"])
            self._take(seat, card)
            yield Text.assemble("plays ", self._shown([card])), self._hand(seat)
        elif kind == "pass":
            yield Text("passes", "dim"), self._hand(seat)
        elif kind == "discard":
            away = _cards(line["cards"])
            for card in away:
                self._take(seat, card)
            what = self._shown(away) if away else Text("nothing")
            yield Text.assemble("discards ", what), self._hand(seat)
        elif kind == "refill":
            drawn = _cards(line.get("cards", ()))
            self._hands[seat] += drawn or [None] * line.get("drawn", 0)
            many = len(drawn) or line.get("drawn", 0)
            what = self._shown(drawn) if self._sees(seat) else Text(counted(many, "card"))
            yield Text.assemble("draws ", what), self._hand(seat)
        elif kind == "reshuffle":
            told = f"the discards become a new draw pile of {counted(deck_size(line), 'card')}"
            yield Text(told, "dim"), NOTHING

    def end(self, line: Line) -> RenderableType:
        """Say who gets the star."""
        stars = ", ".join(
            f"{seat} {_STAR * count or '-'}"
            for seat, count in zip(self._seats, line["stars"], strict=True)
        )
        return Text.assemble(
            (f"{self._seats[line['winner']]} wins the round", "bold green"),
            f" ({_REASONS[line['reason']]}): {stars}",
        )

    def _sees(self, seat: int) -> bool:
        return self._eyes in {None, seat}

    def _hand(self, seat: int) -> Holding:
        hand = self._hands[seat]
        if not self._sees(seat):
            return Text(counted(len(hand), "card"), "dim"), ""
        known = sorted(card for card in hand if card is not None)
        return self._shown(known) if hand else Text("no cards", "dim"), ""

    def _take(self, seat: int, card: ClaroCard) -> None:
        """Take a card out of a hand, where it may be one that nobody has seen."""
        hand = self._hands[seat]
        hand.remove(card if card in hand else None)

    def _shown(self, cards: Iterable[ClaroCard]) -> Text:
        return Text(" ").join(self._card(card) for card in cards)

    def _card(self, card: ClaroCard) -> Text:
        stars = [(_STAR, _STYLES.get(name, "")) for name in self._deck.colours_of(card)]
        return Text.assemble((str(card), "bold"), *stars)


def _cards(names: Iterable[str]) -> list[ClaroCard]:
    return [ClaroCard(name) for name in names]
