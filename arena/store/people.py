"""Matches that people play against bots: kept for whoever played, and part of no result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.store.database import Database
from arena.store.errors import AtATable, NotFound
from arena.store.records import (
    BlobKey,
    NewPersonMatch,
    PersonMatch,
    PersonMatchState,
    PersonResult,
    SeatedBot,
)
from arena.store.schema import PersonMatchRow
from arena.store.texts import checked, plain

_UNDER_WAY: Final = [state.value for state in PersonMatchState if not state.ended]


@dataclass(frozen=True, slots=True)
class People:
    """All matches of people; each method is one transaction, and raises as those of Store do."""

    database: Database
    #: Keeps blobs, on the disk when it returns.
    keep: Callable[[Sequence[bytes]], list[BlobKey]]

    def want(self, new: NewPersonMatch) -> PersonMatch:
        """Note that somebody wants to play. Raises AtATable if that person plays already."""
        for what, text in (("author", new.author), ("match id", new.id), ("game", new.game)):
            checked(what, text)
        with self.database.write() as session:
            mine = PersonMatchRow.author == new.author
            under_way = PersonMatchRow.state.in_(_UNDER_WAY)
            if session.scalar(select(PersonMatchRow.id).where(mine, under_way).limit(1)):
                raise AtATable("you are playing a match already: play it to its end, or leave it")
            session.add(
                PersonMatchRow(
                    id=new.id,
                    author=new.author,
                    game=new.game,
                    options=dict(new.options),
                    seat=new.seat,
                    bots=[None if bot is None else asdict(bot) for bot in new.bots],
                    state=PersonMatchState.WANTED.value,
                    why="",
                    created=datetime.now(UTC),
                )
            )
            session.flush()
            return _record(_row(session, new.id))

    def begin(self, id_: str) -> PersonMatch:
        """Its bots are ready: it is being played. One that has ended stays so. Raises NotFound."""
        return self._change(id_, PersonMatchState.PLAYING)

    def end(self, id_: str, result: PersonResult, replay: bytes) -> PersonMatch:
        """It was played to its end. One that has ended stays as it is. Raises NotFound."""
        (key,) = self.keep([replay])
        return self._change(id_, PersonMatchState.OVER, result=asdict(result), replay=key)

    def interrupt(self, id_: str, why: str) -> PersonMatch:
        """It was cut off. One that has ended stays as it is. Raises NotFound."""
        return self._change(id_, PersonMatchState.INTERRUPTED, why=plain(why))

    def interrupt_all(self, why: str, author: str | None = None) -> int:
        """All that are under way, or a person's, were cut off: nobody plays them. Counts them."""
        query = select(PersonMatchRow).where(PersonMatchRow.state.in_(_UNDER_WAY))
        if author is not None:
            query = query.where(PersonMatchRow.author == author)
        with self.database.write() as session:
            cut_off = session.scalars(query).all()
            for row in cut_off:
                row.state, row.why = PersonMatchState.INTERRUPTED.value, plain(why)
                row.ended = datetime.now(UTC)
            return len(cut_off)

    def get(self, id_: str) -> PersonMatch:
        """The match of that id. Raises NotFound."""
        with self.database.read() as session:
            return _record(_row(session, id_))

    def page(self, author: str, *, before: str | None = None, size: int) -> list[PersonMatch]:
        """A person's newest ones, at most `size`; of those that were wanted before `before`.

        Raises NotFound if there is no match of that id, or none of that person's.
        """
        query = (
            select(PersonMatchRow)
            .where(PersonMatchRow.author == author)
            .order_by(PersonMatchRow.number.desc())
            .limit(size)
        )
        with self.database.read() as session:
            if before is not None:
                row = _row(session, before)
                if row.author != author:
                    raise _nowhere(before)
                query = query.where(PersonMatchRow.number < row.number)
            return [_record(row) for row in session.scalars(query)]

    def _change(self, id_: str, state: PersonMatchState, **told: Any) -> PersonMatch:
        with self.database.write() as session:
            row = _row(session, id_)
            if not PersonMatchState(row.state).ended:
                row.state = state.value
                row.ended = datetime.now(UTC) if state.ended else None
                for name, value in told.items():
                    setattr(row, name, value)
                session.flush()
            return _record(row)


def _row(session: Session, id_: str) -> PersonMatchRow:
    row = session.scalar(select(PersonMatchRow).where(PersonMatchRow.id == id_))
    if row is None:
        raise _nowhere(id_)
    return row


def _nowhere(id_: str) -> NotFound:
    return NotFound(f"there is no match {id_[:40]!a}")


def _record(row: PersonMatchRow) -> PersonMatch:
    return PersonMatch(
        id=row.id,
        author=row.author,
        game=row.game,
        options=row.options,
        seat=row.seat,
        bots=tuple(None if bot is None else SeatedBot(**bot) for bot in row.bots),
        state=PersonMatchState(row.state),
        why=row.why,
        created=row.created,
        ended=row.ended,
        result=None if row.result is None else _result(row.result),
        replay=row.replay,
    )


def _result(told: dict[str, Any]) -> PersonResult:
    return PersonResult(
        reason=told["reason"],
        rounds=told["rounds"],
        totals=tuple(told["totals"]),
        ranks=tuple(told["ranks"]),
        faults=tuple(told["faults"]),
        out=tuple(told["out"]),
    )
