"""Error pages: whatever is raised becomes a page with one sentence, never a traceback."""

from __future__ import annotations

import asyncio
import math
import secrets
from dataclasses import replace
from typing import Final

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.store import StoreError
from arena.web import sentences
from arena.web.door import SignInFirst
from arena.web.failures import NOWHERE, Failure, Refused, failure
from arena.web.site import Site
from arena.web.visits import Visit, Visitor
from arena.web.words import speaker

_HEADINGS: Final = {
    400: "That cannot be done",
    403: "Not for you",
    404: "Nothing here",
    409: "Not as things are",
    413: "Too much",
    429: "Too often",
    500: "Something broke",
    503: "Not just now",
}

_log = structlog.get_logger("arena.pages")


class Failing:
    """Makes error pages."""

    def __init__(self, site: Site) -> None:
        """Make them look as the others do."""
        self._site = site

    async def __call__(self, request: Request, error: Exception) -> Response:
        """Answer a request that has raised."""
        accepted = request.headers.get("accept", "")
        script = any(kind in accepted for kind in ("application/json", "text/event-stream"))
        if isinstance(error, SignInFirst) and not script:
            return error.answer
        if isinstance(error, SignInFirst):
            error = Refused(401, "You are not signed in: sign in, and load this page again.")
        if isinstance(error, HTTPException):
            error = Refused(
                error.status_code, NOWHERE if error.status_code == 404 else error.detail
            )
        entry = secrets.token_hex(8)
        told = failure(error, entry)
        if told.ours:
            # With its traceback, unless the operator knows what it means without one.
            known = error if told.status != 500 else None
            _log.error(
                "page failed", request=entry, path=request.url.path, why=known, exc_info=not known
            )
        language = Visit(request, Visitor()).asked("lang")
        spoken = replace(told, sentence=sentences.told(language, told.sentence))
        if spoken.sentence == told.sentence:
            language = "en"
        answer = _told(spoken) if script else await self._page(request, spoken, language)
        answer.headers["Cache-Control"] = "no-store"
        if isinstance(error, Refused) and error.again_in is not None:
            answer.headers["Retry-After"] = str(math.ceil(error.again_in))
        return answer

    async def _page(self, request: Request, told: Failure, language: str) -> Response:
        return self._site.page(
            await self._visit(request),
            "failure.html",
            title=speaker(language)(_HEADINGS.get(told.status, _HEADINGS[400])),
            language=language,
            status=told.status,
            sentence=told.sentence,
        )

    async def _visit(self, request: Request) -> Visit:
        try:
            return await asyncio.to_thread(self._site.door.visit, request, anybody=True)
        except StoreError:
            return Visit(request, Visitor())


def _told(failure: Failure) -> Response:
    """For a script, which shows it where its reader looks."""
    return JSONResponse({"sentence": failure.sentence}, failure.status)


class Catching:
    """Has what is raised answered, as long as nothing was sent."""

    def __init__(self, app: ASGIApp, failing: Failing) -> None:
        """Stand in front of `app`."""
        self._app = app
        self._failing = failing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            answer = await self._failing(Request(scope, receive), error)
            await answer(scope, receive, send)
