"""The one place where the pages are wired together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from arena.app.conducting.conductor import Conductor
from arena.app.rankings.cache import RankingCache
from arena.store import Store
from arena.submissions.limits import DEFAULT_LIMITS
from arena.web import (
    bots,
    home,
    leagues,
    organising,
    planning,
    rules,
    signing,
    submitting,
    tournaments,
    viewing,
    watching,
)
from arena.web import rankings as ranking_pages
from arena.web.assets import Assets
from arena.web.door import Door
from arena.web.failing import Catching, Failing
from arena.web.guarding import Guarding
from arena.web.playing import lobby, replays, table
from arena.web.sessions import Sessions, kept_key
from arena.web.site import Site
from arena.web.templating import environment
from arena.web.visits import Slowing

KINDS: Final[Sequence[Callable[[Site], Sequence[BaseRoute]]]] = (
    home.routes,
    ranking_pages.routes,
    leagues.routes,
    tournaments.routes,
    bots.routes,
    rules.routes,
    signing.routes,
    submitting.routes,
    planning.routes,
    organising.routes,
    viewing.routes,
    watching.routes,
    lobby.routes,
    table.routes,
    replays.routes,
)
"""The kinds of pages there are: each gives its routes."""


def make_pages(
    store: Store,
    *,
    wrong_tokens: Slowing,
    views: Slowing | None = None,
    conductor: Conductor | None = None,
    rankings: RankingCache | None = None,
    spectators: bool = True,
    upload_bytes: int = DEFAULT_LIMITS.archive_bytes,
    unfinished: int = 10,
) -> Starlette:
    """All pages of an arena, to be served at the root of an address.

    `wrong_tokens` slows down by address whoever tries tokens, and `views` whoever asks for very
    many pages, all but those of `/static/`; `conductor` is what plays and builds,
    None where nothing does; without `spectators` nobody looks who isn't signed in. An archive has
    `upload_bytes` at most, and an author `unfinished` submissions under way. Raises StoreError if
    the store's folder can't be written to.
    """
    sessions = Sessions(kept_key(store.folder))
    assets = Assets()
    site = Site(
        store=store,
        conductor=conductor,
        rankings=rankings or RankingCache(store),
        door=Door(store, sessions, spectators=spectators, views=views),
        sessions=sessions,
        wrong_tokens=wrong_tokens,
        upload_bytes=upload_bytes,
        unfinished=unfinished,
        templates=environment(assets),
        assets=assets,
    )
    routes = [route for kind in KINDS for route in kind(site)]
    failing = Failing(site)
    return Starlette(
        routes=[*assets.routes(), *routes],
        middleware=[Middleware(Guarding), Middleware(Catching, failing=failing)],
        exception_handlers={HTTPException: failing},
    )
