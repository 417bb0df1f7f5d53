"""A tournament's schedule and what counts of it, derived anew from records alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from arena.app.rankings import waves
from arena.app.rankings.results import as_rated
from arena.rating import MatchResult
from arena.schedule import Block, plan
from arena.store import MatchStatus, NewMatch, StoredMatch, StoredResult, Tournament
from arena.tournament.waves import Waves


@dataclass(frozen=True, slots=True)
class Withdrawals:
    """Who is withdrawn at some moment, and whose results are annulled, by position."""

    withdrawn: frozenset[int]
    annulled: frozenset[int]

    @classmethod
    def of(cls, tournament: Tournament, *, at: int | None = None) -> Withdrawals:
        """When so many blocks were scheduled, or now."""

        def by_then(since: int | None) -> bool:
            return since is not None and (at is None or since <= at)

        return cls(
            frozenset(one.position for one in tournament.entries if by_then(one.withdrawn_from)),
            frozenset(one.position for one in tournament.entries if by_then(one.annulled_from)),
        )

    def left_out(self, matches: Sequence[StoredMatch]) -> frozenset[int]:
        """The blocks that don't count: with holes, and those that withdrawals have spoilt."""
        return frozenset(
            match.key.block
            for match in matches
            if match.status is MatchStatus.HOLE
            or not self.annulled.isdisjoint(match.seating)
            or (
                match.status is not MatchStatus.DONE
                and not self.withdrawn.isdisjoint(match.seating)
            )
        )


def first_wrong(
    tournament: Tournament,
    matches: Sequence[StoredMatch],
    results: Sequence[StoredResult],
    *,
    finished: bool,
) -> str | None:
    """Draw the schedule anew from the seed: what is the first match that differs, and how?

    An adaptive one is drawn wave by wave, each from the results before it; one that has `finished`
    must end where it would have.  None: it is the same.
    """
    if tournament.until_clear is None:
        blocks = plan(
            len(tournament.entries),
            tournament.table_size,
            blocks=tournament.blocks,
            seed=tournament.seed,
        ).blocks
        return _differs(waves.scheduled(blocks, tournament.seed), matches)
    return _adaptive(tournament, tournament.until_clear, matches, results, finished=finished)


def _differs(drawn: Sequence[NewMatch], matches: Sequence[StoredMatch]) -> str | None:
    for new, old in zip_longest(drawn, matches):
        if new is None:
            return f"match {old.id} is not in the schedule that the seed gives"
        if old is None:
            return f"match {new.id} of block {new.key.block} is missing in the schedule"
        if (new.key, new.id, new.seating) != (old.key, old.id, old.seating):
            return (
                f"match {old.id} of block {old.key.block} should be {new.id} of block "
                f"{new.key.block}, seating {list(new.seating)}"
            )
    return None


def _adaptive(
    tournament: Tournament,
    until_clear: float,
    matches: Sequence[StoredMatch],
    results: Sequence[StoredResult],
    *,
    finished: bool,
) -> str | None:
    size = tournament.table_size
    past = _Past(tournament, until_clear, matches, results)
    scheduled = len(matches) // size
    at = 0
    while at < scheduled or not at:
        wave = past.next(at)
        if not wave:
            return f"the schedule goes on after block {at - 1}, where it would have ended"
        wrong = _differs(
            waves.scheduled(wave, tournament.seed), matches[at * size : (at + len(wave)) * size]
        )
        if wrong is not None:
            return wrong
        at += len(wave)
    # Whoever was withdrawn after the last block may have been so before or after it ended there.
    if finished and past.next(at) and past.next(at - 1, blocks=at):
        return f"the schedule ends with block {at - 1}, where it would have gone on"
    return None


class _Past:
    """What the waves of an adaptive tournament were drawn from."""

    def __init__(
        self,
        tournament: Tournament,
        until_clear: float,
        matches: Sequence[StoredMatch],
        results: Sequence[StoredResult],
    ) -> None:
        self._tournament = tournament
        self._until_clear = until_clear
        self._matches = matches
        self._blocks = [
            Block(match.key.block, match.seating) for match in matches if not match.key.rotation
        ]
        self._results = results
        self._known: Withdrawals | None = None
        self._left_out: Collection[int] = ()
        self._taken = 0

    def next(self, at: int, *, blocks: int | None = None) -> Sequence[Block]:
        """The wave after so many blocks, with those withdrawn who were when there were `at`."""
        known = Withdrawals.of(self._tournament, at=at)
        if known != self._known:
            self._begin(known)
        until = at if blocks is None else blocks
        self._waves.add(self._blocks[self._taken : until], self._rated(range(self._taken, until)))
        self._taken = until
        return self._waves.next()

    def _begin(self, known: Withdrawals) -> None:
        self._known, self._left_out = known, known.left_out(self._matches)
        self._taken = 0
        self._waves = Waves(
            len(self._tournament.entries),
            self._tournament.table_size,
            most=self._tournament.blocks,
            confidence=self._until_clear,
            seed=self._tournament.seed,
            withdrawn=known.withdrawn,
        )

    def _rated(self, blocks: range) -> Iterator[MatchResult]:
        positions = range(len(self._tournament.entries))
        return (
            as_rated(result, positions)
            for result in self._results
            if result.key.block in blocks and result.key.block not in self._left_out
        )
