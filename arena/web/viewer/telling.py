"""Tells each line of a match in one sentence, with marks for cards and players (`words`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.match.replay import Line
from arena.web.viewer.position import Position
from arena.web.viewer.words import words
from arenabot.cards import Card, points


class Told(NamedTuple):
    """What is said of a step."""

    #: To whom may know everything that the line says.
    all: str
    #: To everybody else at the table, where that is less; the step's own seat may know all.
    veiled: str | None = None


class Teller:
    """Speaks one language about one match."""

    def __init__(self, header: Line, language: str = "en") -> None:
        """Learn from the header what is played."""
        self._game: str = header["game"]
        self._words = words(language, self._game)

    def tell(self, line: Line, before: Position) -> Told:
        """Say what a line brought to a position."""
        tell = getattr(self, f"_{line['type']}", None)
        return Told("") if tell is None else tell(line, before)

    def _say(self, name: str, **parts: object) -> str:
        return self._words[name] % parts

    def _count(self, count: int) -> str:
        return self._say("a card") if count == 1 else self._say("cards", count=count)

    def _round(self, line: Line, _: Position) -> Told:
        deck = self._say("in the deck", cards=self._count(_size(line)))
        told = {"round": line["round"], "starter": line["starter"], "zero": line["zero"]}
        return Told(self._say(f"deal.{self._game}", deck=deck, **told))

    def _turn(self, line: Line, before: Position) -> Told:
        action, drawn = line["action"], line["drawn"]
        if "claim" in action:
            cost = before.costs[line["seat"]]
            veiled = self._say("claims")
            if cost is None:
                return Told(veiled)
            return Told(self._say("claims with", cost=cost), veiled)
        burns = self._say(f"burn.{self._game}", cards=_marks(action["burn"]))
        if action["draw"] == "pile":
            return Told(self._say("takes", burns=burns, drawn=drawn))
        veiled = self._say("draws unseen", burns=burns)
        if drawn is None:
            return Told(veiled)
        return Told(self._say("draws", burns=burns, drawn=drawn), veiled)

    def _reshuffle(self, line: Line, _: Position) -> Told:
        name = "reshuffle.claro" if self._game == "claro" else "reshuffle"
        return Told(self._say(name, cards=self._count(_size(line))))

    def _round_end(self, line: Line, before: Position) -> Told:
        if "points" not in line:
            why = self._say(line["reason"])
            return Told(self._say("star", winner=line["winner"], why=why))
        adds = ", ".join(
            self._say("adds", seat=seat, points=added) for seat, added in enumerate(line["points"])
        )
        claimer = line["claimer"]
        if claimer is None:
            return Told(f"{self._say('round over', why=self._say(line['reason']))}. {adds}")
        zero = Card(before.zero or "")
        costs = [points(map(Card, hand), zero) for hand in line["hands"]]
        others = ", ".join(str(cost) for seat, cost in enumerate(costs) if seat != claimer)
        against = self._say("against", cost=costs[claimer], others=others)
        name = "claim holds" if line["success"] else "claim fails"
        return Told(f"{self._say(name, claimer=claimer, costs=against)}. {adds}")

    def _play(self, line: Line, _: Position) -> Told:
        return Told(self._say("play", card=line["card"]))

    def _pass(self, _line: Line, _: Position) -> Told:
        return Told(self._say("pass"))

    def _discard(self, line: Line, _: Position) -> Told:
        if not line["cards"]:
            return Told(self._say("discard none"))
        return Told(self._say("discard", cards=_marks(line["cards"])))

    def _refill(self, line: Line, _: Position) -> Told:
        if "cards" not in line:
            return Told(self._say("refill", cards=self._count(line["drawn"])))
        veiled = self._say("refill", cards=self._count(len(line["cards"])))
        return Told(self._say("refill", cards=_marks(line["cards"])), veiled)

    def _result(self, line: Line, _: Position) -> Told:
        winners = [seat for seat, rank in enumerate(line["ranks"]) if rank == 1]
        how = "wins" if len(winners) == 1 else "shares"
        told = ", ".join(self._say(how, seat=seat) for seat in winners)
        return Told(self._say("result", why=self._say(line["reason"]), winners=told))


def _marks(cards: Iterable[str]) -> str:
    return " ".join(f"{{{card}}}" for card in cards)


def _size(line: Line) -> int:
    return int(line["deck_size"]) if "deck_size" in line else len(line["deck"])
