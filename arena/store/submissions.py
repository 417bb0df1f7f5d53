"""What authors handed in, on its way to be a version."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.store import requests, versions
from arena.store.database import Database
from arena.store.errors import NotFound, TooManyUnfinished
from arena.store.records import (
    BlobKey,
    NewSubmission,
    NewVersion,
    StoredSubmission,
    SubmissionState,
)
from arena.store.requests import Request
from arena.store.schema import SubmissionRow, VersionRow
from arena.store.texts import checked, plain

_ORDER: Final = list(SubmissionState)
_OVER: Final = [state.value for state in SubmissionState if state.over]


@dataclass(frozen=True, slots=True)
class Submissions:
    """All submissions; each method is one transaction, and raises as those of Store do."""

    database: Database
    #: Keeps blobs, on the disk when it returns.
    keep: Callable[[Sequence[bytes]], list[BlobKey]]

    def receive(
        self,
        new: NewSubmission,
        archive: bytes,
        *,
        most_unfinished: int | None = None,
        request: Request | None = None,
    ) -> StoredSubmission:
        """Keep what was handed in, or find the same bytes of the same bot again.

        The name is the author's from here on, whatever becomes of the submission. One that was
        rejected is no answer to the same bytes: they may be tried again. `most_unfinished` is how
        many submissions of one author may be under way at a time.
        Raises NameTaken, TooManyUnfinished, AlreadyDone and InvalidRecord.
        """
        for what, text in (("bot name", new.bot), ("author", new.author), ("digest", new.digest)):
            checked(what, text)
        with self.database.read() as session:
            versions.owned(session, new.bot, new.author)
            same = _same(session, new)
        key = self.keep([archive])[0] if same is None else same.archive
        with self.database.write() as session:
            same = _same(session, new)
            id_ = secrets.token_hex(8) if same is None else same.id
            requests.claim(session, request, id_)
            if same is not None:
                return same
            versions.take_name(session, new.bot, new.author)
            return _add(session, id_, new, key, most_unfinished)

    def asked(self, request: Request | None) -> StoredSubmission | None:
        """What came of the same request before, None if it is new. Raises RequestReused."""
        if request is None:
            return None
        with self.database.read() as session:
            target = requests.target_of(session, request)
            return None if target is None else _find(session, target)

    def get(self, id_: str) -> StoredSubmission:
        """The submission of that id. Raises NotFound."""
        with self.database.read() as session:
            return _find(session, id_)

    def unfinished(self, author: str | None = None) -> list[StoredSubmission]:
        """Those that are under way, all or an author's, in the order in which they came."""
        query = _submissions().where(SubmissionRow.state.not_in(_OVER))
        if author is not None:
            query = query.where(SubmissionRow.author == author)
        with self.database.read() as session:
            return [_record(*row) for row in session.execute(query.order_by(SubmissionRow.number))]

    def page(
        self, author: str | None, *, before: str | None = None, size: int
    ) -> list[StoredSubmission]:
        """The newest ones, all or an author's, at most `size`; of those that came before `before`.

        Raises NotFound if there is no submission of that id, or none of that author.
        """
        query = _submissions().order_by(SubmissionRow.number.desc()).limit(size)
        if author is not None:
            query = query.where(SubmissionRow.author == author)
        with self.database.read() as session:
            if before is not None:
                query = query.where(SubmissionRow.number < _row(session, before, author).number)
            return [_record(*row) for row in session.execute(query)]

    def of_bot(
        self, bot: str, version: int | None = None, *, before: str | None = None, size: int
    ) -> list[StoredSubmission]:
        """The newest ones of a bot, at most `size`; of a version only those that became it.

        Of those that came before `before`. Raises NotFound if there is no submission of that id.
        """
        query = _submissions().order_by(SubmissionRow.number.desc()).limit(size)
        query = query.where(SubmissionRow.bot == bot)
        if version is not None:
            query = query.where(VersionRow.number == version)
        with self.database.read() as session:
            if before is not None:
                query = query.where(SubmissionRow.number < _row(session, before).number)
            return [_record(*row) for row in session.execute(query)]

    def advance(
        self, id_: str, state: SubmissionState, *, advice: Sequence[str] = ()
    ) -> StoredSubmission:
        """Note that it has come as far as `state`, and what more its author should know.

        It never goes back, so the same again changes nothing. Raises NotFound.
        """
        with self.database.write() as session:
            row = _row(session, id_)
            if _ORDER.index(SubmissionState(row.state)) < _ORDER.index(state):
                _change(row, state, advice)
                row.trouble = ""
            return _find(session, id_)

    def reject(
        self, id_: str, reason: str, *, advice: Sequence[str] = (), log: bytes = b""
    ) -> StoredSubmission:
        """End it: it can't be a version. One that is over stays as it is. Raises NotFound."""
        return self._end(id_, SubmissionState.REJECTED, advice, log, reason=reason)

    def ready(
        self,
        id_: str,
        new: NewVersion,
        provenance: Mapping[str, str],
        *,
        advice: Sequence[str] = (),
        log: bytes = b"",
    ) -> StoredSubmission:
        """End it: it is a version from here on. One that is over stays as it is.

        `provenance` is with what it was built and qualified. Raises NotFound, InvalidRecord.
        """
        versions.check(new)
        return self._end(
            id_,
            SubmissionState.READY,
            advice,
            log,
            version=lambda session, archive: versions.add(session, new, archive, provenance).id,
        )

    def stuck(self, id_: str, trouble: str, *, spoilt: bool = False) -> int:
        """Note what keeps us from going on with it; `spoilt`: that we spoilt its matches.

        Returns how often they were spoilt by now. Raises NotFound.
        """
        with self.database.write() as session:
            row = _row(session, id_)
            if not SubmissionState(row.state).over:
                row.trouble = plain(trouble)
                row.spoilt += spoilt
                row.updated = datetime.now(UTC)
            return row.spoilt

    def _end(
        self,
        id_: str,
        state: SubmissionState,
        advice: Sequence[str],
        log: bytes,
        *,
        reason: str = "",
        version: Callable[[Session, BlobKey], int] | None = None,
    ) -> StoredSubmission:
        key = self.keep([log])[0] if log else None
        with self.database.write() as session:
            row = _row(session, id_)
            if not SubmissionState(row.state).over:
                _change(row, state, advice)
                row.reason, row.trouble, row.log = plain(reason), "", key
                if version is not None:
                    row.version_id = version(session, row.archive)
            return _find(session, id_)


