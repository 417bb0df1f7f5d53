"""What withdrawn entries do to a schedule, within a session.

Which matches are annulled and which blocks are left out is never stored: it follows from who is
withdrawn, and from the results that there are. So the order of withdrawals can't matter.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Text, cast, exists, false, func, not_, or_, select
from sqlalchemy.orm import Session

from arena.store.schema import EntryRow, MatchRow, ResultRow, same_match


def condition(session: Session, tournament_id: int) -> ColumnElement[bool]:
    """That a match of the tournament seats a withdrawn entry."""
    return _seats_any_where(session, tournament_id, EntryRow.withdrawn_from.is_not(None))


def blocks(
    session: Session, tournament_id: int, within: tuple[int, int] | None = None
) -> frozenset[int]:
    """The blocks that don't count since an entry of theirs was withdrawn.

    That is those in which there was a match to come, and all of an entry that was annulled; or
    only those of them from a block to before another.
    """
    anybody = select(EntryRow.position).where(
        EntryRow.tournament_id == tournament_id, EntryRow.withdrawn_from.is_not(None)
    )
    if session.scalar(anybody.limit(1)) is None:
        return frozenset()
    done = exists().where(same_match(ResultRow, MatchRow))
    annulled = _seats_any_where(session, tournament_id, EntryRow.annulled_from.is_not(None))
    left_out = or_(annulled, condition(session, tournament_id) & not_(done))
    query = select(MatchRow.block).where(MatchRow.tournament_id == tournament_id, left_out)
    if within is not None:
        query = query.where(MatchRow.block >= within[0], MatchRow.block < within[1])
    return frozenset(session.scalars(query.distinct()))


def _seats_any_where(
    session: Session, tournament_id: int, those: ColumnElement[bool]
) -> ColumnElement[bool]:
    entries = session.scalars(
        select(EntryRow.position).where(EntryRow.tournament_id == tournament_id, those)
    ).all()
    # Databases differ in how they look into JSON; of a list of numbers its text is plain enough:
    # written without blanks, as `Database` does it.
    seats = func.replace(func.replace(cast(MatchRow.seating, Text), "[", ","), "]", ",")
    return or_(false(), *(seats.like(f"%,{entry},%") for entry in entries))
