"""Setting tournaments up and running them, and entering bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.errors import ArenaError, WrongCall
from arena.app.options import game_of, given_options
from arena.app.tournaments import setting_up as app
from arena.app.tournaments.setting_up import Plan
from arena.games import GAMES
from arena.match.setup import Timers
from arena.schedule import ScheduleError
from arena.store import Conflict, InvalidRecord, NotFound, Role, Tournament
from arena.web.addresses import tournament
from arena.web.failures import NOWHERE, Refused, failure
from arena.web.site import Site, onward
from arena.web.visits import Visit
from arenabot.options import OptionError

_PEOPLE_S: Final = (
    ArenaError, Conflict, InvalidRecord, NotFound, OptionError, ScheduleError, Refused,
)  # fmt: skip
"""What is told beside the form that was filled in, which then isn't lost."""


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
        Route("/new-tournament", door.shows(pages.form, role=Role.ORGANISER)),
        Route(
            "/new-tournament",
            door.changes(pages.create, "Pages/CreateTournament", about="name", role=Role.ORGANISER),
            methods=["POST"],
        ),
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

    def form(self, visit: Visit) -> Response:
        """What an organiser decides about a tournament."""
        return self._form(visit)

    def _form(self, visit: Visit, *, status: int = 200, wrong: str = "") -> Response:
        default = Timers()
        return self._site.page(
            visit,
            "new_tournament.html",
            title="A new tournament",
            status=status,
            wrong=wrong,
            filled=visit.filled,
            sizes={id_: (game.seats[0], game.seats[-1]) for id_, game in GAMES.items()},
            timers={
                "turn": default.turn,
                "ready": default.ready,
                "start": default.start,
                "budget": default.budget,
            },
            shortest=Timers.SHORTEST,
            longest=Timers.LONGEST,
            most_blocks=app.MOST_BLOCKS,
            most_faults=app.MOST_FAULTS,
        )

    async def create(self, visit: Visit) -> Response:
        """Set one up, with a schedule, or open for entry."""
        try:
            made = await self._site.door.run(self._create, visit)
        except _PEOPLE_S as error:
            told = failure(error, "")
            return await self._site.door.run(
                lambda: self._form(visit, status=told.status, wrong=told.sentence)
            )
        await self._changed(made)
        return onward(tournament(made.name), said="created")

    def _create(self, visit: Visit) -> Tournament:
        bots = visit.filled("bots").replace(",", " ").split()
        versions = [self._store.find_version(name) for name in bots]
        return app.set_up(self._store, _plan(visit), versions).tournament

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
        await self._changed(found)
        return onward(tournament(found.name), said=said)

    async def _changed(self, found: Tournament) -> None:
        self._site.rankings.forget(found)
        if self._site.conductor is not None:
            await self._site.conductor.changed(found.name)

    def _own(self, visit: Visit) -> Tournament:
        """The tournament that is meant, if the visitor may change it. Raises Refused."""
        found = self._site.tournament(visit)
        if not visit.visitor.runs(found):
            raise Refused(404, NOWHERE)
        return found


def _plan(visit: Visit) -> Plan:
    """What was filled in. Raises WrongCall."""
    game = game_of(visit.filled("game"))
    until = _number(visit, "until_clear", 0.0)
    default = Timers()
    return Plan(
        name=visit.filled("name"),
        game=game.id,
        options=_options(visit.filled("options").split()),
        table_size=int(_number(visit, "table_size", game.seats[0])),
        blocks=int(_number(visit, "blocks", 0)) or None,
        until_clear=until / 100 if until else None,
        timers=Timers(
            turn=_number(visit, "turn", default.turn),
            ready=_number(visit, "ready", default.ready),
            start=_number(visit, "start", default.start),
            budget=_number(visit, "budget", default.budget),
        ),
        max_faults=int(_number(visit, "max_faults", 10)),
        organiser=visit.visitor.author or "",
        private=visit.filled("private") == "yes",
        league=visit.filled("league") or None,
        any_league=visit.visitor.admin,
    )


def _options(given: list[str]) -> dict[str, Any]:
    if any(pair.partition("=")[0] == "deck" for pair in given):
        # There it would be the path of a file of this machine's.
        raise WrongCall("a deck of one's own is given with `arena tournament create`, not here")
    return given_options(given)


def _number(visit: Visit, name: str, default: float) -> float:
    text = visit.filled(name)
    if not text:
        return default
    try:
        number = float(text[:20])
    except ValueError:
        number = float("nan")
    if not 0 <= number <= 1e9:
        raise WrongCall(f"{name.replace('_', ' ')} is a number from 0 on, not {text[:20]!a}")
    return number
