"""What the store holds of a match, as the rating wants it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.rating import MatchResult
from arena.store import StoredResult
from arena.store.rated import Outcome


def as_rated(
    result: StoredResult, entries: Sequence[int], *, tournament: int | None = None
) -> MatchResult:
    """One result; ``entries`` are the numbers to rate under, by the entries' positions.

    Among several tournaments ``tournament`` is the place of its own.
    """
    return counted(outcome(result), entries, tournament=tournament)


def counted(told: Outcome, entries: Sequence[int], *, tournament: int | None = None) -> MatchResult:
    """The same of what the store tells for this purpose alone."""
    first = () if tournament is None else (tournament,)
    return MatchResult(
        order=(*first, told.key.block, told.key.rotation),
        entries=tuple(entries[entry] for entry in told.entries),
        ranks=told.ranks,
        points=told.totals,
        faults=told.faults,
        luck=told.luck,
    )


def outcome(result: StoredResult) -> Outcome:
    """What counts of a result."""
    luck = tuple(seat.luck for seat in result.seats if seat.luck is not None)
    return Outcome(
        result.key,
        tuple(seat.entry for seat in result.seats),
        tuple(seat.rank for seat in result.seats),
        tuple(seat.total for seat in result.seats),
        tuple(len(seat.faults) for seat in result.seats),
        luck if len(luck) == len(result.seats) else None,
    )
