"""What the store holds of a match, as the rating wants it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.rating import MatchResult
from arena.store import StoredResult


def as_rated(
    result: StoredResult, entries: Sequence[int], *, tournament: int | None = None
) -> MatchResult:
    """One result; ``entries`` are the numbers to rate under, by the entries' positions.

    Among several tournaments ``tournament`` is the place of its own.
    """
    first = () if tournament is None else (tournament,)
    return MatchResult(
        order=(*first, result.key.block, result.key.rotation),
        entries=tuple(entries[seat.entry] for seat in result.seats),
        ranks=tuple(seat.rank for seat in result.seats),
        points=tuple(seat.total for seat in result.seats),
        faults=tuple(len(seat.faults) for seat in result.seats),
        luck=_luck(result),
    )


def _luck(result: StoredResult) -> tuple[float, ...] | None:
    """By seat; None for results from before it was counted."""
    luck = [seat.luck for seat in result.seats if seat.luck is not None]
    return tuple(luck) if len(luck) == len(result.seats) else None
