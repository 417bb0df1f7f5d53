"""A tournament's matches: what is scheduled, done, spoilt or given up, within a session."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from arena.store import tournaments
from arena.store.errors import InvalidRecord, NotFound
from arena.store.records import MAX_ATTEMPTS, MatchKey, MatchStatus, StoredMatch, Void
from arena.store.schema import MatchRow, ResultRow, VoidRow, same_match
from arena.store.texts import plain


def listed(
    session: Session, tournament_id: int, *, match_id: str | None = None, block: int | None = None
) -> list[StoredMatch]:
    """The tournament's matches in schedule order, or only those asked for. Raises NotFound."""
    tournaments.require(session, tournament_id)
    voids = (
        select(VoidRow.block, VoidRow.rotation, func.count().label("count"))
        .where(VoidRow.tournament_id == tournament_id)
        .group_by(VoidRow.block, VoidRow.rotation)
        .subquery()
    )
    query = (
        select(
            MatchRow.block,
            MatchRow.rotation,
            MatchRow.id,
            MatchRow.seating,
            ResultRow.block.is_not(None),
            func.coalesce(voids.c.count, 0),
        )
        .outerjoin(ResultRow, same_match(ResultRow, MatchRow))
        .outerjoin(
            voids,
            and_(voids.c.block == MatchRow.block, voids.c.rotation == MatchRow.rotation),
        )
        .where(MatchRow.tournament_id == tournament_id)
        .order_by(MatchRow.block, MatchRow.rotation)
    )
    if match_id is not None:
        query = query.where(MatchRow.id == match_id)
    if block is not None:
        query = query.where(MatchRow.block == block)
    return [
        StoredMatch(
            key=MatchKey(in_block, rotation),
            id=id_,
            seating=tuple(seating),
            status=_status(done, void),
            attempts=void + done,
        )
        for in_block, rotation, id_, seating, done, void in session.execute(query)
    ]


def pending(session: Session, tournament_id: int) -> list[StoredMatch]:
    """The matches still to be played; none, if the tournament was cancelled. Raises NotFound."""
    if tournaments.require(session, tournament_id).cancelled_at is not None:
        return []
    return [
        match for match in listed(session, tournament_id) if match.status is MatchStatus.PENDING
    ]


def find(session: Session, tournament_id: int, match_id: str) -> StoredMatch:
    """The match of that id. Raises NotFound."""
    for match in listed(session, tournament_id, match_id=match_id):
        return match
    name = tournaments.require(session, tournament_id).name
    raise NotFound(
        f"tournament {name!r} has no match {match_id!r}: `arena tournament show` lists those it has"
    )


def record_void(
    session: Session, tournament_id: int, match_id: str, attempt: int, *, reason: str, detail: str
) -> MatchStatus:
    """Note that an attempt was spoilt; the same attempt twice, or one of a match that is done,
    changes nothing. Returns where the match stands now.

    Raises NotFound, TournamentOver, and InvalidRecord if an earlier attempt is missing.
    """
    match = find(session, tournament_id, match_id)
    if match.status is MatchStatus.DONE or 1 <= attempt <= match.attempts:
        return match.status
    tournaments.require_open(session, tournament_id)
    if match.status is MatchStatus.HOLE or attempt != match.attempts + 1:
        raise InvalidRecord(
            f"attempt {attempt} at match {match_id} can't be void: {match.attempts} of at most "
            f"{MAX_ATTEMPTS} attempts have ended so far"
        )
    session.add(
        VoidRow(
            tournament_id=tournament_id,
            block=match.key.block,
            rotation=match.key.rotation,
            attempt=attempt,
            reason=plain(reason),
            detail=plain(detail),
            at=datetime.now(UTC),
        )
    )
    return _status(done=False, voids=attempt)


def voids(session: Session, tournament_id: int) -> list[Void]:
    """All spoilt attempts, in schedule order. Raises NotFound."""
    tournaments.require(session, tournament_id)
    query = (
        select(VoidRow, MatchRow.id)
        .join(MatchRow, same_match(MatchRow, VoidRow))
        .where(VoidRow.tournament_id == tournament_id)
        .order_by(VoidRow.block, VoidRow.rotation, VoidRow.attempt)
    )
    return [
        Void(
            match_id=match_id, attempt=row.attempt, reason=row.reason, detail=row.detail, at=row.at
        )
        for row, match_id in session.execute(query)
    ]


def hole_blocks(session: Session, tournament_id: int) -> frozenset[int]:
    """The blocks in which a match was given up. Raises NotFound."""
    tournaments.require(session, tournament_id)
    return frozenset(block for block, _ in session.execute(tournaments.hole_keys(tournament_id)))


def is_released(session: Session, tournament_id: int, match_id: str) -> bool:
    """Whether nobody will meet the match's deals any more. Raises NotFound."""
    match = find(session, tournament_id, match_id)
    if tournaments.require(session, tournament_id).cancelled_at is not None:
        return True
    block = listed(session, tournament_id, block=match.key.block)
    return all(other.status is not MatchStatus.PENDING for other in block)


def _status(done: bool, voids: int) -> MatchStatus:
    if done:
        return MatchStatus.DONE
    return MatchStatus.HOLE if voids >= MAX_ATTEMPTS else MatchStatus.PENDING
