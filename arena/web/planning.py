"""Setting tournaments up: the form in which an organiser says what is to be played, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.errors import WrongCall
from arena.app.options import game_of, given_options
from arena.app.rankings.cache import NotReady
from arena.app.tournaments import setting_up as app
from arena.app.tournaments.setting_up import Plan
from arena.games import GAMES, Game
from arena.match.setup import Timers
from arena.store import BotVersion, Role, Tournament
from arena.web.addresses import tournament
from arena.web.failures import BESIDE_A_FORM, NOWHERE, Refused, failure
from arena.web.site import Site, onward
from arena.web.visits import Visit

_PATH: Final = "/new-tournament"

MOST: Final = 100
"""How many bots there are to choose from; others are named."""

_PATIENCE: Final = 0.5
"""Seconds for which the form waits for a ranking; without it bots stand by name."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """The form."""
    pages = _Planning(site)
    door = site.door
    return [
        Route(_PATH, door.shows(pages.form, role=Role.ORGANISER)),
        Route(
            _PATH,
            door.changes(pages.create, "Pages/CreateTournament", about="name", role=Role.ORGANISER),
            methods=["POST"],
        ),
    ]


class _Planning:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    def form(self, visit: Visit) -> Response:
        """What an organiser decides about a tournament of a game. Raises Refused."""
        asked = visit.asked("game") or next(iter(GAMES))
        if asked not in GAMES:
            raise Refused(404, NOWHERE)
        return self._form(visit, GAMES[asked])

    def _form(self, visit: Visit, game: Game, *, status: int = 200, wrong: str = "") -> Response:
        default = Timers()
        bots = by_rank(self._site, game.id)
        chosen = visit.chosen("bot")
        return self._site.page(
            visit,
            "new_tournament.html",
            title="A new tournament",
            status=status,
            wrong=wrong,
            filled=visit.filled,
            game=game.id,
            seats=(game.seats[0], game.seats[-1]),
            # What was chosen stays to be seen, even if others have overtaken it meanwhile.
            bots=list(dict.fromkeys([*bots[:MOST], *(bot for bot in chosen if bot in bots)])),
            of=len(bots),
            chosen=chosen,
            leagues=self._leagues(visit, game),
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

    def _leagues(self, visit: Visit, game: Game) -> list[str]:
        """The leagues of a game that the visitor's tournaments can be part of, the newest first."""
        return [
            league.name
            for league in self._store.leagues.listed(game.id)
            if visit.visitor.owns(league.organiser)
        ]

    async def create(self, visit: Visit) -> Response:
        """Set one up, with a schedule, or open for entry."""
        try:
            made = await self._site.door.run(self._create, visit)
        except BESIDE_A_FORM as error:
            told = failure(error, "")
            game = GAMES.get(visit.filled("game")) or next(iter(GAMES.values()))
            return await self._site.door.run(
                lambda: self._form(visit, game, status=told.status, wrong=told.sentence)
            )
        await self._site.changed(made)
        return onward(tournament(made.name), said="created")

    def _create(self, visit: Visit) -> Tournament:
        return app.set_up(self._store, _plan(visit), self._field(visit)).tournament

    def _field(self, visit: Visit) -> list[BotVersion]:
        """The bots that were chosen and named; one that was both takes part once."""
        named = visit.filled("bots").replace(",", " ").split()
        versions = [self._store.find_version(name) for name in [*visit.chosen("bot"), *named]]
        return list({version.id: version for version in versions}.values())


def by_rank(site: Site, game: str) -> list[str]:
    """The names of all bots that can be entered where a game is played, the best first. Blocks.

    Behind them, and while the ranking is being worked out, the others by name.
    """
    bots = site.store.roster.players(game)
    try:
        ranked = site.rankings.ranking(game, first=_PATIENCE).ranked
    except NotReady:
        return bots
    known = set(bots)
    best = [row.version.bot for row in ranked if row.version.bot in known]
    return list(dict.fromkeys([*best, *bots]))


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
        max_faults=int(_number(visit, "max_faults", app.MAX_FAULTS)),
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