def _add(
    session: Session, id_: str, new: NewSubmission, archive: BlobKey, most: int | None
) -> StoredSubmission:
    known = versions.find_same(session, new.bot, new.author, new.digest)
    if known is None and most is not None:
        _check_unfinished(session, new.author, most)
    now = datetime.now(UTC)
    state = SubmissionState.RECEIVED if known is None else SubmissionState.READY
    row = SubmissionRow(
        id=id_,
        author=new.author,
        bot=new.bot,
        state=state.value,
        reason="",
        advice=[],
        trouble="",
        spoilt=0,
        digest=new.digest,
        archive=archive,
        version_id=None if known is None else known.id,
        created=now,
        updated=now,
    )
    session.add(row)
    session.flush()
    return _find(session, id_)


def _check_unfinished(session: Session, author: str, most: int) -> None:
    unfinished = session.scalar(
        select(func.count())
        .select_from(SubmissionRow)
        .where(SubmissionRow.author == author, SubmissionRow.state.not_in(_OVER))
    )
    if (unfinished or 0) >= most:
        raise TooManyUnfinished(
            f"{unfinished} submissions of yours are under way, and no more may be at a time: "
            "wait until one of them is ready or rejected"
        )


def _same(session: Session, new: NewSubmission) -> StoredSubmission | None:
    """The newest submission of these bytes of this bot, unless it was rejected."""
    query = _submissions().where(
        SubmissionRow.bot == new.bot,
        SubmissionRow.author == new.author,
        SubmissionRow.digest == new.digest,
        SubmissionRow.state != SubmissionState.REJECTED.value,
    )
    row = session.execute(query.order_by(SubmissionRow.number.desc()).limit(1)).one_or_none()
    return None if row is None else _record(*row)


def _change(row: SubmissionRow, state: SubmissionState, advice: Sequence[str]) -> None:
    row.state = state.value
    # Another list and not a longer one, since only that is noticed; each line once.
    row.advice = list(dict.fromkeys([*row.advice, *map(plain, advice)]))
    row.updated = datetime.now(UTC)


def _row(session: Session, id_: str, author: str | None = None) -> SubmissionRow:
    """The submission of that id, of anybody or of an author. Raises NotFound."""
    row = session.scalar(select(SubmissionRow).where(SubmissionRow.id == id_))
    if row is None or author not in {None, row.author}:
        raise NotFound(f"there is no submission {id_[:40]!a}")
    return row


def _find(session: Session, id_: str) -> StoredSubmission:
    session.flush()
    row = _row(session, id_)
    return _record(*session.execute(_submissions().where(SubmissionRow.number == row.number)).one())


def _submissions() -> Select[SubmissionRow, int | None]:
    return select(SubmissionRow, VersionRow.number).outerjoin(
        VersionRow, SubmissionRow.version_id == VersionRow.id
    )


def _record(row: SubmissionRow, version: int | None) -> StoredSubmission:
    return StoredSubmission(
        id=row.id,
        author=row.author,
        bot=row.bot,
        state=SubmissionState(row.state),
        reason=row.reason,
        advice=tuple(row.advice),
        trouble=row.trouble,
        digest=row.digest,
        archive=row.archive,
        log=row.log,
        version=version,
        created=row.created,
        updated=row.updated,
    )
