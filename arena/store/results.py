"""Results of matches, within a session."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.orm import Session

from arena.store import matches, tournaments
from arena.store.errors import InvalidRecord, MatchAnnulled, NotFound, ResultConflict
from arena.store.records import (
    BlobKey,
    MatchKey,
    MatchStatus,
    NewResult,
    Recorded,
    SeatFault,
    SeatResult,
    StoredMatch,
    StoredResult,
)
from arena.store.schema import MatchRow, ResultRow, SeatRow, same_match
from arena.store.texts import checked, plain


def check_logs(new: NewResult, logs: Mapping[int, bytes]) -> None:
    """Raises InvalidRecord, if there is a log of no seat."""
    for seat in logs.keys() - {seat.seat for seat in new.seats}:
        raise InvalidRecord(
            f"the result of match {new.match_id} has no seat {seat}, but a log of it"
        )


def is_recorded(session: Session, tournament_id: int, new: NewResult) -> bool:
    """Whether the same result is there; if none is, whether `new` could be recorded.

    Raises NotFound, InvalidRecord, TournamentOver, MatchAnnulled, and ResultConflict.
    """
    match = matches.find(session, tournament_id, new.match_id)
    _check_seats(match, new)
    if match.status is MatchStatus.DONE:
        _require_same(session, tournament_id, match, new)
        return True
    tournaments.require_open(session, tournament_id)
    if match.status is MatchStatus.HOLE:
        raise ResultConflict(
            f"match {match.id} was void {match.attempts} times and given up: "
            "a result that comes now is not taken"
        )
    if match.status is MatchStatus.ANNULLED:
        raise MatchAnnulled(
            f"match {match.id} is annulled, since an entry of it was withdrawn: "
            "a result that comes now is not taken"
        )
    return False


def record(
    session: Session,
    tournament_id: int,
    new: NewResult,
    replay: BlobKey,
    logs: Mapping[int, BlobKey],
) -> Recorded:
    """Keep the result, its blobs being kept already. Raises what `is_recorded` raises."""
    if is_recorded(session, tournament_id, new):
        return Recorded.ALREADY_THERE
    key = matches.find(session, tournament_id, new.match_id).key
    place = {"tournament_id": tournament_id, "block": key.block, "rotation": key.rotation}
    session.add(
        ResultRow(
            **place,
            reason=checked("reason", new.reason),
            rounds=new.rounds,
            turns=new.turns,
            replay=replay,
            replay_digest=checked("replay digest", new.replay_digest),
            recorded_at=datetime.now(UTC),
            measured=dict(new.measured),
        )
    )
    session.flush()
    session.execute(
        insert(SeatRow),
        [
            {
                **place,
                "seat": seat.seat,
                "entry": seat.entry,
                "rank": seat.rank,
                "total": seat.total,
                "faults": [[fault.round, fault.turn, fault.kind] for fault in seat.faults],
                "outcome": plain(seat.outcome),
                "detail": plain(seat.detail),
                "charged_ms": seat.charged_ms,
                "peak_memory": seat.peak_memory,
                "log": logs.get(seat.seat),
                "luck": seat.luck,
            }
            for seat in new.seats
        ],
    )
    return Recorded.NEW


def find(session: Session, tournament_id: int, match_id: str) -> StoredResult:
    """The result of the match of that id. Raises NotFound."""
    match = matches.find(session, tournament_id, match_id)
    for result in _read(session, tournament_id, match.key):
        return result
    raise NotFound(f"match {match_id} has no result: it is {match.status.value}")


def listed(
    session: Session,
    tournament_id: int,
    *,
    without_blocks: Collection[int] = (),
    from_block: int = 0,
) -> list[StoredResult]:
    """The tournament's results in schedule order, from a block on. Raises NotFound."""
    tournaments.require(session, tournament_id)
    found = _read(session, tournament_id, from_block=from_block)
    return [result for result in found if result.key.block not in without_blocks]


def rated(session: Session, tournament_id: int, *, from_block: int = 0) -> list[StoredResult]:
    """The results that count, in schedule order: not those of `matches.left_out`.

    Raises NotFound.
    """
    left_out = matches.left_out(session, tournament_id)
    return listed(session, tournament_id, without_blocks=left_out, from_block=from_block)


def between(session: Session, tournament_id: int, first: int, last: int) -> list[StoredResult]:
    """The results of a first block to a last one, in schedule order."""
    return list(_read(session, tournament_id, from_block=first, to_block=last))


