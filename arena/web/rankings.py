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
    shows = site.door.shows
    return [
        Route("/rankings", shows(pages.games)),
        Route("/rankings/{game:name}", shows(pages.ranking)),
        Route("/rankings/{game:name}/ranking.{kind}", shows(pages.ranking_saved)),
        Route("/rankings/{game:name}/head-to-head", shows(pages.duels)),
        Route("/rankings/{game:name}/head-to-head.{kind}", shows(pages.duels_saved)),
        Route("/rankings/{game:name}/history", shows(pages.history)),
        Route("/rankings/{game:name}/history.{kind}", shows(pages.history_saved)),
    ]


class _Rankings:
    def __init__(self, site: Site) -> None:
        self._site = site

    def games(self, visit: Visit) -> Response:
        """All games, with their best."""
        return self._site.page(
            visit, "rankings.html", title="Rankings", leaders=leaders(self._site, _ON_A_CARD)
        )

    def ranking(self, visit: Visit) -> Response:
        """A game's ranking."""
        return boards.ranking(self._site, visit, self._board(visit))

    def ranking_saved(self, visit: Visit) -> Response:
        """As a file."""
        return boards.ranking_saved(visit, self._board(visit), kind(visit))

    def duels(self, visit: Visit) -> Response:
        """What any two did against each other."""
        return boards.head_to_head(self._site, visit, self._board(visit))

    def duels_saved(self, visit: Visit) -> Response:
        """As a file."""
        return boards.head_to_head_saved(self._site, self._board(visit), kind(visit))

    def history(self, visit: Visit) -> Response:
        """How the ratings came about."""
        told = self._site.rankings.history(_game(visit))
        return boards.history(self._site, visit, self._board(visit), told)

    def history_saved(self, visit: Visit) -> Response:
        """As a file."""
        told = self._site.rankings.history(_game(visit))
        return boards.history_saved(self._board(visit), told, kind(visit))

    def _board(self, visit: Visit) -> Board:
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


def kind(visit: Visit) -> str:
    """Which kind of file an address asks for."""
    asked = visit.part("kind")
    if asked not in {"csv", "json"}:
        raise Refused(404, NOWHERE)
    return asked
