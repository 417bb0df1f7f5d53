"""Tournaments and their entries, within a session."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import cast

from sqlalchemy import (
    Select,
    exists,
    func,
    insert,
    not_,
    select,
    tuple_,
)
from sqlalchemy.orm import Session

from arena.store import leagues, versions, withdrawn
from arena.store.errors import InvalidRecord, NameTaken, NotFound, TournamentOver
from arena.store.records import (
    MAX_ATTEMPTS,
    BotVersion,
    Entry,
    Isolation,
    NewMatch,
    NewTournament,
    Ponder,
    Progress,
    Sandbox,
    Tournament,
    TournamentState,
)
from arena.store.schema import (
    AdaptiveRow,
    BotRow,
    EntryRow,
    MatchRow,
    ResultRow,
    TournamentRow,
    VersionRow,
    VoidRow,
    same_match,
)
from arena.store.texts import checked
from arena.store.versions import version_record


def check(new: NewTournament, entries: Sequence[BotVersion], matches: Sequence[NewMatch]) -> None:
    """Raises InvalidRecord, if the parts don't fit each other."""
    checked("tournament name", new.name)
    checked("game", new.game)
    checked("engine version", new.engine)
    if len(new.seed) != 32:
        raise InvalidRecord(f"a tournament's seed is 32 bytes, not {len(new.seed)}")
    if not matches and entries:
        raise InvalidRecord(f"tournament {new.name!r} has no match: give it more entries or blocks")
    if new.until_clear is not None and not 0 < new.until_clear < 1:
        raise InvalidRecord(f"a probability is between 0 and 1, so it cannot be {new.until_clear}")
    leagues.check(new)
    check_matches(new.name, len(entries), new.table_size, matches)


def check_matches(name: str, entries: int, table_size: int, matches: Sequence[NewMatch]) -> None:
    """Raises InvalidRecord, if the matches fit neither each other nor the tournament."""
    if len({match.key for match in matches}) < len(matches):
        raise InvalidRecord(f"tournament {name!r} has two matches in one place of its schedule")
    if len({match.id for match in matches}) < len(matches):
        raise InvalidRecord(f"tournament {name!r} has two matches of one id")
    positions = set(range(entries))
    for match in matches:
        checked("match id", match.id)
        players = set(match.seating)
        if not len(players) == len(match.seating) == table_size or not players <= positions:
            raise InvalidRecord(
                f"match {match.id} seats {list(match.seating)}: it takes {table_size} "
                f"different entries out of {entries}"
            )


def create(
    session: Session,
    new: NewTournament,
    entries: Sequence[BotVersion],
    matches: Sequence[NewMatch],
) -> Tournament:
    """Keep the tournament with its entries and its whole schedule, or open it for entry.

    Raises NameTaken, EntryRefused for a version that was retired, and InvalidRecord for a league of
    another game.
    """
    versions.require_in_use(session, [version.id for version in entries])
    if session.scalar(select(TournamentRow.id).where(TournamentRow.name == new.name)):
        raise NameTaken(
            f"there is a tournament {new.name!r} already: choose another name, or run that one"
        )
    row = TournamentRow(
        name=new.name,
        game=new.game,
        options=dict(new.options),
        table_size=new.table_size,
        blocks=new.blocks,
        seed=new.seed,
        seed_hash=hashlib.sha256(new.seed).hexdigest(),
        timers=dict(new.timers),
        max_faults=new.max_faults,
        sandbox=new.sandbox,
        isolation=new.isolation,
        ponder=new.ponder,
        engine=new.engine,
        created=datetime.now(UTC),
        organiser=new.organiser,
        private=new.private,
        entry_open=not entries,
    )
    session.add(row)
    session.flush()
    leagues.join(session, row.id, new)
    if new.until_clear is not None:
        session.add(AdaptiveRow(tournament_id=row.id, until_clear=new.until_clear))
    if entries:
        seat(session, row.id, [version.id for version in entries])
        schedule(session, row.id, matches)
    return records(session, select(TournamentRow).where(TournamentRow.id == row.id))[0]


