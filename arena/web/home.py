"""The first page: who leads, and what is going on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.rankings.cache import NotReady
from arena.app.rankings.table import Ranked
from arena.games import GAMES
from arena.store import Progress, Tournament
from arena.web import pictures
from arena.web.site import Site
from arena.web.visits import Visit

_LEADERS: Final = 5
_NEWEST: Final = 6
_PATIENCE: Final = 2.0
"""Seconds for which this page waits for a ranking."""


@dataclass(frozen=True, slots=True)
class Leaders:
    """The best of a game."""

    game: str
    #: None while they are worked out for the first time.
    rows: Sequence[Ranked] | None
    bots: int
    scale: pictures.Scale


def routes(site: Site) -> Sequence[BaseRoute]:
    """The first page."""

    def home(visit: Visit) -> Response:
        newest = site.store.pages.listed(visit.visitor.seeing, most=_NEWEST)
        going: list[tuple[Tournament, Progress, int]] = [
            (each.tournament, site.rankings.progress(each.tournament), each.entries)
            for each in newest
        ]
        return site.page(
            visit, "home.html", title="Claim Arena", leaders=leaders(site, _LEADERS), going=going
        )

    return [Route("/", site.door.shows(home))]


def leaders(site: Site, most: int) -> list[Leaders]:
    """The best of every game."""
    found = []
    for game in GAMES:
        try:
            rows = site.rankings.ranking(game, first=_PATIENCE).ranked
        except NotReady:
            found.append(Leaders(game, None, 0, pictures.Scale(0, 1)))
            continue
        best = rows[:most]
        ends = [(row.standing.score, row.standing.mu + 3 * row.standing.sigma) for row in best]
        found.append(Leaders(game, best, len(rows), pictures.scale(ends)))
    return found
