"""Schedules that grow with their tournament's results, within a session.

What is added, and when no more is, others decide: here it is only made sure that blocks come once,
in their places, after all before them have ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.store import entering, tournaments
from arena.store.errors import InvalidRecord
from arena.store.records import Entry, NewMatch
from arena.store.schema import AdaptiveRow, EntryRow, MatchRow, TournamentRow


def extend(
    session: Session,
    tournament_id: int,
    matches: Sequence[NewMatch],
    seen: Sequence[Entry] | None = None,
) -> None:
    """Add the blocks that come next, chosen in view of these entries.

    Raises NotFound, TournamentOver, EntriesChanged, InvalidRecord.
    """
    row = tournaments.require_open(session, tournament_id)
    if seen is not None:
        entering.require_unchanged(session, row, seen)
    if _require_adaptive(session, row).ended_at is not None:
        raise InvalidRecord(f"the schedule of tournament {row.name!r} has ended")
    if pending := tournaments.progress(session, tournament_id).pending:
        raise InvalidRecord(
            f"tournament {row.name!r} takes no new blocks before the {pending} matches that it has "
            "were played"
        )
    entries = session.scalar(
        select(func.count()).select_from(EntryRow).where(EntryRow.tournament_id == tournament_id)
    )
    tournaments.check_matches(row.name, entries or 0, row.table_size, matches)
    _check_places(session, row, matches)
    tournaments.schedule(session, tournament_id, matches)


def end(session: Session, tournament_id: int) -> None:
    """No more blocks come; twice is the same as once. Raises NotFound, InvalidRecord."""
    adaptive = _require_adaptive(session, tournaments.require(session, tournament_id))
    if adaptive.ended_at is None:
        adaptive.ended_at = datetime.now(UTC)


def _require_adaptive(session: Session, row: TournamentRow) -> AdaptiveRow:
    adaptive = session.get(AdaptiveRow, row.id)
    if adaptive is None:
        raise InvalidRecord(f"the schedule of tournament {row.name!r} does not grow")
    return adaptive


def _check_places(session: Session, row: TournamentRow, matches: Sequence[NewMatch]) -> None:
    newest = select(func.max(MatchRow.block)).where(MatchRow.tournament_id == row.id)
    first = (session.scalar(newest) or 0) + 1
    blocks = [
        (block, [match.key.rotation for match in of_block])
        for block, of_block in groupby(matches, key=lambda match: match.key.block)
    ]
    whole = list(range(row.table_size))
    if blocks != [(first + at, whole) for at in range(len(blocks))] or not blocks:
        raise InvalidRecord(
            f"the schedule of tournament {row.name!r} goes on with whole blocks from {first} on"
        )
    if first + len(blocks) > row.blocks:
        raise InvalidRecord(f"tournament {row.name!r} has {row.blocks} blocks at most")
