"""Rankings and standings: derived from the results in the store, whenever they are asked for."""

from __future__ import annotations

from collections import Counter
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
    #: What it did wrong in the matches that count.
    faults: int


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


def _ranked(played: Sequence[tuple[Tournament, Sequence[StoredResult]]]) -> tuple[Ranked, ...]:
    """Rate results in the order given; a version that plays in several tournaments is one."""
    versions: dict[int, BotVersion] = {}
    faults: Counter[int] = Counter()
    counted: list[MatchResult] = []
    for tournament, results in played:
        of_entry = [entry.version for entry in tournament.entries]
        versions |= {version.id: version for version in of_entry}
        for result in results:
            ids = [of_entry[seat.entry].id for seat in result.seats]
            for id_, seat in zip(ids, result.seats, strict=True):
                faults[id_] += len(seat.faults)
            counted.append(
                MatchResult(
                    tuple(ids),
                    tuple(seat.rank for seat in result.seats),
                    tuple(seat.total for seat in result.seats),
                )
            )
    return tuple(
        Ranked(standing.rank, versions[standing.entry], standing, faults[standing.entry])
        for standing in standings(counted)
    )
