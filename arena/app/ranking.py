"""Rankings and standings: derived from the results in the store, whenever they are asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.app import raters
from arena.app.table import Ranked, Table, Tally, versions_of
from arena.app.waves import Clarity, clarity
from arena.store import League, Progress, Store, Tournament, TournamentState
from arena.store.rated import Extent

MOST_BOUTS: Final = 1_000_000
"""How much a `Rankings` keeps: bouts of all its tables together, each about 150 bytes."""
_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}


@dataclass(frozen=True, slots=True)
class Overview:
    """A tournament, how far it is, and who leads."""

    tournament: Tournament
    progress: Progress
    #: The blocks in which a match was given up.
    hole_blocks: frozenset[int]
    #: These, and those that are left out since an entry was withdrawn.
    left_out: frozenset[int]
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
    return Rankings(store).overview(store.tournament(name), way=way)


def ranking(
    store: Store, game: str, *, way: str = raters.DEFAULT, league: League | None = None
) -> Ranking:
    """Rank everyone who played ``game``, over all tournaments in the order of their creation.

    Of a ``league``, which must be one of that game, over its tournaments alone.
    """
    return Rankings(store).ranking(game, way=way, league=league)


class Rankings:
    """Rankings for whoever is asked for the same ones again and again: they are kept.

    What was worked out is given again as long as nothing has come that could change it: results and
    voids are only ever added, so a tournament of which there are as many as before, with the same
    entries in the same state, has the same results.  Otherwise a kept ranking grows: what counts of
    blocks in which every match is done or given up stays as it is, so only later ones are read.
    The numbers are those of a ranking worked out anew.  Not for several threads at once.
    """

    def __init__(self, store: Store, *, most_bouts: int = MOST_BOUTS) -> None:
        """Keep rankings with so many bouts together, those that were asked for last."""
        self._store = store
        self._most = most_bouts
        #: By what it is of and the way to rate; the one that was asked for last is the last.
        self._kept: OrderedDict[tuple[str | int, str], _Growing] = OrderedDict()

    def overview(self, tournament: Tournament, *, way: str = raters.DEFAULT) -> Overview:
        """Look at one tournament; raises ``WrongCall`` for a way that does not exist."""
        progress = self._store.progress(tournament.id)
        kept, table = self._look((tournament.id, way), [tournament], tournament.game, way)
        if kept.clarity is None or kept.clarity[0] != (progress.matches, kept.newest):
            kept.clarity = (progress.matches, kept.newest), clarity(self._store, tournament)
        return Overview(
            tournament,
            progress,
            self._store.hole_blocks(tournament.id),
            self._store.left_out(tournament.id),
            table,
            kept.clarity[1],
        )

    def ranking(
        self,
        game: str,
        *,
        way: str = raters.DEFAULT,
        public: bool = False,
        league: League | None = None,
    ) -> Ranking:
        """Rank everyone who played ``game``, in public tournaments or in all, or in a league's."""
        found = self._store.tournaments(game, league=None if league is None else league.name)
        extents = self._store.rated.extents([tournament.id for tournament in found])
        played = [
            tournament
            for tournament in found
            if extents[tournament.id].results and not (public and tournament.private)
        ]
        key = game if public else f"all {game}"
        if league is not None:
            key = f"league {league.id}"
        _, table = self._look((key, way), played, game, way)
        holes = {one.name: len(self._store.left_out(one.id)) for one in played}
        return Ranking(
            table, tuple(played), {name: blocks for name, blocks in holes.items() if blocks}
        )

    def _look(
        self, key: tuple[str | int, str], played: Sequence[Tournament], game: str, way: str
    ) -> tuple[_Growing, Table]:
        learner = raters.learner(game, way)
        kept = self._kept.pop(key, None)
        if kept is None or not kept.fits(played):
            kept = _Growing(Tally(played, learner))
        table = kept.look(self._store, played)
        self._kept[key] = kept
        while len(self._kept) > 1 and sum(one.bouts for one in self._kept.values()) > self._most:
            self._kept.popitem(last=False)
        return kept, table


class _Growing:
    """One table that grows with the results of its tournaments."""

    def __init__(self, tally: Tally) -> None:
        #: All that is settled: of the tournaments before ``_place`` everything, of the one there
        #: the blocks before ``_block``.
        self._tally = tally
        self._place = self._block = 0
        #: From what the newest table was made.
        self.newest: tuple[tuple[Tournament, Extent], ...] | None = None
        self._table: Table | None = None
        #: How clear the order is, and from what that was made.
        self.clarity: tuple[object, Clarity | None] | None = None
        self.bouts = 0

    def fits(self, played: Sequence[Tournament]) -> bool:
        """Whether it can grow into the table of these tournaments."""
        settled = (self.newest or ())[: self._place + 1]
        return self._tally.versions == versions_of(played) and [
            (before.id, before.entries) for before, _ in settled
        ] == [(now.id, now.entries) for now in played[: len(settled)]]

    def look(self, store: Store, played: Sequence[Tournament]) -> Table:
        """The table as of now."""
        # Read before the results: those that come in between are seen as new the next time.
        extents = store.rated.extents([tournament.id for tournament in played])
        now = tuple((tournament, extents[tournament.id]) for tournament in played)
        if self._table is None or now != self.newest:
            self._table = self._grown(store, played)
            self.newest = now
            self.bouts = sum(map(len, self._table.pairs.values()))
        return self._table

    def _grown(self, store: Store, played: Sequence[Tournament]) -> Table:
        tail: Tally | None = None
        for place, tournament in enumerate(played[self._place :], self._place):
            # Before its results, too: after that it takes no more.
            over = store.progress(tournament.id).state in _OVER
            from_block = self._block if place == self._place else 0
            latest = store.rated.latest(tournament.id, from_block)
            if tail is not None:
                tail.add(place, tournament, latest.results)
            elif over:
                self._tally.add(place, tournament, latest.results)
                self._place, self._block = place + 1, 0
            else:
                settled = [one for one in latest.results if one.key.block < latest.settled]
                self._tally.add(place, tournament, settled)
                self._block = latest.settled
                tail = self._tally.copy()
                tail.add(place, tournament, latest.results[len(settled) :])
        return (tail or self._tally).table()
