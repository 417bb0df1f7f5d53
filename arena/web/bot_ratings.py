"""How a bot is rated: in each game its place, and how it came there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from arena.app.rankings.cache import NotReady
from arena.app.rankings.histories import OwnHistory
from arena.games import GAMES
from arena.store import BotVersion
from arena.web import addresses, boards
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site

_LINES: Final = 4
"""How many versions a chart shows, the newest ones: each has a colour."""

_LEEWAY: Final = 60.0
"""For so many seconds longer than elsewhere a ranking is good enough here, where it is but one part
of a page that shows several."""


@dataclass(frozen=True, slots=True)
class Rated:
    """How a bot's versions are rated in a game."""

    game: str
    #: None while the ranking is worked out for the first time.
    history: OwnHistory | None
    #: How many are ranked.
    bots: int
    csv: str
    json: str


def ratings(site: Site, meant: Sequence[BotVersion], number: int | None) -> list[Rated]:
    """How these versions of a bot are rated, by game; `number` where it is but one of several.

    A game in which none of them is rated is left out. Nobody waits for a ranking.
    """
    rated = []
    for game in GAMES:
        if not any(game in version.games for version in meant):
            continue
        base = f"{addresses.bot(meant[0].bot)}/history/{game}"
        files = [addresses.with_query(f"{base}.{kind}", version=number) for kind in ("csv", "json")]
        try:
            found, bots = _history(site, game, meant)
        except NotReady:
            rated.append(Rated(game, None, 0, *files))
            continue
        if found.rows:
            rated.append(Rated(game, found, bots, *files))
    return rated


def history(site: Site, meant: Sequence[BotVersion], game: str, kind: str) -> Response:
    """The history of these versions in a game, as a file. Raises Refused and NotReady."""
    if game not in GAMES:
        raise Refused(404, NOWHERE)
    found, _ = _history(site, game, meant)
    return boards.history_file(f"{meant[0].bot} in {GAMES[game].name}", found, kind)


def _history(site: Site, game: str, meant: Sequence[BotVersion]) -> tuple[OwnHistory, int]:
    """The history of the newest of these versions that are rated, and how many bots are."""
    table = site.rankings.ranking(game, first=0, leeway=_LEEWAY).table
    ids = {version.id for version in meant}
    rows = [row for row in table.ranked if row.version.id in ids and row.standing.matches]
    rows.sort(key=lambda row: -row.version.number)
    return OwnHistory.of(table, rows[:_LINES]), len(table.ranked)
