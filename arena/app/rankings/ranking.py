"""Rankings and standings: derived from the results in the store, whenever they are asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.app.rankings import raters
from arena.app.rankings.growing import Growing, name_of, save_ranking, saved_ranking
from arena.app.rankings.kept_files import RankingFiles
from arena.app.rankings.table import Ranked, Table, Tally, versions_of
from arena.app.rankings.waves import Clarity, clarity
from arena.store import League, Progress, Store, Tournament

MOST_BOUTS: Final = 5_000_000
"""How much a `Rankings` keeps: bouts of all its tables together, each 32 bytes."""


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


class NotKept(Exception):
    """No older ranking is kept."""


class Stopped(Exception):
    """Whoever wanted rankings worked out wants them no more."""


class Rankings:
    """Rankings for whoever is asked for the same ones again and again: they are kept.

    What was worked out is given again as long as nothing has come that could change it: results and
    voids are only ever added, so a tournament of which there are as many as before, with the same
    entries in the same state, has the same results.  Otherwise a kept ranking grows: what counts of
    blocks in which every match is done or given up stays as it is, so only later ones are read.
    The numbers are those of a ranking worked out anew.  Not for several threads at once.

    With `files`, large ones outlive the process.
    """

    def __init__(
        self, store: Store, *, most_bouts: int = MOST_BOUTS, files: RankingFiles | None = None
    ) -> None:
        """Keep rankings with so many bouts together, those that were asked for last."""
        self._store = store
        self._most = most_bouts
        self._files = files
        self._stopped = False
        #: By what it is of and the way to rate; the one that was asked for last is the last.
        self._kept: OrderedDict[tuple[str | int, str], Growing] = OrderedDict()

    def stop(self) -> None:
        """Have what is being worked out end with Stopped; from any thread."""
        self._stopped = True

    def overview(
        self, tournament: Tournament, *, way: str = raters.DEFAULT, older: bool = False
    ) -> Overview:
        """Look at one tournament; raises ``WrongCall`` for a way that does not exist.

        The ``older`` one is what was kept, as it was then; raises ``NotKept`` if nothing was.
        """
        progress = self._store.progress(tournament.id)
        kept, table = self._look(
            (tournament.id, way), [tournament], tournament.game, way, older=older
        )
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
        older: bool = False,
    ) -> Ranking:
        """Rank everyone who played ``game``, in public tournaments or in all, or in a league's.

        For ``older`` see ``overview``.
        """
        found = self._store.fields.tournaments(game, None if league is None else league.name)
        extents = self._store.rated.extents([tournament.id for tournament in found])
        played = [
            tournament
            for tournament in found
            if extents[tournament.id].results and not (public and tournament.private)
        ]
        key = game if public else f"all {game}"
        if league is not None:
            key = f"league {league.id}"
        _, table = self._look((key, way), played, game, way, older=older)
        holes = {one.name: len(self._store.left_out(one.id)) for one in played}
        return Ranking(
            table, tuple(played), {name: blocks for name, blocks in holes.items() if blocks}
        )

    def _look(
        self,
        key: tuple[str | int, str],
        played: Sequence[Tournament],
        game: str,
        way: str,
        *,
        older: bool,
    ) -> tuple[Growing, Table]:
        learner = raters.learner(game, way)
        kept = self._kept.pop(key, None)
        filed = self._files if way == raters.DEFAULT else None
        if kept is None and filed is not None:
            kept = saved_ranking(self._store, filed, name_of(key[0]), played, learner)
        if kept is None or not kept.fits(played):
            if older:
                raise NotKept
            kept = Growing(Tally(versions_of(played), raters.learner(game, way)))
        if older and kept.table is not None:
            table = kept.table
        else:
            table = kept.look(self._store, played, self._still_wanted)
            if filed is not None and kept.is_worth_saving:
                save_ranking(self._store, filed, name_of(key[0]), kept)
        self._kept[key] = kept
        while len(self._kept) > 1 and sum(one.bouts for one in self._kept.values()) > self._most:
            self._kept.popitem(last=False)
        return kept, table

    def _still_wanted(self) -> None:
        if self._stopped:
            raise Stopped
