"""Pages that go on: for how many at once, and for how long."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack

import pytest
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from arena.app import accounts
from arena.store import Role, Store, Tournament
from arena.web import door as module
from arena.web import streams as module_of_streams
from arena.web.door import Door
from arena.web.failures import Refused
from arena.web.sessions import Session, Sessions
from arena.web.streams import Streams
from arena.web.visits import Visit, Visitor
from tests.unit.web.asking import Browser


class House:
    """A door behind which numbers are told without end."""

    def __init__(self, store: Store) -> None:
        made = accounts.add_author(store, "ana", Role.AUTHOR)
        self.store, self.token = store, made.token.id
        self.sessions = Sessions(b"k" * 32)
        self.door = Door(store, self.sessions, spectators=True)
        self.session, self.cookie = self.sessions.begin(self.token)
        self.closed = False

    async def page(self, _: Visit) -> Response:
        return EventSourceResponse(self.numbers())

    async def numbers(self) -> AsyncIterator[dict[str, str]]:
        try:
            for number in range(1000):
                yield {"data": str(number)}
        finally:
            self.closed = True

    async def heard(self, cookie: str, *, role: Role | None = None) -> AsyncIterator[object]:
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/events",
            "raw_path": b"/events",
            "scheme": "http",
            "query_string": b"",
            "headers": [(b"cookie", f"arena={cookie}".encode())],
        }
        answer = await self.door.streams(self.page, role=role)(Request(scope))
        assert isinstance(answer, EventSourceResponse)
        async for piece in answer.body_iterator:
            yield piece


@pytest.fixture
def house(store: Store, monkeypatch: pytest.MonkeyPatch) -> House:
    """One that looks at every piece."""
    monkeypatch.setattr(module, "LOOKS_AGAIN", 0.0)
    return House(store)


def locked(house: House, _: Session) -> None:
    """Her author is locked out."""
    house.store.accounts.update_author("ana", locked=True)


def revoked(house: House, _: Session) -> None:
    """Her token is worth nothing any more."""
    house.store.accounts.revoke(house.token)


def signed_out(house: House, session: Session) -> None:
    """She has signed out."""
    house.sessions.end(session)


@pytest.mark.parametrize("end", [locked, revoked, signed_out])
async def test_a_stream_ends_when_its_visitor_is_let_in_no_more(
    house: House, end: Callable[[House, Session], None]
) -> None:
    """Before the next piece, and nothing of it is left open."""
    heard = house.heard(house.cookie, role=Role.AUTHOR)
    assert await anext(heard) == {"data": "0"}
    assert await anext(heard) == {"data": "1"}
    end(house, house.session)
    assert [piece async for piece in heard] == []
    assert house.closed


async def test_a_spectator_s_stream_goes_on(house: House) -> None:
    """Nobody who was not signed in can be locked out."""
    assert len([piece async for piece in house.heard("")]) == 1000


def visit_of(author: str | None, place: str = "192.0.2.1") -> Visit:
    """Somebody's, from an address."""
    request = Request({"type": "http", "client": (place, 4711), "headers": []})
    return Visit(request, Visitor() if author is None else Visitor(author, Role.AUTHOR, 1))


def test_who_is_signed_in_is_counted_wherever_they_are() -> None:
    """A class behind one address plays; one person has so many windows and no more."""
    streams = Streams()
    with ExitStack() as open_:
        for number in range(30):
            visit = visit_of(f"author{number}")
            streams.check(visit)
            open_.enter_context(streams.one_more(visit))
        for number in range(10):
            open_.enter_context(streams.one_more(visit_of("ana", f"192.0.2.{number}")))
        with pytest.raises(Refused):
            streams.check(visit_of("ana", "192.0.2.99"))
    streams.check(visit_of("ana"))


def test_who_is_not_signed_in_is_counted_by_address() -> None:
    """There is nothing else to know them by."""
    streams = Streams()
    with ExitStack() as open_:
        for _ in range(10):
            open_.enter_context(streams.one_more(visit_of(None)))
        with pytest.raises(Refused):
            streams.check(visit_of(None))
        streams.check(visit_of(None, "192.0.2.2"))
        streams.check(visit_of("192.0.2.1", "192.0.2.2"))


def test_who_is_not_signed_in_takes_no_place_from_those_who_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody of these may be at a table."""
    monkeypatch.setattr(module_of_streams, "_MOST", 2)
    streams = Streams()
    with ExitStack() as open_:
        for number in range(2):
            open_.enter_context(streams.one_more(visit_of(None, f"192.0.2.{number}")))
        with pytest.raises(Refused):
            streams.check(visit_of(None, "192.0.2.9"))
        streams.check(visit_of("ana"))


FOLLOWED = [
    "/tournaments/cup/events",
    "/tournaments/cup/matches/m0-0/live/events",
    "/submissions/some/events",
    "/play/some/events",
]


def test_all_that_is_followed_is_counted_together(
    signed_in: Callable[[str], Browser], cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever kind of page it is."""
    asked: list[Streams] = []

    def check(streams: Streams, _: Visit) -> None:
        asked.append(streams)
        raise Refused(429, "no")

    monkeypatch.setattr(Streams, "check", check)
    ana = signed_in("ana")
    assert [ana.get(path).status for path in FOLLOWED] == [429] * len(FOLLOWED)
    assert all(streams is asked[0] for streams in asked)
