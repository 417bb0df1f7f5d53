"""The rankings of games, over all their public tournaments."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.games import GAMES
from arena.web import boards
from arena.web.addresses import ranking
from arena.web.boards import Board
from arena.web.failures import NOWHERE, Refused
from arena.web.home import leaders
from arena.web.site import Site
from arena.web.visits import Visit

_ON_A_CARD = 10


def routes(site: Site) -> Sequence[BaseRoute]:
    """All pages of rankings."""
    pages = _Rankings(site)
    return [
        Route("/rankings", site.door.shows(pages.games)),
        *boards.routes(site, "/rankings/{game:name}", pages.board),
    ]


class _Rankings:
    def __init__(self, site: Site) -> None:
        self._site = site

    def games(self, visit: Visit) -> Response:
        """All games, with their best."""
        return self._site.page(
            visit, "rankings.html", title="Rankings", leaders=leaders(self._site, _ON_A_CARD)
        )

    def board(self, visit: Visit) -> Board:
        """A game's ranking."""
        game = _game(visit)
        found = self._site.rankings.ranking(game)
        context = {
            "game": game,
            "tournaments": found.tournaments[::-1],
            "left_out": sum(found.holes.values()),
        }
        return Board(GAMES[game].name, ranking(game), found.table, "ranking_frame.html", context)


def _game(visit: Visit) -> str:
    game = visit.part("game")
    if game not in GAMES:
        raise Refused(404, NOWHERE)
    return game
