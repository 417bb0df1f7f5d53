"""Changes asked for under an id, so that whoever got no answer may ask again, within a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from arena.store.errors import RequestReused
from arena.store.schema import RequestRow


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for a change, under which id, and for what.

    `fingerprint` stands for everything in the request: another one under the same id is a mistake.
    """

    author: str
    id: str
    method: str
    fingerprint: str


class AlreadyDone(Exception):
    """The change was made when this request came first; `target` says what it was about."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target = target


def claim(session: Session, request: Request | None, target: str) -> None:
    """Note within a change's own transaction that it was asked for; first of all in it.

    Raises AlreadyDone if it was made before, and RequestReused if the id stands for another one.
    """
    if request is None:
        return
    made = target_of(session, request)
    if made is not None:
        raise AlreadyDone(made)
    session.add(
        RequestRow(
            author=request.author,
            id=request.id,
            method=request.method,
            fingerprint=request.fingerprint,
            target=target,
            at=datetime.now(UTC),
        )
    )


def target_of(session: Session, request: Request) -> str | None:
    """What the change was about that was made for this request, None if it is new.

    Raises RequestReused if its id stands for another one.
    """
    found = session.get(RequestRow, (request.author, request.id))
    if found is None:
        return None
    if (found.method, found.fingerprint) != (request.method, request.fingerprint):
        raise RequestReused(
            f"the request id {request.id!r} was used for another request: choose a new one"
        )
    return found.target
