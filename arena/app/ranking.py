"""Rankings and standings: derived from the results in the store, whenever they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.app import raters
from arena.app.errors import ArenaError
from arena.app.results import as_rated
from arena.app.waves import Clarity, clarity
from arena.rating import (
    Beaten,
    Learner,
    MatchResult,
    Pairs,
    Standing,
    Versus,
    beaten,
    bouts,
    head_to_head,
    standings,
)
from arena.store import BotVersion, Progress, Store, StoredResult, Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot version in a ranking."""

    #: From 1; equal scores share a rank, and the next is skipped.
    rank: int
    version: BotVersion
    standing: Standing
    #: What share of all that it met it has beaten.
    beaten: Beaten


@dataclass(frozen=True, slots=True)
class Duel:
    """What a bot version did against another one."""

    one: BotVersion
    other: BotVersion
    versus: Versus


@dataclass(frozen=True, slots=True)
class Table:
    """A ranking, and what any two in it did against each other."""

    #: The best first.
    ranked: tuple[Ranked, ...]
    pairs: Pairs

    def duels(self, bot: str | None = None) -> tuple[Duel, ...]:
        """All pairs that have met, or only those of ``bot``, which is ``name`` or ``name:version``.

        Who ranks better stands first, or ``bot`` if it is given.  Raises ``ArenaError`` if that is
        nobody in the ranking, or several.
        """
        versions = {row.standing.entry: row.version for row in self.ranked}
        place = {row.standing.entry: place for place, row in enumerate(self.ranked)}
        entry = None if bot is None else _named(bot, versions)
        found = [
            versus.turned() if entry is None and place[versus.one] > place[versus.other] else versus
            for versus in head_to_head(self.pairs, entry)
        ]
        return tuple(
            Duel(versions[versus.one], versions[versus.other], versus)
            for versus in sorted(found, key=lambda one: (place[one.one], place[one.other]))
        )


@dataclass(frozen=True, slots=True)
class Overview:
    """A tournament, how far it is, and who leads."""

    tournament: Tournament
    progress: Progress
    #: The blocks that are left out, since a match of theirs was given up.
    hole_blocks: frozenset[int]
    table: Table
    #: Of an adaptive tournament.
    clarity: Clarity | None

    @property
    def ranked(self) -> tuple[Ranked, ...]:
        """The best first."""
        return self.table.ranked


@dataclass(frozen=True, slots=True)
class Ranking:
    """Everyone who played a game in some tournaments."""

    table: Table
    tournaments: tuple[Tournament, ...]
    #: By tournament's name, how many blocks are left out.
    holes: dict[str, int]

    @property
    def ranked(self) -> tuple[Ranked, ...]:
        """The best first."""
        return self.table.ranked


def overview(store: Store, name: str, *, way: str = raters.DEFAULT) -> Overview:
    """Look at one tournament, rated in a way of ``raters.WAYS``; raises ``NotFound``."""
    tournament = store.tournament(name)
    return Overview(
        tournament,
        store.progress(tournament.id),
        store.hole_blocks(tournament.id),
        _table(
            [(tournament, store.rated_results(tournament.id))],
            raters.learner(tournament.game, way),
        ),
        clarity(store, tournament),
    )


def ranking(store: Store, game: str, *, way: str = raters.DEFAULT) -> Ranking:
    """Rank everyone who played ``game``, over all tournaments in the order of their creation."""
    played = [(tournament, results) for tournament, results in store.game_results(game) if results]
    holes = {tournament.name: len(store.hole_blocks(tournament.id)) for tournament, _ in played}
    return Ranking(
        _table(played, raters.learner(game, way)),
        tuple(tournament for tournament, _ in played),
        {name: blocks for name, blocks in holes.items() if blocks},
    )


def _table(played: Sequence[tuple[Tournament, Sequence[StoredResult]]], learner: Learner) -> Table:
    """Rate tournaments one after the other; a version that plays in several tournaments is one."""
    # By name and number, so that the same results give the same numbers in any store.
    versions = sorted(
        {entry.version for tournament, _ in played for entry in tournament.entries},
        key=lambda version: (version.bot, version.number),
    )
    number_of = {version.id: number for number, version in enumerate(versions)}
    rated: list[MatchResult] = []
    for place, (tournament, results) in enumerate(played):
        numbers = [number_of[entry.version.id] for entry in tournament.entries]
        rated += [as_rated(result, numbers, tournament=place) for result in results]
    pairs = bouts(rated)
    shares = beaten(pairs, range(len(versions)))
    return Table(
        tuple(
            Ranked(standing.rank, versions[standing.entry], standing, shares[standing.entry])
            for standing in standings(rated, entries=range(len(versions)), learner=learner)
        ),
        pairs,
    )


def _named(bot: str, versions: Mapping[int, BotVersion]) -> int:
    """The one in the ranking that is called so."""
    name, _, number = bot.partition(":")
    found = {
        entry: f"{version.bot}:{version.number}"
        for entry, version in versions.items()
        if version.bot == name and number in {"", str(version.number)}
    }
    if not found:
        raise ArenaError(f"no bot of this ranking is called {bot}: arena rankings lists them")
    if len(found) > 1:
        raise ArenaError(f"{bot} has several versions here, say which: {', '.join(found.values())}")
    return next(iter(found))