def seat(session: Session, tournament_id: int, versions: Sequence[int]) -> None:
    """Make versions, by their ids, the entries from position 0 on."""
    session.execute(
        insert(EntryRow),
        [
            {"tournament_id": tournament_id, "position": position, "version_id": version}
            for position, version in enumerate(versions)
        ],
    )


def schedule(session: Session, tournament_id: int, matches: Sequence[NewMatch]) -> None:
    """Add matches to a schedule, checked before."""
    session.execute(
        insert(MatchRow),
        [
            {
                "tournament_id": tournament_id,
                "block": match.key.block,
                "rotation": match.key.rotation,
                "id": match.id,
                "seating": list(match.seating),
            }
            for match in matches
        ],
    )


def find(session: Session, name: str) -> Tournament:
    """The tournament of that name. Raises NotFound."""
    found = records(session, select(TournamentRow).where(TournamentRow.name == name))
    if found:
        return found[0]
    close = get_close_matches(name, session.scalars(select(TournamentRow.name)).all(), n=1)
    hint = f"did you mean {close[0]!r}?" if close else "look it up in the list of tournaments"
    raise NotFound(f"there is no tournament {name!r}: {hint}")


def listed(session: Session, game: str | None, league: str | None = None) -> list[Tournament]:
    """All tournaments, or those of `game` or a `league`, in the order of their creation."""
    return records(session, those_of(game, league))


def those_of(game: str | None, league: str | None = None) -> Select[TournamentRow]:
    """Selects the rows of all tournaments, or of those of `game` or a `league`."""
    query = select(TournamentRow)
    if game is not None:
        query = query.where(TournamentRow.game == game)
    if league is not None:
        query = query.where(TournamentRow.id.in_(leagues.tournaments_of(league)))
    return query


def require(session: Session, tournament_id: int) -> TournamentRow:
    """The tournament's row. Raises NotFound."""
    row = session.get(TournamentRow, tournament_id)
    if row is None:
        raise NotFound(f"there is no tournament with the id {tournament_id}")
    return row


def require_open(session: Session, tournament_id: int) -> TournamentRow:
    """The row of a tournament that isn't cancelled. Raises NotFound, TournamentOver."""
    row = require(session, tournament_id)
    if row.cancelled_at is not None:
        raise TournamentOver(f"tournament {row.name!r} was cancelled: it takes no more results")
    return row


def cancel(session: Session, tournament_id: int) -> None:
    """Stop it for good; twice is the same as once. Raises NotFound, TournamentOver."""
    row = require(session, tournament_id)
    if progress(session, tournament_id).state is TournamentState.FINISHED:
        raise TournamentOver(f"tournament {row.name!r} has finished: nothing is left to cancel")
    if row.cancelled_at is None:
        row.cancelled_at = datetime.now(UTC)


def progress(session: Session, tournament_id: int) -> Progress:
    """How far the tournament is. Raises NotFound."""
    cancelled = require(session, tournament_id).cancelled_at is not None

    def count(of: type[MatchRow | ResultRow | VoidRow]) -> int:
        query = select(func.count()).select_from(of).where(of.tournament_id == tournament_id)
        return session.scalar(query) or 0

    matches, done, voids = count(MatchRow), count(ResultRow), count(VoidRow)
    holes = session.scalar(select(func.count()).select_from(hole_keys(tournament_id).subquery()))
    annulled = _annulled(session, tournament_id)
    adaptive = session.get(AdaptiveRow, tournament_id)
    growing = adaptive is not None and adaptive.ended_at is None
    at = Progress(TournamentState.ENTRY, matches, done, holes or 0, voids, annulled)
    return replace(at, state=_state(at, cancelled=cancelled, growing=growing))


