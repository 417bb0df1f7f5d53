"""Signing in with a token, signing out, and one's own account."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app import accounts
from arena.app.accounts import hashed
from arena.store import Role
from arena.web.door import cookie_name, set_cookie
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site, onward
from arena.web.visits import Visit

_LONGEST = 200

_BOTS: Final = 100
"""How many bots one's account lists; the others are on a page of bots."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """These pages."""
    pages = _Signing(site)
    door = site.door
    return [
        Route("/sign-in", door.shows(pages.form, anybody=True)),
        Route(
            "/sign-in",
            door.changes(pages.sign_in, "Pages/SignIn", role=None, anybody=True),
            methods=["POST"],
        ),
        Route("/sign-out", door.changes(pages.sign_out, "Pages/SignOut"), methods=["POST"]),
        Route("/account", door.shows(pages.account, role=Role.AUTHOR)),
        Route(
            "/account/tokens",
            door.changes(pages.make_token, "Pages/CreateToken", about="name"),
            methods=["POST"],
        ),
        Route(
            "/account/tokens/{id:int}/revoke",
            door.changes(pages.revoke, "Pages/RevokeToken", about="id"),
            methods=["POST"],
        ),
    ]


class _Signing:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    def form(self, visit: Visit) -> Response:
        """Where a token is given."""
        if visit.visitor.author is not None:
            return onward("/account")
        return self._form(visit, _inside(visit.asked("then", 2000)))

    def _form(self, visit: Visit, then: str, *, status: int = 200, wrong: str = "") -> Response:
        answer = self._site.page(
            visit,
            "sign_in.html",
            title="Sign in",
            form=True,
            status=status,
            then=then,
            wrong=wrong,
            said=visit.asked("said"),
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer

    async def sign_in(self, visit: Visit) -> Response:
        """Open a session for a token that works."""
        wait = self._site.wrong_tokens.empty(visit.place)
        if wait:
            raise Refused(
                429,
                "Too many unknown tokens came from this address: wait before trying again.",
                again_in=math.ceil(wait),
            )
        then = _inside(visit.filled("then"))
        secret = visit.filled("token")[:_LONGEST]
        known = await self._site.door.run(self._store.accounts.known, hashed(secret))
        if known is None:
            self._site.wrong_tokens.take(visit.place)
            wrong = "This token is not known here, was revoked, or its author is locked out."
            return self._form(visit, then, status=403, wrong=wrong)
        if visit.session is not None:
            self._site.sessions.end(visit.session)
        _, cookie = self._site.sessions.begin(known.token.id)
        answer = onward(then or "/account")
        set_cookie(visit.request, answer, cookie)
        return answer

    async def sign_out(self, visit: Visit) -> Response:
        """End the session, also for whoever has a copy of its cookie."""
        if visit.session is not None:
            self._site.sessions.end(visit.session)
        answer = onward("/sign-in", said="signed-out")
        answer.delete_cookie(
            cookie_name(visit.request), secure=visit.request.url.scheme == "https", httponly=True
        )
        return answer

    def account(self, visit: Visit) -> Response:
        """Who one is, with one's bots and tokens."""
        return self._account(visit)

    def _account(self, visit: Visit, secret: str = "") -> Response:
        author = visit.visitor.author or ""
        answer = self._site.page(
            visit,
            "account.html",
            title="Your account",
            bots=self._store.roster.page(author=author, size=_BOTS + 1),
            most_bots=_BOTS,
            tokens=[each for each in self._store.accounts.tokens(author) if not each.revoked],
            secret=secret,
            said=visit.asked("said"),
        )
        answer.headers["Cache-Control"] = "private, no-store"
        return answer

    async def make_token(self, visit: Visit) -> Response:
        """Make another token, and show it this once."""
        author, name = visit.visitor.author or "", visit.filled("name")
        made = await self._site.door.run(accounts.add_token, self._store, author, name)
        return await self._site.door.run(self._account, visit, made.secret)

    async def revoke(self, visit: Visit) -> Response:
        """Make a token worthless, with every session that was opened by it."""
        await self._site.door.run(self._revoke, visit, visit.request.path_params["id"])
        return onward("/account", said="revoked")

    def _revoke(self, visit: Visit, id_: int) -> None:
        if self._store.accounts.token(id_).author != visit.visitor.author:
            raise Refused(404, NOWHERE)
        accounts.revoke_token(self._store, id_)


def _inside(path: str) -> str:
    """A path of ours, to go on to; nothing for an address elsewhere."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if ours and "\\" not in path else ""
