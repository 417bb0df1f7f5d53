"""A visit: one request, who makes it, and what was filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from starlette.datastructures import FormData
from starlette.requests import Request

from arena.store import Role, Seeing, Tournament
from arena.web.sessions import Session


class Slowing(Protocol):
    """Slows down whoever tries too much."""

    def take(self, who: str, cost: float = 1) -> float:
        """Count an attempt: 0, or for how many seconds there may be no other one."""

    def empty(self, who: str) -> float:
        """0, or for how many seconds there may be no attempt."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in author, or a spectator: then `author`, `role` and `token` are None."""

    author: str | None = None
    role: Role | None = None
    #: The number of the token that opened the session.
    token: int | None = None

    @property
    def admin(self) -> bool:
        """Whether everything is allowed."""
        return self.role is Role.ADMIN

    @property
    def organiser(self) -> bool:
        """Whether tournaments may be set up."""
        return self.has(Role.ORGANISER)

    @property
    def seeing(self) -> Seeing:
        """Who looks, as the store asks."""
        return Seeing(self.author, all=self.admin)

    def has(self, role: Role) -> bool:
        """Whether the visitor may do what `role` may."""
        return self.role is not None and self.role.includes(role)

    def owns(self, author: str | None) -> bool:
        """Whether it is the visitor's own, or the visitor is an admin."""
        return self.admin or (author is not None and author == self.author)

    def runs(self, tournament: Tournament) -> bool:
        """Whether the visitor may do with a tournament what its organiser may."""
        return self.organiser and self.owns(tournament.organiser)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page is made for."""

    request: Request
    visitor: Visitor
    session: Session | None = None
    form: FormData = field(default_factory=FormData)

    @property
    def place(self) -> str:
        """The address that the visitor comes from."""
        return self.request.client.host if self.request.client else ""

    @property
    def path(self) -> str:
        """The address's path, as the visitor's browser wrote it."""
        return str(self.request.scope["raw_path"].decode("ascii", "replace"))

    def asked(self, name: str, most: int = 200) -> str:
        """A part of the address's query, without blanks around it, cut to `most` letters."""
        return self.request.query_params.get(name, "").strip()[:most]

    def part(self, name: str) -> str:
        """A part of the address's path."""
        return str(self.request.path_params[name])

    def filled(self, name: str) -> str:
        """What was filled in; empty if nothing was."""
        told = self.form.get(name, "")
        return told.strip() if isinstance(told, str) else ""

    def chosen(self, name: str) -> list[str]:
        """All that was chosen of what may be chosen together."""
        return [each for each in self.form.getlist(name) if isinstance(each, str)]
