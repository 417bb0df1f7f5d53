"""One ranking that grows with the results of its tournaments, and goes on from a file."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from arena.app.rankings.kept_files import Kept, RankingFiles
from arena.app.rankings.table import Saved, Table, Tally, versions_of
from arena.app.rankings.waves import Clarity
from arena.rating import Beaten, Interval, Learner, RatingError, Share
from arena.store import Store, Tournament, TournamentState
from arena.store.rated import Extent, Moment

WORTH_SAVING: Final = 10_000
"""So many matches take some seconds to rate: rankings of fewer are made anew."""

_MORE: Final = 20
"""A ranking is saved again when it has grown by one part in so many."""

_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}
_SHARES: Final = ("blocks", "all_met", "plain", "low", "high", "fair", "fair_low", "fair_high")


class Growing:
    """One table that grows with the results of its tournaments."""

    def __init__(self, tally: Tally) -> None:
        """Begin with a tally that has taken in nothing."""
        #: All that is settled: of the tournaments before ``place`` everything, of the one there
        #: the blocks before ``block``.
        self.tally = tally
        self.place = self.block = 0
        #: How many matches that are, and how many of them a file has.
        self.matches = self.saved = 0
        #: From what the newest table was made, and that table.
        self.newest: tuple[tuple[Tournament, Extent], ...] | None = None
        self.table: Table | None = None
        #: Whether all that is in it is settled.
        self.is_whole = True
        #: How clear the order is, and from what that was made.
        self.clarity: tuple[object, Clarity | None] | None = None

    @property
    def bouts(self) -> int:
        """How much it keeps."""
        return 0 if self.table is None else self.table.meetings.bouts

    @property
    def is_worth_saving(self) -> bool:
        """Whether much is settled that no file has."""
        return self.matches - self.saved >= max(WORTH_SAVING, self.matches // _MORE)

    def fits(self, played: Sequence[Tournament]) -> bool:
        """Whether it can grow into the table of these tournaments."""
        settled = [before for before, _ in (self.newest or ())[: self.place + 1]]
        now = played[: len(settled)]
        return list(map(_state, settled)) == list(map(_state, now)) and {
            version.id for version in self.tally.versions
        } <= {version.id for version in versions_of(played)}

    def look(
        self,
        store: Store,
        played: Sequence[Tournament],
        still_wanted: Callable[[], None] = lambda: None,
    ) -> Table:
        """The table as of now; ``still_wanted`` may raise what ends the work."""
        # Read before the results: those that come in between are seen as new the next time.
        extents = store.rated.extents([tournament.id for tournament in played])
        now = tuple((tournament, extents[tournament.id]) for tournament in played)
        if self.table is None or now != self.newest:
            # Should it end before its time, it is not to be taken for what it was.
            self.newest, self.table = None, None
            versions = versions_of(played)
            if versions != self.tally.versions:
                self.tally.join(versions)
            self.table = self._grown(store, played, still_wanted)
            self.newest = now
        return self.table

    def _grown(
        self, store: Store, played: Sequence[Tournament], still_wanted: Callable[[], None]
    ) -> Table:
        tail: Tally | None = None
        self.is_whole = True
        for place, tournament in enumerate(played[self.place :], self.place):
            # Before its results, too: after that it takes no more.
            over = store.progress(tournament.id).state in _OVER
            block, more = (self.block if place == self.place else 0), True
            while more:
                still_wanted()
                latest = store.rated.latest(tournament.id, block)
                block, more = latest.end, latest.more
                if tail is None:
                    whole = over or latest.settled == latest.end
                    settled = [
                        one for one in latest.results if whole or one.key.block < latest.settled
                    ]
                    self.tally.add(place, tournament, settled)
                    self.matches += len(settled)
                    self.block = latest.end if whole else latest.settled
                    if not whole or not (more or over):
                        tail, latest_ones = self.tally.copy(), latest.results[len(settled) :]
                        tail.add(place, tournament, latest_ones)
                        self.is_whole = not latest_ones
                else:
                    tail.add(place, tournament, latest.results)
                    self.is_whole = self.is_whole and not latest.results
            if tail is None:
                self.place, self.block = place + 1, 0
        still_wanted()
        return (tail or self.tally).table()


def name_of(what: str | int) -> str:
    """What the file of a game's ranking is called, or of a tournament's, by its number."""
    return f"tournament-{what}" if isinstance(what, int) else what.replace(" ", "-")


def save_ranking(store: Store, files: RankingFiles, name: str, ranking: Growing) -> None:
    """Keep what is settled of a ranking, and the table of that."""
    newest = (ranking.newest or ())[: ranking.place + 1]
    told = [tournament for tournament, _ in newest]
    moments = store.rated.moments([tournament.id for tournament in told])
    saved = ranking.tally.saved()
    table = ranking.table if ranking.is_whole else None
    shares = {row.standing.entry: row.beaten for row in (table or ranking.tally.table()).ranked}
    facts = {
        "told": [_named(each) for each in told],
        "moments": [_written(moments[each.id]) for each in told],
        # Whether the table is that of all of it.
        "extents": [asdict(each) for _, each in newest] if ranking.is_whole else None,
        "place": ranking.place,
        "block": ranking.block,
        "matches": ranking.matches,
        "versions": saved.versions,
        "blocks": saved.blocks,
        "last": saved.last,
    }
    files.save(name, Kept(facts, {**saved.columns, **_shares(shares)}))
    ranking.saved = ranking.matches


def saved_ranking(
    store: Store,
    files: RankingFiles,
    name: str,
    played: Sequence[Tournament],
    learner: Learner,
) -> Growing | None:
    """What was kept, with the table of then, if its results are among those of these tournaments;
    else None."""
    kept = files.load(name)
    if kept is None:
        return None
    try:
        facts, told = kept.facts, played[: len(kept.facts["told"])]
        if facts["told"] != [_named(each) for each in told]:
            return None
        moments = zip(told, map(_read, facts["moments"]), strict=True)
        if not store.rated.were({each.id: moment for each, moment in moments}):
            return None
        known = {version.id: version for version in versions_of(played)}
        tally = Tally([known[id_] for id_ in facts["versions"]], learner)
        last = facts["last"]
        tally.resume(
            Saved(
                tuple(facts["versions"]),
                facts["blocks"],
                None if last is None else tuple(last),
                kept.columns,
            )
        )
        ranking = Growing(tally)
        ranking.place, ranking.block = facts["place"], facts["block"]
        ranking.matches = ranking.saved = facts["matches"]
        extents = facts["extents"] or [{}] * len(told)
        ranking.newest = tuple(
            (each, Extent(**extent)) for each, extent in zip(told, extents, strict=True)
        )
        ranking.table = tally.table_with(_beaten(kept.columns))
    except (KeyError, ValueError, TypeError, IndexError, RatingError):
        # Whole, and yet not what we write.
        return None
    return ranking


def _state(tournament: Tournament) -> tuple[object, ...]:
    """Which it is, who takes part, and who doesn't any more."""
    return tournament.id, [
        (entry.position, entry.version.id, entry.withdrawn_from, entry.annulled_from)
        for entry in tournament.entries
    ]


