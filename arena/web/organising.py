"""Running tournaments, and entering bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.tournaments import setting_up as app
from arena.store import Role, Tournament
from arena.web.addresses import tournament
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site, onward
from arena.web.visits import Visit


def routes(site: Site) -> Sequence[BaseRoute]:
    """These pages."""
    pages = _Organising(site)
    door = site.door

    def form(what: str, page: Callable[[Visit], Any], name: str, role: Role) -> Route:
        return Route(
            f"/tournaments/{{name:name}}/{what}",
            door.changes(page, f"Pages/{name}", about="name", role=role),
            methods=["POST"],
        )

    return [
        form("enter", pages.enter, "EnterTournament", Role.AUTHOR),
        form("leave", pages.leave, "LeaveTournament", Role.AUTHOR),
        form("open", pages.open, "OpenEntry", Role.ORGANISER),
        form("close", pages.close, "CloseEntry", Role.ORGANISER),
        form("draw", pages.draw, "DrawTournament", Role.ORGANISER),
        form("run", pages.run, "RunTournament", Role.ORGANISER),
        form("cancel", pages.cancel, "CancelTournament", Role.ORGANISER),
        form("withdraw", pages.withdraw, "WithdrawEntry", Role.ORGANISER),
    ]


class _Organising:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    async def enter(self, visit: Visit) -> Response:
        """Enter a bot of one's own; its organiser anybody's."""
        return await self._changing(visit, self._enter, "entered")

    def _enter(self, visit: Visit) -> Tournament:
        found = self._site.tournament(visit)
        version = self._store.find_version(visit.filled("bot"))
        self._check_owner(visit, found, version.author)
        self._store.entering.enter(found.id, version)
        return found

    async def leave(self, visit: Visit) -> Response:
        """Take a bot out again."""
        return await self._changing(visit, self._leave, "left")

    def _leave(self, visit: Visit) -> Tournament:
        found = self._site.tournament(visit)
        bot = visit.filled("bot")
        self._check_owner(visit, found, self._store.roster.owner(bot))
        self._store.entering.leave(found.id, bot)
        return found

    @staticmethod
    def _check_owner(visit: Visit, found: Tournament, author: str | None) -> None:
        if not (visit.visitor.owns(author) or visit.visitor.runs(found)):
            raise Refused(403, "You enter your own bots; only its organiser enters others'.")

    async def open(self, visit: Visit) -> Response:
        """Let bots be entered."""
        return await self._organised(visit, lambda of: self._store.entering.open(of.id), "opened")

    async def close(self, visit: Visit) -> Response:
        """Let no more be entered."""
        return await self._organised(visit, lambda of: self._store.entering.close(of.id), "closed")

    async def draw(self, visit: Visit) -> Response:
        """End entry and draw the schedule."""
        return await self._organised(visit, lambda of: app.draw(self._store, of.name), "drawn")

    async def withdraw(self, visit: Visit) -> Response:
        """Take an entry out for good."""

        def work(of: Tournament) -> None:
            self._store.entering.withdraw(
                of.id,
                visit.filled("bot"),
                why=visit.filled("why"),
                annul=visit.filled("annul") == "yes",
            )

        return await self._organised(visit, work, "withdrawn")

    async def run(self, visit: Visit) -> Response:
        """Have it played from now on."""
        found = await self._site.door.run(self._own, visit)
        if self._site.conductor is None:
            raise Refused(409, "Nothing plays here: start the arena with `arena serve`.")
        await self._site.conductor.want(found.name)
        self._site.rankings.forget(found)
        return onward(tournament(found.name), said="wanted")

    async def cancel(self, visit: Visit) -> Response:
        """Stop it for good."""
        if visit.filled("sure") != "yes":
            raise Refused(400, "Say that you are sure: a cancelled tournament can never go on.")
        found = await self._site.door.run(self._own, visit)
        await self._site.door.run(self._store.cancel, found.id)
        self._site.rankings.forget(found)
        if self._site.conductor is not None:
            await self._site.conductor.cancelled(found.name)
        return onward(tournament(found.name), said="cancelled")

    async def _organised(
        self, visit: Visit, work: Callable[[Tournament], object], said: str
    ) -> Response:
        def change(of: Visit) -> Tournament:
            found = self._own(of)
            work(found)
            return found

        return await self._changing(visit, change, said)

    async def _changing(
        self, visit: Visit, change: Callable[[Visit], Tournament], said: str
    ) -> Response:
        found = await self._site.door.run(change, visit)
        await self._site.changed(found)
        return onward(tournament(found.name), said=said)

    def _own(self, visit: Visit) -> Tournament:
        """The tournament that is meant, if the visitor may change it. Raises Refused."""
        found = self._site.tournament(visit)
        if not visit.visitor.runs(found):
            raise Refused(404, NOWHERE)
        return found
