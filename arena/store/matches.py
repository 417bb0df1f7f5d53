"""A tournament's matches: what is scheduled, done, spoilt or given up, within a session."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_, func, not_, or_, select
from sqlalchemy.orm import Session

from arena.store import tournaments, withdrawn
from arena.store.errors import InvalidRecord, NotFound
from arena.store.records import MAX_ATTEMPTS, MatchKey, MatchStatus, StoredMatch, Void
from arena.store.schema import MatchRow, ResultRow, VoidRow, same_match
from arena.store.texts import plain


def listed(
    session: Session, tournament_id: int, *, match_id: str | None = None, block: int | None = None
) -> list[StoredMatch]:
    """The tournament's matches in schedule order, or only those asked for. Raises NotFound."""
    tournaments.require(session, tournament_id)
    asked = _Asked(session, tournament_id)
    if match_id is not None:
        asked.only(MatchRow.id == match_id)
    if block is not None:
        asked.only(MatchRow.block == block)
    return asked.read()


def page(
    session: Session,
    tournament_id: int,
    *,
    after: MatchKey | None,
    most: int,
    status: MatchStatus | None,
) -> list[StoredMatch]:
    """The matches that come next in schedule order, or only those of a status. Raises NotFound."""
    tournaments.require(session, tournament_id)
    asked = _Asked(session, tournament_id)
    if after is not None:
        asked.only(_behind(after))
    if status is not None:
        asked.only(asked.is_(status))
    return asked.read(most)


class _Asked:
    """A question for some matches of a tournament."""

    def __init__(self, session: Session, tournament_id: int) -> None:
        self._session = session
        voids = (
            select(VoidRow.block, VoidRow.rotation, func.count().label("count"))
            .where(VoidRow.tournament_id == tournament_id)
            .group_by(VoidRow.block, VoidRow.rotation)
            .subquery()
        )
        self._done = ResultRow.block.is_not(None)
        self._voids = func.coalesce(voids.c.count, 0)
        self._withdrawn = withdrawn.condition(session, tournament_id)
        self._query = (
            select(
                MatchRow.block,
                MatchRow.rotation,
                MatchRow.id,
                MatchRow.seating,
                self._done,
                self._voids,
                self._withdrawn,
            )
            .outerjoin(ResultRow, same_match(ResultRow, MatchRow))
            .outerjoin(
                voids,
                and_(voids.c.block == MatchRow.block, voids.c.rotation == MatchRow.rotation),
            )
            .where(MatchRow.tournament_id == tournament_id)
            .order_by(MatchRow.block, MatchRow.rotation)
        )

    def only(self, those: ColumnElement[bool]) -> None:
        """Ask for no others."""
        self._query = self._query.where(those)

    def is_(self, status: MatchStatus) -> ColumnElement[bool]:
        """That a match stands so: as `_status` says it."""
        given_up = self._voids >= MAX_ATTEMPTS
        return {
            MatchStatus.DONE: self._done,
            MatchStatus.HOLE: and_(not_(self._done), given_up),
            MatchStatus.ANNULLED: and_(not_(self._done), not_(given_up), self._withdrawn),
            MatchStatus.PENDING: not_(or_(self._done, given_up, self._withdrawn)),
        }[status]

    def read(self, most: int | None = None) -> list[StoredMatch]:
        """Those asked for, in schedule order."""
        return [
            StoredMatch(
                key=MatchKey(block, rotation),
                id=id_,
                seating=tuple(seating),
                status=_status(done=done, voids=voids, withdrawn=withdrawn),
                attempts=voids + done,
            )
            for block, rotation, id_, seating, done, voids, withdrawn in self._session.execute(
                self._query.limit(most)
            )
        ]


def pending(session: Session, tournament_id: int) -> list[StoredMatch]:
    """The matches still to be played; none, if the tournament was cancelled. Raises NotFound."""
    if tournaments.require(session, tournament_id).cancelled_at is not None:
        return []
    asked = _Asked(session, tournament_id)
    asked.only(asked.is_(MatchStatus.PENDING))
    return asked.read()


def find(session: Session, tournament_id: int, match_id: str) -> StoredMatch:
    """The match of that id. Raises NotFound."""
    for match in listed(session, tournament_id, match_id=match_id):
        return match
    name = tournaments.require(session, tournament_id).name
    raise NotFound(
        f"tournament {name!r} has no match {match_id!r}: look it up in the tournament's schedule"
    )


def record_void(
    session: Session, tournament_id: int, match_id: str, attempt: int, *, reason: str, detail: str
) -> MatchStatus:
    """Note that an attempt was spoilt; the same attempt twice, or one of a match that is done,
    changes nothing. Returns where the match stands now.

    Raises NotFound, TournamentOver, and InvalidRecord if an earlier attempt is missing.
    """
    match = find(session, tournament_id, match_id)
    ended = match.status in {MatchStatus.DONE, MatchStatus.ANNULLED}
    if ended or 1 <= attempt <= match.attempts:
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
    return _status(done=False, voids=attempt, withdrawn=False)


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


def left_out(
    session: Session, tournament_id: int, within: tuple[int, int] | None = None
) -> frozenset[int]:
    """The blocks whose results don't count, or those from a block to before another.

    Raises NotFound.
    """
    holes = hole_blocks(session, tournament_id)
    return holes | withdrawn.blocks(session, tournament_id, within)


def secret_blocks(
    session: Session, tournament_id: int, within: tuple[int, int] | None = None
) -> frozenset[int]:
    """The blocks whose deals are still in play, or those among a first to a last one.

    Raises NotFound.
    """
    if tournaments.require(session, tournament_id).cancelled_at is not None:
        return frozenset()
    asked = _Asked(session, tournament_id)
    asked.only(asked.is_(MatchStatus.PENDING))
    if within is not None:
        asked.only(MatchRow.block.between(*within))
    return frozenset(match.key.block for match in asked.read())


def secret_among(session: Session, tournament_id: int, blocks: Collection[int]) -> frozenset[int]:
    """Those of some blocks whose deals are still in play. Raises NotFound."""
    if tournaments.require(session, tournament_id).cancelled_at is not None:
        return frozenset()
    asked = _Asked(session, tournament_id)
    asked.only(MatchRow.block.in_(blocks))
    asked.only(asked.is_(MatchStatus.PENDING))
    return frozenset(match.key.block for match in asked.read())


def is_released(session: Session, tournament_id: int, match_id: str) -> bool:
    """Whether nobody will meet the match's deals any more. Raises NotFound."""
    block = find(session, tournament_id, match_id).key.block
    return block not in secret_blocks(session, tournament_id, (block, block))


def _behind(key: MatchKey) -> ColumnElement[bool]:
    """That a match comes after another one in schedule order."""
    # The first part alone says where to begin to read, in any database.
    later = or_(MatchRow.block > key.block, MatchRow.rotation > key.rotation)
    return and_(MatchRow.block >= key.block, later)


def _status(*, done: bool, voids: int, withdrawn: bool) -> MatchStatus:
    if done:
        return MatchStatus.DONE
    if voids >= MAX_ATTEMPTS:
        return MatchStatus.HOLE
    return MatchStatus.ANNULLED if withdrawn else MatchStatus.PENDING
