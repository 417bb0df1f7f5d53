"""A house in which people play, without a worker: a test says what is asked and what happens."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Sequence
from types import SimpleNamespace
from typing import Any

from arena.app.conducting.hub import Hub
from arena.app.conducting.inviting import Opponent, Wish
from arena.app.conducting.people import HouseRules, LiveTable, People
from arena.app.options import game_of
from arena.app.tournaments.live import Playing
from arena.match.replay import Line
from arena.match.spectating import seen_by
from arena.players.choices import Choices
from arena.players.person import Question, Settled
from arena.store import NewPersonMatch, PersonMatch, PersonResult, SeatedBot, Store
from arena.tournament.frames import Answered

SAMPLES = (
    Opponent("sample/greedy", "greedy", "1"),
    Opponent("sample/random", "random", "1"),
)
OWN = Opponent("mine:2", "mine", "2", author="ana", own=True)
STRONG = Opponent("bot0:1", "bot0", "1", author="bob")


class House(People):
    """Its tables are begun at once, and nobody plays at them."""

    def __init__(self, store: Store) -> None:
        self._back: Any = SimpleNamespace(store=store, hub=Hub())
        self._tables = {}
        self.house = HouseRules()
        self.wishes: list[Wish] = []
        self.known: Sequence[Opponent] = (*SAMPLES, OWN, STRONG)
        #: Among which bots of others its opponents were asked for.
        self.asked_for: list[Collection[str] | None] = []
        #: What each person has said, in order; None: has left.
        self.said: list[Answered | None] = []

    def opponents(
        self, game: str, author: str, among: Collection[str] | None = None
    ) -> list[Opponent]:
        game_of(game)
        self.asked_for.append(among)
        return list(self.known)

    async def sit_down(self, wish: Wish, author: str) -> str:
        await asyncio.to_thread(self._seated, wish, author)
        self.wishes.append(wish)
        return self.seat(wish, author).match.id

    def _find(self, chosen: str) -> Any:
        return chosen

    def seat(self, wish: Wish, author: str) -> LiveTable:
        """Give somebody a table."""
        seat, size = wish.seat or 0, len(wish.opponents) + 1
        bots: list[SeatedBot | None] = [None] * size
        for step, chosen in enumerate(wish.opponents, start=1):
            bots[(seat + step) % size] = SeatedBot(*_name(chosen), "0" * 64)
        people = self._back.store.people
        new = NewPersonMatch(
            secrets.token_hex(8), author, wish.game, dict(wish.options), seat, tuple(bots)
        )
        people.want(new)
        table = self._tables[new.id] = LiveTable(people.begin(new.id))
        table.chair.begin(lambda said: self._say(table, said))
        return table

    def _say(self, table: LiveTable, said: Answered | None) -> None:
        self.said.append(said)
        if said is not None:
            table.chair.hear(Settled(said.number, answered=True))

    def end(self, table: LiveTable, replay: bytes = b"", **told: Any) -> PersonMatch:
        """A match was played to its end; the best seat is the person's, unless `told` says so."""
        size = len(table.match.bots)
        totals = told.pop("totals", tuple(range(size)))
        result = PersonResult(
            "target", 3, totals, tuple(range(1, size + 1)), (0,) * size, (None,) * size
        )
        ended: PersonMatch = self._back.store.people.end(table.match.id, result, replay)
        self.over(table)
        return ended

    def interrupt(self, table: LiveTable, why: str) -> None:
        """A match was cut off."""
        self._back.store.people.interrupt(table.match.id, why)
        self.over(table)

    def over(self, table: LiveTable) -> None:
        """Nobody plays at a table any more."""
        del self._tables[table.match.id]
        table.chair.broadcast.end()
        table.chair.end()


class Stage:
    """Stands for the conductor."""

    def __init__(self, store: Store) -> None:
        self.hub = Hub()
        self.people = House(store)

    def playing(self, _tournament_id: int) -> Playing:
        return Playing()


def _name(chosen: str) -> tuple[str, str]:
    kind, _, sample = chosen.rpartition("/")
    name, _, number = chosen.partition(":")
    return (sample, "1") if kind else (name, number)


async def ask(table: LiveTable, number: int, choices: Choices, seconds: float = 20.0) -> None:
    """Ask the person something."""
    table.chair.hear(Question(number, seconds, choices))


def tell(table: LiveTable, lines: Sequence[Line], before: int = 0) -> None:
    """Let the person see what a replay's lines tell of the match."""
    seen = [line for each in lines if (line := seen_by(each, table.match.seat)) is not None]
    table.chair.broadcast.add(before, seen)
