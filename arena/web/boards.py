"""A ranking and all that is shown of it: of a game, and of a tournament just the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import Route

from arena.app.exports import documents
from arena.app.rankings.histories import COLUMNS, History, OwnHistory
from arena.app.rankings.table import Duel, Duels, Ranked, Table
from arena.store import BotVersion
from arena.web import pictures, tables
from arena.web.site import Site
from arena.web.visits import Visit

_HEAT: Final = 20
"""How many bots a heat map shows at a time."""

_LINES: Final = 8
"""How many bots a history shows."""

_SAVED: Final = 50_000
"""How many pairs a file has: among thousands of bots there are millions."""

MOMENTS: Final = 12
"""How many moments the table beside a history has."""

SORTS: Final[dict[str, Callable[[Ranked], float]]] = {
    "beaten": lambda row: -(row.beaten.plain.value if row.beaten.plain else -1),
    "mean_rank": lambda row: row.standing.mean_rank or 1e9,
    "matches": lambda row: -row.standing.matches,
    "faults": lambda row: row.standing.faults,
}
"""What a ranking can be sorted by, besides by rank."""


@dataclass(frozen=True, slots=True)
class Board:
    """A ranking on its way to a page."""

    #: What it is called: in headings, and as a file.
    name: str
    #: The address of its pages, without what comes behind.
    base: str
    table: Table
    #: The template that its pages stand in, and what that needs.
    frame: str
    context: dict[str, Any]


def routes(
    site: Site,
    at: str,
    board: Callable[[Visit], Board],
    *,
    first: str = "",
) -> list[Route]:
    """The pages below an address of what `board` finds, the ranking `first`."""
    pages, shows = _Boards(site, board), site.door.shows
    return [
        Route(f"{at}{first}", shows(pages.ranking)),
        Route(f"{at}/ranking.{{kind}}", shows(pages.ranking_saved)),
        Route(f"{at}/head-to-head", shows(pages.duels)),
        Route(f"{at}/head-to-head.{{kind}}", shows(pages.duels_saved)),
        Route(f"{at}/history", shows(pages.history)),
        Route(f"{at}/history.{{kind}}", shows(pages.history_saved)),
    ]


class _Boards:
    """The pages of rankings of one kind; see `routes`."""

    def __init__(self, site: Site, board: Callable[[Visit], Board]) -> None:
        self._site = site
        self._board = board

    def ranking(self, visit: Visit) -> Response:
        """Who is how good."""
        return ranking(self._site, visit, self._board(visit))

    def ranking_saved(self, visit: Visit) -> Response:
        """As a file."""
        return ranking_saved(visit, self._board(visit), tables.kind(visit))

    def duels(self, visit: Visit) -> Response:
        """What any two did against each other, and what it proves."""
        return head_to_head(self._site, visit, self._board(visit))

    def duels_saved(self, visit: Visit) -> Response:
        """As a file."""
        return head_to_head_saved(self._site, self._board(visit), tables.kind(visit))

    def history(self, visit: Visit) -> Response:
        """How the ratings came about."""
        return history(self._site, visit, self._board(visit))

    def history_saved(self, visit: Visit) -> Response:
        """As a file."""
        return history_saved(self._board(visit), tables.kind(visit))


def ranking(site: Site, visit: Visit, board: Board) -> Response:
    """Who is how good."""
    rows = _chosen(visit, board)
    part = tables.part(visit, rows)
    ends = [(row.standing.score, row.standing.mu + 3 * row.standing.sigma) for row in part.rows]
    return site.page(
        visit,
        "ranking.html",
        title=f"Ranking of {board.name}",
        board=board,
        part=part,
        scale=pictures.scale(ends),
        query=visit.asked("q"),
        author=visit.asked("author"),
        sort=visit.asked("sort"),
        sorts=SORTS,
        same_with=lambda **changes: tables.same_with(visit, page=None, **changes),
        csv=tables.same_with(visit, f"{board.base}/ranking.csv", page=None),
        json=tables.same_with(visit, f"{board.base}/ranking.json", page=None),
        **board.context,
    )


def ranking_saved(visit: Visit, board: Board, kind: str) -> Response:
    """The same, as a file of all pages."""
    rows = [
        {**documents.ranked(row), "author": row.version.author} for row in _chosen(visit, board)
    ]
    name = f"ranking-{board.name}"
    if kind == "json":
        return tables.as_json({"of": board.name, "ranked": rows}, name)
    return tables.as_csv(rows, list(rows[0]) if rows else ("rank", "bot"), name)


def _chosen(visit: Visit, board: Board) -> Sequence[Ranked]:
    """The rows that a filter leaves, sorted as one likes."""
    rows: Sequence[Ranked] = board.table.ranked
    query, author, sort = visit.asked("q").lower(), visit.asked("author"), visit.asked("sort")
    if query:
        rows = [
            row
            for row in rows
            if query in row.version.bot.lower()
            or query in row.version.author.lower()
            or query in (row.version.label or "").lower()
        ]
    if author:
        rows = [row for row in rows if row.version.author == author]
    if sort in SORTS:
        rows = sorted(rows, key=SORTS[sort])
    return rows


def head_to_head(site: Site, visit: Visit, board: Board) -> Response:
    """What any two did against each other: a heat map, and a table beside it."""
    part = tables.part(visit, board.table.ranked, _HEAT)
    duels = site.rankings.duels(board.table, board.base)
    versions = [row.version for row in part.rows]
    found = _between(duels, versions)
    return site.page(
        visit,
        "duels.html",
        title=f"Head to head: {board.name}",
        board=board,
        part=part,
        versions=versions,
        duel=lambda one, other: found.get((one.id, other.id)),
        pairs=[duel for duel in found.values() if _first(duel, versions)],
        csv=f"{board.base}/head-to-head.csv",
        json=f"{board.base}/head-to-head.json",
        **board.context,
    )


def _between(duels: Duels, versions: Sequence[BotVersion]) -> dict[tuple[int, int], Duel]:
    found = {}
    for one in versions:
        for other in versions:
            duel = duels.between(one, other) if one != other else None
            if duel is not None:
                found[one.id, other.id] = duel
    return found


def _first(duel: Duel, versions: Sequence[BotVersion]) -> bool:
    """Whether the one stands before the other, so that each pair is told once."""
    return versions.index(duel.one) < versions.index(duel.other)


def head_to_head_saved(site: Site, board: Board, kind: str) -> Response:
    """The pairs as a file: all, or those of the best where there are very many."""
    duels = site.rankings.duels(board.table, board.base)
    rows = [documents.duel(duel) for duel in duels[:_SAVED]]
    name = f"head-to-head-{board.name}"
    if kind == "json":
        return tables.as_json({"of": board.name, "head_to_head": rows}, name)
    return tables.as_csv(rows, list(rows[0]) if rows else ("bot", "against"), name)


def history(site: Site, visit: Visit, board: Board) -> Response:
    """How the ratings came about: a chart, and a table beside it."""
    found = _history(board)
    return site.page(
        visit,
        "history.html",
        title=f"History of {board.name}",
        chart=True,
        board=board,
        history=found,
        moments=found.thinned(MOMENTS),
        csv=f"{board.base}/history.csv",
        json=f"{board.base}/history.json",
        **board.context,
    )


def history_saved(board: Board, kind: str) -> Response:
    """The same, as a file."""
    return history_file(board.name, _history(board), kind)


def history_file(of: str, found: History | OwnHistory, kind: str) -> Response:
    """A history as a file; the JSON is what its chart is drawn from."""
    if kind == "json":
        return tables.as_json({"of": of, **found.document()}, f"history-{of}")
    return tables.as_csv(found.lines(), COLUMNS, f"history-{of}")


def _history(board: Board) -> History:
    return History.of(board.table, board.table.ranked[:_LINES])
