"""Who calls: known to whatever runs on behalf of one call."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from arena.server.refusals import Refused
from arena.store import Role
from arenabot.v1 import arena_pb2 as pb


@dataclass(frozen=True, slots=True)
class Caller:
    """An author with a token, or a spectator: then `author`, `role` and `token` are None."""

    author: str | None = None
    role: Role | None = None
    #: The number of the token.
    token: int | None = None
    #: The address that the call came from, as gRPC words it.
    peer: str = ""

    @property
    def admin(self) -> bool:
        """Whether everything is allowed."""
        return self.role is Role.ADMIN

    def has(self, role: Role) -> bool:
        """Whether the caller may do what `role` may."""
        return self.role is not None and self.role.includes(role)

    def owns(self, author: str | None) -> bool:
        """Whether it is the caller's own, or the caller is an admin."""
        return self.admin or (author is not None and author == self.author)

    def name(self) -> str:
        """The author. Raises Refused for a spectator."""
        if self.author is None:
            raise Refused(pb.REASON_TOKEN_MISSING, "this needs a token: see `arena login --help`")
        return self.author


#: Set by the interceptor for each call.
current: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Who has called."""
    return current.get()
