"""AdminService: authors, their tokens, the audit log, and the arena's own state."""

from __future__ import annotations

import asyncio
import math
from importlib.metadata import version
from typing import Any

import grpc

import arenabot
from arena.app import accounts
from arena.app.errors import WrongCall
from arena.games import GAMES
from arena.match.replay import ENGINE
from arena.server import pages
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.caller import caller
from arena.server.retries import request
from arena.store import NotFound, Role
from arena.wire import accounts as wire
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

Context = grpc.aio.ServicerContext[Any, Any]


class Admin(pb_grpc.AdminServiceServicer):
    """Answers for one arena. What it changes, the authenticator forgets at once."""

    def __init__(self, arena: Arena, authenticator: Authenticator) -> None:
        """Answer for `arena`."""
        self._arena = arena
        self._store = arena.store
        self._authenticator = authenticator
        self._draining: asyncio.Task[None] | None = None

    async def WhoAmI(self, _: pb.WhoAmIRequest, _context: Context) -> pb.WhoAmIResponse:
        """Who the caller is."""
        who = caller()
        if who.author is None or who.token is None:
            return pb.WhoAmIResponse()
        author = await asyncio.to_thread(self._store.accounts.author, who.author)
        token = await asyncio.to_thread(self._store.accounts.token, who.token)
        return pb.WhoAmIResponse(author=wire.author(author), token=wire.token(token))

    async def CreateAuthor(
        self, message: pb.CreateAuthorRequest, _: Context
    ) -> pb.CreateAuthorResponse:
        """Add an author with a first token."""
        made = await asyncio.to_thread(
            accounts.add_author,
            self._store,
            message.name,
            _role(message.role),
            request=request(message, "AdminService/CreateAuthor"),
        )
        return pb.CreateAuthorResponse(
            author=wire.author(made.author), token=wire.token(made.token), secret=made.secret
        )

    async def ListAuthors(
        self, message: pb.ListAuthorsRequest, _: Context
    ) -> pb.ListAuthorsResponse:
        """All authors, by name."""
        size = pages.size(message.page_size)
        after = pages.key(message.page_token, str)
        found = await asyncio.to_thread(self._store.accounts.authors)
        rest = [author for author in found if after is None or author.name > str(after[0])]
        more = (rest[size - 1].name,) if len(rest) > size else None
        return pb.ListAuthorsResponse(
            authors=[wire.author(author) for author in rest[:size]],
            next_page_token=pages.token(more),
        )

    async def UpdateAuthor(
        self, message: pb.UpdateAuthorRequest, _: Context
    ) -> pb.UpdateAuthorResponse:
        """Change a role, or lock an author out or in again."""
        changed = await asyncio.to_thread(
            accounts.set_author,
            self._store,
            message.name,
            role=_role(message.role) if message.role else None,
            locked=message.locked if message.HasField("locked") else None,
            request=request(message, "AdminService/UpdateAuthor"),
        )
        self._authenticator.forget()
        if changed.locked is not None:
            self._arena.conductor.locked_out(changed.name)
        return pb.UpdateAuthorResponse(author=wire.author(changed))

    async def CreateToken(
        self, message: pb.CreateTokenRequest, _: Context
    ) -> pb.CreateTokenResponse:
        """Make a token for oneself or, as an admin, for anybody."""
        made = await asyncio.to_thread(
            accounts.add_token,
            self._store,
            _own(message.author),
            message.name,
            request=request(message, "AdminService/CreateToken"),
        )
        return pb.CreateTokenResponse(
            token=wire.token(made.token), secret=made.secret, author=wire.author(made.author)
        )

    async def ListTokens(self, message: pb.ListTokensRequest, _: Context) -> pb.ListTokensResponse:
        """The tokens of oneself or, as an admin, of anybody."""
        size = pages.size(message.page_size)
        after = pages.key(message.page_token, int)
        found = await asyncio.to_thread(
            self._store.accounts.tokens,
            _own(message.author),
            after=int(after[0]) if after else 0,
            most=size + 1,
        )
        more = (found[size - 1].id,) if len(found) > size else None
        return pb.ListTokensResponse(
            tokens=[wire.token(token) for token in found[:size]], next_page_token=pages.token(more)
        )

    async def RevokeToken(
        self, message: pb.RevokeTokenRequest, _: Context
    ) -> pb.RevokeTokenResponse:
        """Make a token worthless."""
        revoked = await asyncio.to_thread(self._revoke, message)
        self._authenticator.forget()
        return pb.RevokeTokenResponse(token=wire.token(revoked))

    def _revoke(self, message: pb.RevokeTokenRequest) -> Any:
        asked = request(message, "AdminService/RevokeToken")
        token = self._store.accounts.token(message.id)
        if not caller().owns(token.author):
            raise NotFound(f"there is no token {message.id}")
        return accounts.revoke_token(self._store, message.id, request=asked)

    async def ListAudit(self, message: pb.ListAuditRequest, _: Context) -> pb.ListAuditResponse:
        """Who did what, the newest first."""
        size = pages.size(message.page_size)
        before = pages.key(message.page_token, int)
        found = await asyncio.to_thread(
            self._store.audit.entries,
            message.author or None,
            before=int(before[0]) if before else None,
            most=size + 1,
        )
        more = (found[size - 1].id,) if len(found) > size else None
        return pb.ListAuditResponse(
            entries=[wire.audit_entry(entry) for entry in found[:size]],
            next_page_token=pages.token(more),
        )

    async def Drain(self, message: pb.DrainRequest, _: Context) -> pb.DrainResponse:
        """Start no more matches and builds, or go on after that."""
        conductor = self._arena.conductor
        if self._draining is not None:
            self._draining.cancel()
            self._draining = None
        if message.drain:
            self._draining = asyncio.create_task(conductor.drain(math.inf))
            await asyncio.sleep(0)  # it has begun
        else:
            conductor.resume()
        return pb.DrainResponse(status=self._status())

    async def GetStatus(self, _: pb.GetStatusRequest, _context: Context) -> pb.GetStatusResponse:
        """The arena's versions and what it is doing."""
        return pb.GetStatusResponse(status=self._status())

    def _status(self) -> pb.ArenaStatus:
        doing = self._arena.conductor.status()
        return pb.ArenaStatus(
            arena=version("claim-arena"),
            sdk=arenabot.__version__,
            engine=ENGINE,
            games=list(GAMES),
            draining=doing.draining,
            matches_in_play=doing.matches_in_play,
            submissions_waiting=doing.submissions_waiting,
            upload_limit=self._arena.settings.upload_bytes,
            people_playing=doing.people_playing,
        )


def _own(author: str) -> str:
    """Whose tokens are meant. Raises NotFound for another's, as if there were no such author."""
    own = caller().name()
    if author and not caller().owns(author):
        raise NotFound(f"there is no author {author!r}")
    return author or own


def _role(number: pb.Role.ValueType) -> Role:
    found = wire.role(number)
    if found is None:
        raise WrongCall("role is one of ROLE_AUTHOR, ROLE_ORGANISER, ROLE_ADMIN")
    return found
