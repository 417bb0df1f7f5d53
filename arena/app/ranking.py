"""Rankings and standings: derived from the results in the store, whenever they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.rating import MatchResult, Standing, standings
from arena.store import BotVersion, Progress, Store, StoredResult, Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot version in a ranking."""

    #: From 1; equal scores share a rank, and the next is skipped.
    rank: int
    version: BotVersion
    standing: Standing


@dataclass(frozen=True, slots=True)
class Overview:
    """A tournament, how far it is, and who leads."""

    tournament: Tournament
    progress: Progress
    #: The blocks that are left out, since a match of theirs was given up.
    hole_blocks: frozenset[int]
    ranked: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Everyone who played a game in some tournaments."""

    ranked: tuple[Ranked, ...]
    tournaments: tuple[Tournament, ...]
    #: By tournament's name, how many blocks are left out.
    holes: dict[str, int]


def overview(store: Store, name: str) -> Overview:
    """Look at one tournament; raises ``NotFound``."""
    tournament = store.tournament(name)
    return Overview(
        tournament,
        store.progress(tournament.id),
        store.hole_blocks(tournament.id),
        _ranked([(tournament, store.rated_results(tournament.id))]),
    )


def ranking(store: Store, game: str) -> Ranking:
    """Rank everyone who played ``game``, over all tournaments in the order of their creation."""
    played = [(tournament, results) for tournament, results in store.game_results(game) if results]
    holes = {tournament.name: len(store.hole_blocks(tournament.id)) for tournament, _ in played}
    return Ranking(
        _ranked(played),
        tuple(tournament for tournament, _ in played),
        {name: blocks for name, blocks in holes.items() if blocks},
    )


def _ranked(
    played: Sequence[tuple[Tournament, Sequence[StoredResult]]],
) -> tuple[Ranked, ...]:
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
        rated += [
            MatchResult(
                order=(place, result.key.block, result.key.rotation),
                entries=tuple(numbers[seat.entry] for seat in result.seats),
                ranks=tuple(seat.rank for seat in result.seats),
                points=tuple(seat.total for seat in result.seats),
                faults=tuple(len(seat.faults) for seat in result.seats),
            )
            for result in results
        ]
    return tuple(
        Ranked(standing.rank, versions[standing.entry], standing)
        for standing in standings(rated, entries=range(len(versions)))
    )