def _named(tournament: Tournament) -> str:
    """The same in a word."""
    return hashlib.sha256(repr(_state(tournament)).encode()).hexdigest()


def _written(moment: Moment) -> dict[str, Any]:
    return {**asdict(moment), "at": None if moment.at is None else moment.at.isoformat()}


def _read(told: Mapping[str, Any]) -> Moment:
    at = told["at"]
    return Moment(
        None if at is None else datetime.fromisoformat(at), told["results"], told["voids"]
    )


def _shares(of: Mapping[int, Beaten]) -> dict[str, array[int] | array[float]]:
    """As columns; no number where something isn't known."""
    rows = [_row(of[entry]) for entry in range(len(of))]
    return {name: array("d", (row[at] for row in rows)) for at, name in enumerate(_SHARES)}


def _row(one: Beaten) -> tuple[float, ...]:
    return (one.blocks, one.met, *_numbers(one.plain), *_numbers(one.adjusted))


def _numbers(share: Share | None) -> tuple[float, float, float]:
    if share is None:
        return math.nan, math.nan, math.nan
    if share.interval is None:
        return share.value, math.nan, math.nan
    return share.value, share.interval.low, share.interval.high


def _beaten(columns: Mapping[str, Iterable[float]]) -> dict[int, Beaten]:
    rows = zip(*(columns[name] for name in _SHARES), strict=True)
    return {
        entry: Beaten(int(blocks), int(met), _share(*plain), _share(*fair))
        for entry, (blocks, met, *numbers) in enumerate(rows)
        for plain, fair in [(numbers[:3], numbers[3:])]
    }


def _share(value: float, low: float, high: float) -> Share | None:
    if math.isnan(value):
        return None
    return Share(value, None if math.isnan(low) else Interval(low, high))
