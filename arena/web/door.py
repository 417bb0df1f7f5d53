"""Through which every request comes: who visits, whether they may, whether a form is theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

import structlog
from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from arena.store import NewAuditEntry, NotFound, Role, Store, StoreError
from arena.web.addresses import with_query
from arena.web.failures import NOWHERE, Failure, Refused, failure
from arena.web.sessions import LASTS, Session, Sessions
from arena.web.visits import Slowing, Visit, Visitor

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
Shown: TypeAlias = Callable[[Visit], Response]
Changed: TypeAlias = Callable[[Visit], Awaitable[Response]]

T = TypeVar("T")

_THREADS: Final = 16

LOOKS_AGAIN: Final = 5.0
"""Seconds after which a stream makes sure that its visitor is let in still."""

FORM_BYTES: Final = 64 << 10
"""The largest form without a file."""

WORD: Final = "word"
"""The field of every form that no other site can fill in."""

_TOO_OFTEN: Final = 429

_log = structlog.get_logger("arena.pages")


class Door:
    """Makes endpoints of pages."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        *,
        spectators: bool,
        views: Slowing | None = None,
    ) -> None:
        """Know visitors by `sessions`; without `spectators` nobody looks who isn't signed in.

        `views` slows down by address whoever asks for too many pages; None: nobody.
        """
        # Their own: whoever waits for a ranking keeps nothing waiting but other pages.
        self._threads = ThreadPoolExecutor(_THREADS, "pages")
        self._store = store
        self._sessions = sessions
        self._spectators = spectators
        self._views = views

    def shows(self, page: Shown, *, role: Role | None = None, anybody: bool = False) -> Endpoint:
        """A page that only shows; it blocks, and is made in a thread.

        `anybody` may see it also where spectators may not look.
        """

        async def endpoint(request: Request) -> Response:
            self._pace(request)
            return await self.run(lambda: page(self.visit(request, role, anybody=anybody)))

        return endpoint

    def streams(self, page: Changed, *, role: Role | None = None) -> Endpoint:
        """A page that goes on for as long as something does, and its visitor is let in."""

        async def endpoint(request: Request) -> Response:
            self._pace(request)
            visit = await self.run(self.visit, request, role)
            answer = await page(visit)
            if isinstance(answer, EventSourceResponse) and visit.visitor.author is not None:
                answer.body_iterator = self._while_let_in(visit, answer.body_iterator, role)
            return answer

        return endpoint

    def changes(
        self,
        page: Changed,
        name: str | None,
        *,
        about: str = "",
        role: Role | None = Role.AUTHOR,
        anybody: bool = False,
        most: int = FORM_BYTES,
    ) -> Endpoint:
        """A form that changes something; it stands in the audit log under `name`, if it has one.

        `about` is the part of the path or the field that says what it is about.
        """

        async def endpoint(request: Request) -> Response:
            self._pace(request)
            visit, target = Visit(request, Visitor()), ""
            status = 200
            try:
                visit = await self.run(lambda: self.visit(request, role, anybody=anybody))
                visit = await self._filled(visit, most)
                target = str(request.path_params.get(about) or visit.filled(about))
                answer = await page(visit)
                status = answer.status_code
                return answer
            except Exception as error:
                status = _status(error)
                raise
            finally:
                await request.close()  # a file that came with it
                # What is one too many is not noted, as over gRPC: nobody fills the log by it.
                if name is not None and status != _TOO_OFTEN:
                    outcome = f"REFUSED {status}" if status >= Failure.LEAST else "OK"
                    await asyncio.shield(self.run(self._audit, visit, name, target, outcome))

        return endpoint

    def _pace(self, request: Request) -> None:
        """See that nobody asks for more pages than a person reads. Raises Refused."""
        place = Visit(request, Visitor()).place
        wait = self._views.take(place) if self._views is not None else 0.0
        if wait > 0:
            raise Refused(
                429,
                "So many pages were asked for from your address: try again in a moment.",
                again_in=wait,
            )

    async def run(self, work: Callable[..., T], *told: object) -> T:
        """Do what blocks, in a thread of the pages."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *told)

    def visit(self, request: Request, role: Role | None = None, *, anybody: bool = False) -> Visit:
        """Find out who visits; blocks. Raises Refused, and SignInFirst."""
        cookie = request.cookies.get(cookie_name(request))
        session = self._sessions.read(cookie) if cookie else None
        visit = Visit(request, self._visitor(session), session)
        known = visit.visitor.author is not None
        if not known and not anybody and (role is not None or not self._spectators):
            raise SignInFirst(request)
        if role is not None and not visit.visitor.has(role):
            raise Refused(403, f"This needs the role {role.value}: an admin can give it.")
        return visit

    async def _while_let_in(
        self, visit: Visit, pieces: AsyncIterable[T], role: Role | None
    ) -> AsyncGenerator[T, None]:
        """Each piece, until the visitor has signed out or isn't let in any more."""
        clock = asyncio.get_running_loop().time
        looked = clock()
        async with aclosing(aiter(pieces)) as coming:  # type: ignore[type-var]
            async for piece in coming:
                if clock() - looked >= LOOKS_AGAIN:
                    if not await self.run(self._same, visit, role):
                        return
                    looked = clock()
                yield piece

    def _same(self, visit: Visit, role: Role | None) -> bool:
        """Whether the visitor is who it was; blocks."""
        try:
            return self.visit(visit.request, role).visitor == visit.visitor
        except (Refused, SignInFirst):
            return False

    def _visitor(self, session: Session | None) -> Visitor:
        """Whom a session's token stands for, as long as it works."""
        if session is None or session.token is None:
            return Visitor()
        try:
            token = self._store.accounts.token(session.token)
            author = self._store.accounts.author(token.author)
        except NotFound:
            return Visitor()
        if token.revoked or author.locked:
            return Visitor()
        return Visitor(author.name, author.role, token.id)

    async def _filled(self, visit: Visit, most: int) -> Visit:
        """Read a form and see that it was sent from a page that this visitor was given."""
        length = visit.request.headers.get("content-length", "")
        if not length.isdecimal():
            raise Refused(411, "The form's length is missing.")
        if int(length) > most:
            raise Refused(413, f"This is more than the {most} bytes that may be sent.")
        if visit.request.headers.get("sec-fetch-site", "same-origin") not in {
            "same-origin",
            "none",
        }:
            raise Refused(403, "This form was sent from another site.")
        try:
            form = await visit.request.form(max_files=1, max_fields=200)
        except MultiPartException:
            raise Refused(400, "This form cannot be read.") from None
        visit = replace(visit, form=form)
        if visit.session is None or not self._sessions.is_word(visit.session, visit.filled(WORD)):
            raise Refused(
                403, "This form is out of date: go back, load its page again, and send it anew."
            )
        return visit

    def _audit(self, visit: Visit, name: str, target: str, outcome: str) -> None:
        who = visit.visitor
        entry = NewAuditEntry(who.author, who.token, name, target, outcome, visit.place)
        try:
            self._store.audit.add(entry)
        except StoreError as error:
            _log.error("not audited", why=str(error), outcome=outcome, method=name)


class SignInFirst(Exception):
    """A page for those who are signed in; afterwards one comes back to it."""

    def __init__(self, request: Request) -> None:
        super().__init__(NOWHERE)
        back = Visit(request, Visitor()).path if request.method == "GET" else ""
        if back and request.url.query:
            back += f"?{request.url.query}"
        self.answer = RedirectResponse(with_query("/sign-in", then=back), status_code=303)
        self.answer.headers["Cache-Control"] = "no-store"


def _status(error: Exception) -> int:
    """How a form that raised this is answered; whoever isn't signed in is unknown, not led on."""
    if isinstance(error, SignInFirst):
        return 401
    return error.status_code if isinstance(error, HTTPException) else failure(error, "").status


def cookie_name(request: Request) -> str:
    """What the session's cookie is called: over TLS so that only this very host can set it."""
    return "__Host-arena" if request.url.scheme == "https" else "arena"


def set_cookie(request: Request, answer: Response, cookie: str) -> None:
    """Have a browser keep a session's cookie."""
    answer.set_cookie(
        cookie_name(request),
        cookie,
        max_age=LASTS,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