def _check_seats(match: StoredMatch, new: NewResult) -> None:
    seated = tuple((seat.seat, seat.entry) for seat in new.seats)
    if seated != tuple(enumerate(match.seating)):
        raise InvalidRecord(
            f"the result of match {match.id} seats entries {[entry for _, entry in seated]}, "
            f"but {list(match.seating)} were to play, in the order of their seats"
        )


def _require_same(session: Session, tournament_id: int, match: StoredMatch, new: NewResult) -> None:
    (old,) = _read(session, tournament_id, match.key)
    if _essence(old) != _essence(new):
        name = tournaments.require(session, tournament_id).name
        raise ResultConflict(
            f"match {match.id} of tournament {name!r} was played twice with different results "
            f"(replays {old.replay_digest} and {new.replay_digest}): the first one stays; "
            "does another program play this tournament, or is a bot not deterministic?"
        )


def _essence(result: NewResult | StoredResult) -> object:
    """What makes two results the same: all but what was measured and how it is worded."""
    return (
        result.replay_digest,
        result.reason,
        result.rounds,
        result.turns,
        [(seat.rank, seat.total, seat.faults, seat.outcome) for seat in result.seats],
    )


def _read(
    session: Session,
    tournament_id: int,
    key: MatchKey | None = None,
    *,
    from_block: int = 0,
    to_block: int | None = None,
) -> Iterator[StoredResult]:
    """All results in schedule order from a block on, to another one, or the one of `key`.

    Every ranking reads this, maybe 100,000 results at a time: so two walks side by side along
    results and seats, and on the connection, since a session's rows take half as long again.
    """
    asked = (tournament_id, key, from_block, to_block)
    seats = groupby(_read_seats(session, *asked), key=itemgetter(0))
    query = (
        select(
            MatchRow.id,
            ResultRow.block,
            ResultRow.rotation,
            ResultRow.reason,
            ResultRow.rounds,
            ResultRow.turns,
            ResultRow.replay,
            ResultRow.replay_digest,
            ResultRow.recorded_at,
            ResultRow.measured,
        )
        .join(MatchRow, same_match(MatchRow, ResultRow))
        .where(*_within(ResultRow, *asked))
        .order_by(ResultRow.block, ResultRow.rotation)
    )
    for row, (_, of_match) in zip(session.connection().execute(query), seats, strict=True):
        id_, block, rotation, reason, rounds, turns, replay, digest, recorded_at, measured = row
        yield StoredResult(
            match_id=id_,
            key=MatchKey(block, rotation),
            reason=reason,
            rounds=rounds,
            turns=turns,
            replay=replay,
            replay_digest=digest,
            seats=tuple(seat for _, seat in of_match),
            recorded_at=recorded_at,
            measured=measured,
        )


def _read_seats(
    session: Session,
    tournament_id: int,
    key: MatchKey | None,
    from_block: int,
    to_block: int | None,
) -> Iterator[tuple[tuple[int, int], SeatResult]]:
    query = (
        select(
            SeatRow.block,
            SeatRow.rotation,
            SeatRow.seat,
            SeatRow.entry,
            SeatRow.rank,
            SeatRow.total,
            SeatRow.faults,
            SeatRow.outcome,
            SeatRow.detail,
            SeatRow.charged_ms,
            SeatRow.peak_memory,
            SeatRow.log,
            SeatRow.luck,
        )
        .where(*_within(SeatRow, tournament_id, key, from_block, to_block))
        .order_by(SeatRow.block, SeatRow.rotation, SeatRow.seat)
    )
    for row in session.connection().execute(query):
        block, rotation, seat, entry, rank, total, faults, outcome, detail, *measured = row
        charged_ms, peak_memory, log, luck = measured
        yield (
            (block, rotation),
            SeatResult(
                seat=seat,
                entry=entry,
                rank=rank,
                total=total,
                faults=tuple(SeatFault(*fault) for fault in faults),
                outcome=outcome,
                detail=detail,
                charged_ms=charged_ms,
                peak_memory=peak_memory,
                luck=luck,
                log=log,
            ),
        )


def _within(
    rows: type[ResultRow | SeatRow],
    tournament_id: int,
    key: MatchKey | None,
    from_block: int,
    to_block: int | None,
) -> list[ColumnElement[bool]]:
    within = [rows.tournament_id == tournament_id]
    if from_block:
        within.append(rows.block >= from_block)
    if to_block is not None:
        within.append(rows.block <= to_block)
    if key is not None:
        within += [rows.block == key.block, rows.rotation == key.rotation]
    return within
