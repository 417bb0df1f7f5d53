"""All that a tournament is: from these few records everything that is said of it follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from arena.app.exports.redrawing import Withdrawals
from arena.app.rankings import raters
from arena.app.rankings.ranking import Overview
from arena.app.rankings.results import outcome
from arena.app.rankings.table import Tally, versions_of
from arena.app.rankings.waves import judged
from arena.store import (
    MatchStatus,
    Progress,
    Store,
    StoredMatch,
    StoredResult,
    Tournament,
    TournamentState,
    Void,
)

_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}


@dataclass(frozen=True, slots=True)
class Facts:
    """A tournament as it was set up, its schedule and its results at one moment."""

    tournament: Tournament
    state: TournamentState
    #: In schedule order.
    matches: Sequence[StoredMatch]
    #: By match, in schedule order.
    results: Mapping[str, StoredResult]
    #: The attempts that were spoilt, in schedule order.
    voids: Sequence[Void]
    #: The matches whose replays were removed after some time, as the arena's settings want it.
    removed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, store: Store, name: str) -> Self:
        """Those of a store, also while somebody plays the tournament. Raises NotFound."""
        while True:
            tournament = store.tournament(name)
            before = store.progress(tournament.id).state
            matches = store.matches(tournament.id)
            done = {match.id for match in matches if match.status is MatchStatus.DONE}
            results = {
                result.match_id: result
                for result in store.results(tournament.id)
                if result.match_id in done
            }
            spoilt = {match.id: match.attempts - (match.id in done) for match in matches}
            voids = [
                void
                for void in store.voids(tournament.id)
                if void.attempt <= spoilt.get(void.match_id, 0)
            ]
            if store.tournament(name).entries == tournament.entries:
                state = _state(tournament, before, matches)
                gone = store.retention.removed()
                removed = {one.match_id for one in results.values() if one.replay in gone}
                return cls(tournament, state, matches, results, voids, frozenset(removed))

    @property
    def progress(self) -> Progress:
        """How far the tournament is."""
        counts = Counter(match.status for match in self.matches)
        done = counts[MatchStatus.DONE]
        return Progress(
            state=self.state,
            matches=len(self.matches),
            done=done,
            holes=counts[MatchStatus.HOLE],
            voids=sum(match.attempts for match in self.matches) - done,
            annulled=counts[MatchStatus.ANNULLED],
        )

    @property
    def left_out(self) -> frozenset[int]:
        """The blocks that don't count."""
        return Withdrawals.of(self.tournament).left_out(self.matches)

    @property
    def rated(self) -> list[StoredResult]:
        """The results that count."""
        left_out = self.left_out
        return [one for one in self.results.values() if one.key.block not in left_out]

    @property
    def released(self) -> frozenset[str]:
        """The matches whose replays may be shown: nobody will meet their deals any more."""
        pending = {match.key.block for match in self.matches if match.status is MatchStatus.PENDING}
        if self.state is TournamentState.CANCELLED:
            pending = set()
        return frozenset(
            one.match_id for one in self.results.values() if one.key.block not in pending
        )

    @property
    def kept(self) -> frozenset[str]:
        """The matches whose replays an export has."""
        return self.released - self.removed

    def overview(self) -> Overview:
        """The tournament with its ranking, worked out from these results."""
        rated = self.rated
        tally = Tally(versions_of([self.tournament]), raters.learner(self.tournament.game))
        tally.add(0, self.tournament, map(outcome, rated))
        return Overview(
            tournament=self.tournament,
            progress=self.progress,
            hole_blocks=frozenset(
                match.key.block for match in self.matches if match.status is MatchStatus.HOLE
            ),
            left_out=self.left_out,
            table=tally.table(),
            clarity=judged(self.tournament, self.matches, rated),
        )


def _state(
    tournament: Tournament, before: TournamentState, matches: Sequence[StoredMatch]
) -> TournamentState:
    """Where the tournament stands with these matches, if it stood so just before."""
    if before in _OVER or not matches:
        return before
    pending = any(match.status is MatchStatus.PENDING for match in matches)
    if not pending and tournament.until_clear is None:
        return TournamentState.FINISHED
    tried = any(match.attempts for match in matches)
    return TournamentState.RUNNING if tried else TournamentState.CREATED