def _annulled(session: Session, tournament_id: int) -> int:
    """How many matches are not to be played since an entry was withdrawn."""
    holes = hole_keys(tournament_id)
    query = (
        select(func.count())
        .select_from(MatchRow)
        .where(
            MatchRow.tournament_id == tournament_id,
            withdrawn.condition(session, tournament_id),
            not_(exists().where(same_match(ResultRow, MatchRow))),
            tuple_(MatchRow.block, MatchRow.rotation).not_in(holes),
        )
    )
    return session.scalar(query) or 0


def hole_keys(tournament_id: int) -> Select[int, int]:
    """Selects the block and rotation of the matches that were given up."""
    done = exists().where(same_match(ResultRow, VoidRow))
    return (
        select(VoidRow.block, VoidRow.rotation)
        .where(VoidRow.tournament_id == tournament_id, not_(done))
        .group_by(VoidRow.block, VoidRow.rotation)
        .having(func.count() >= MAX_ATTEMPTS)
    )


def _state(at: Progress, *, cancelled: bool, growing: bool) -> TournamentState:
    if cancelled:
        return TournamentState.CANCELLED
    if not at.matches:
        return TournamentState.ENTRY
    if not (growing or at.pending):
        return TournamentState.FINISHED
    return TournamentState.RUNNING if at.done + at.voids else TournamentState.CREATED


def records(
    session: Session, query: Select[TournamentRow], *, entries: bool = True
) -> list[Tournament]:
    """The tournaments whose rows a query selects, in the order of their creation.

    Without their `entries`, if those aren't wanted.
    """
    rows = session.scalars(query.order_by(TournamentRow.id)).all()
    of = _entries(session, query) if entries else {}
    adaptive = select(AdaptiveRow.tournament_id, AdaptiveRow.until_clear).where(
        AdaptiveRow.tournament_id.in_(query.with_only_columns(TournamentRow.id))
    )
    until = dict(session.execute(adaptive).all())
    league = leagues.names(session, query.with_only_columns(TournamentRow.id))
    return [
        _record(row, tuple(of.get(row.id, ())), until.get(row.id), league.get(row.id))
        for row in rows
    ]


def _entries(session: Session, query: Select[TournamentRow]) -> dict[int, list[Entry]]:
    """By tournament, the entries of those that a query selects."""
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry, version, bot, author in session.execute(
        select(EntryRow, VersionRow, BotRow.name, BotRow.author)
        .join(VersionRow, EntryRow.version_id == VersionRow.id)
        .join(BotRow, VersionRow.bot_id == BotRow.id)
        .where(EntryRow.tournament_id.in_(query.with_only_columns(TournamentRow.id)))
        .order_by(EntryRow.tournament_id, EntryRow.position)
    ):
        entries[entry.tournament_id].append(
            Entry(
                position=entry.position,
                version=version_record(version, bot, author),
                withdrawn=entry.withdrawn_at,
                withdrawn_why=entry.withdrawn_why or "",
                withdrawn_from=entry.withdrawn_from,
                annulled_from=entry.annulled_from,
            )
        )
    return entries


def _record(
    row: TournamentRow, entries: tuple[Entry, ...], until_clear: float | None, league: str | None
) -> Tournament:
    return Tournament(
        id=row.id,
        name=row.name,
        game=row.game,
        options=row.options,
        table_size=row.table_size,
        blocks=row.blocks,
        seed=row.seed,
        seed_hash=row.seed_hash,
        timers=row.timers,
        max_faults=row.max_faults,
        sandbox=cast("Sandbox", row.sandbox),
        isolation=cast("Isolation", row.isolation),
        engine=row.engine,
        created=row.created,
        entries=entries,
        until_clear=until_clear,
        ponder=cast("Ponder", row.ponder or "allow"),
        organiser=row.organiser,
        private=row.private,
        entry_open=row.entry_open,
        wanted=row.wanted_at,
        league=league,
    )
