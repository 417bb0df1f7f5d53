"""Leagues: all of them, and of each its ranking and its tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.exports import documents
from arena.store import League, NotFound, Progress, Tournament
from arena.web import addresses, boards, tables
from arena.web.boards import Board
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.visits import Visit

_COLUMNS: Final = ("league", "game", "organiser", "created", "tournaments")
_OF_ONE: Final = ("name", "state", "done", "matches", "bots", "organiser", "created")


def routes(site: Site) -> Sequence[BaseRoute]:
    """All pages of leagues."""
    pages = _Leagues(site)
    shows, at = site.door.shows, "/leagues/{name:name}"
    return [
        Route("/leagues", shows(pages.all)),
        Route("/leagues.{kind}", shows(pages.all_saved)),
        *boards.routes(site, at, pages.board),
        Route(f"{at}/tournaments", shows(pages.tournaments)),
        Route(f"{at}/tournaments.{{kind}}", shows(pages.tournaments_saved)),
    ]


class _Leagues:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    def all(self, visit: Visit) -> Response:
        """All of them, the newest first."""
        part = tables.part(visit, self._store.leagues.listed())
        return self._site.page(visit, "leagues.html", title="Leagues", part=part)

    def all_saved(self, visit: Visit) -> Response:
        """The same, as a file."""
        rows = [documents.league(league) for league in self._store.leagues.listed()]
        if tables.kind(visit) == "json":
            return tables.as_json({"leagues": rows}, "leagues")
        return tables.as_csv(rows, _COLUMNS, "leagues")

    def board(self, visit: Visit) -> Board:
        """A league's ranking."""
        league = self._find(visit)
        found = self._site.rankings.ranking(league.game, league=league)
        base, frame = addresses.league(league.name), _frame(league, sum(found.holes.values()))
        return Board(league.name, base, found.table, "league_frame.html", frame)

    def tournaments(self, visit: Visit) -> Response:
        """Of which tournaments it is made, the newest first."""
        league = self._find(visit)
        part = tables.part(visit, self._store.tournaments(league=league.name)[::-1])
        base = addresses.league(league.name, "tournaments")
        return self._site.page(
            visit,
            "league.html",
            title=f"Tournaments of {league.name}",
            part=part,
            shown=[(one, at, len(one.entries)) for one, at in self._with_progress(part.rows)],
            csv=f"{base}.csv",
            json=f"{base}.json",
            **_frame(league),
        )

    def tournaments_saved(self, visit: Visit) -> Response:
        """The same, as a file."""
        league = self._find(visit)
        found = self._with_progress(self._store.tournaments(league=league.name))
        name = f"tournaments-{league.name}"
        if tables.kind(visit) == "json":
            told = [
                {**documents.setup(one, at), "progress": documents.progress(at)}
                for one, at in found
            ]
            return tables.as_json({"of": league.name, "tournaments": told}, name)
        rows = [
            {
                "name": one.name,
                "state": at.state.value,
                "done": at.done,
                "matches": at.matches,
                "bots": len(one.entries),
                "organiser": one.organiser,
                "created": one.created.isoformat(),
            }
            for one, at in found
        ]
        return tables.as_csv(rows, _OF_ONE, name)

    def _with_progress(self, found: Sequence[Tournament]) -> list[tuple[Tournament, Progress]]:
        return [(each, self._site.rankings.progress(each)) for each in found]

    def _find(self, visit: Visit) -> League:
        """The league that an address names. Raises Refused."""
        try:
            return self._store.leagues.find(visit.part("name"))
        except NotFound:
            raise Refused(404, NOWHERE) from None


def _frame(league: League, left_out: int = 0) -> dict[str, Any]:
    """What stands above each page of a league; `left_out` blocks where its ranking is shown."""
    return {"league": league, "base": addresses.league(league.name), "left_out": left_out}
