"""What commands ask an arena for, whether it lies on this machine or behind a server.

Two kinds of desk answer: `arena.app.store_desk` over a store, `arena.client.desk` over a server.
Both give the same records, so whoever shows them need not know which one was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from arena.app.exports.export import Exported
from arena.app.rankings import raters
from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Duel, Ranked
from arena.app.tournaments.live import Playing
from arena.app.tournaments.setting_up import Created, Plan
from arena.store import (
    BotVersion,
    League,
    Progress,
    StoredMatch,
    StoredResult,
    StoredSubmission,
    Tournament,
    Void,
)


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """All that is told of a match."""

    match: StoredMatch
    result: StoredResult | None
    #: Whether its replay may be had.
    released: bool
    #: What we spoilt of it; a server does not tell.
    voids: tuple[Void, ...] = ()


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose ranking is asked for: a tournament's, a league's or, without either, a game's."""

    game: str | None = None
    league: str | None = None
    tournament: str | None = None


@dataclass(frozen=True, slots=True)
class ShownRanking:
    """A ranking of a game, of a league or of one tournament."""

    game: str
    #: The best first.
    ranked: Sequence[Ranked]
    #: By name, those that it was worked out from.
    tournaments: Sequence[str]
    #: By tournament, how many blocks are left out.
    left_out: dict[str, int]
    #: What any two did, if that was asked for.
    duels: Sequence[Duel] | None


@dataclass(frozen=True, slots=True)
class Asked:
    """Which duels are wanted: none, all, or those of one bot."""

    head_to_head: bool = False
    against: str | None = None

    def __bool__(self) -> bool:
        return self.head_to_head or self.against is not None


@dataclass(frozen=True, slots=True)
class News:
    """How far a watched tournament is now, and which matches have ended since the last news."""

    progress: Progress
    playing: Playing
    ended: Sequence[ShownMatch] = ()


class Desk(Protocol):
    """An arena. Every method may raise ArenaError and what else is for people to read."""

    # Bots

    def submit(self, path: Path, tell: Callable[[StoredSubmission], None]) -> BotVersion:
        """Hand a bot in; `tell` hears of each state on the way to its being a version."""

    def versions(self) -> Sequence[BotVersion]:
        """All versions of all bots, by bot and number."""

    def bot(self, name: str) -> tuple[Sequence[BotVersion], dict[int, list[str]]]:
        """One bot's versions, and by their numbers the tournaments in which they play."""

    def retire(self, name: str) -> None:
        """Take `bot`, or one version `bot:number`, out of what can be entered."""

    def submission_log(self, of: str) -> tuple[StoredSubmission, bytes]:
        """A submission, by its id or as a bot's newest, and what building and trying it printed."""

    # Tournaments

    def create(self, wanted: Plan, bots: Sequence[str]) -> tuple[Created, Progress]:
        """Set a tournament up; without bots it is open for entry."""

    def enter(self, name: str, bot: str) -> tuple[str, int]:
        """Enter a bot; gives what was entered, and how many bots there are now."""

    def leave(self, name: str, bot: str) -> None:
        """Take a bot out while entry is open."""

    def open_entry(self, name: str) -> None:
        """Open entry again."""

    def close_entry(self, name: str) -> None:
        """End entry."""

    def draw(self, name: str) -> Created:
        """End entry and draw the schedule."""

    def withdraw(self, name: str, bot: str, *, why: str, annul: bool) -> tuple[Progress, int]:
        """Take an entry out for good; gives how far it is, and how many blocks are left out."""

    def cancel(self, name: str) -> None:
        """Stop a tournament for good."""

    def tournaments(self, game: str | None) -> Sequence[tuple[Tournament, Progress]]:
        """All tournaments in the order of their creation."""

    def tournament(self, name: str) -> tuple[Tournament, Progress]:
        """One tournament, and how far it is."""

    def overview(self, name: str, asked: Asked) -> tuple[Overview, Sequence[Duel] | None]:
        """A tournament with its ranking, and the duels that are asked for."""

    def matches(self, name: str) -> tuple[Tournament, Sequence[ShownMatch]]:
        """All matches of a tournament, in schedule order."""

    def match(self, name: str, match: str) -> tuple[Tournament, ShownMatch]:
        """One match, by the beginning of its id."""

    def seat_log(self, name: str, match: str, seat: int) -> tuple[str, bytes]:
        """The name of the bot in a seat, and what it printed."""

    def export(self, name: str, target: Path) -> Exported:
        """Write a tournament to a folder, or its results to a file."""

    def watch(self, name: str) -> Iterator[News]:
        """A tournament now and after each change, until it has ended."""

    def watch_match(self, name: str, match: str | None) -> Iterator[dict[str, Any]]:
        """The lines of a match in play, without what is hidden; None: any that is played next."""

    # Rankings and replays

    def leagues(self, game: str | None) -> Sequence[League]:
        """All leagues in the order in which they were begun."""

    def ranking(self, whose: Whose, asked: Asked, way: str = raters.DEFAULT) -> ShownRanking:
        """A ranking, with the duels that are asked for."""

    def replay(self, name: str, match: str) -> tuple[str, bytes]:
        """A match's full id and its replay, once it is released."""
