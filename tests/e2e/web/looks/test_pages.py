"""Every page in every state, on a phone and on a desk, in the light and in the dark.

What can be measured is asked for here; what can't is in the pictures, which somebody looks at.
"""

from __future__ import annotations

from typing import Final

import pytest

from arena.store import Store
from arena.web.addresses import league, match, tournament
from tests.e2e.web import showcase
from tests.e2e.web.looks.looking import (
    GRAND,
    OPEN,
    RUNNING,
    SEASONED,
    Look,
    Readers,
    faults,
    settle,
    unfold,
)
from tests.e2e.web.showcase import Showcase

PAGES: Final[dict[str | None, list[str]]] = {
    None: [
        "/",
        "/rankings",
        "/rankings/claims",
        "/rankings/claims?q=nobody-is-called-so",
        "/rankings/claims/head-to-head",
        "/rankings/claims/history",
        "/leagues",
        league(showcase.LEAGUE),
        league(showcase.LEAGUE, "head-to-head"),
        league(showcase.LEAGUE, "tournaments"),
        "/tournaments",
        "/tournaments?game=claro",
        GRAND,
        f"{GRAND}/ranking?author=ana&sort=faults",
        f"{GRAND}/head-to-head",
        f"{GRAND}/history",
        f"{GRAND}/matches",
        f"{GRAND}/matches?status=hole",
        match(showcase.GRAND, "m0-0"),
        RUNNING,
        match(showcase.RUNNING, showcase.LIVE),
        match(showcase.RUNNING, showcase.LIVE) + "/live",
        tournament(showcase.STUCK),
        tournament(showcase.CALLED_OFF),
        OPEN,
        f"{OPEN}/ranking",
        f"{OPEN}/history",
        f"{OPEN}/matches",
        "/bots",
        "/bots/greedy-10",
        "/bots/bot0",
        SEASONED,
        f"{SEASONED}/3",
        "/bots/greedy-10/matches",
        "/bots/greedy-10/tournaments",
        "/bots/fresh-ready/1",
        "/rules",
        "/rules/claims/en",
        "/rules/claim/en",
        "/rules/claim/ro",
        "/rules/claro/en",
        "/sign-in",
        "/nothing",
    ],
    "ana": [
        "/account",
        "/submissions",
        "/submissions/{received}",
        "/submissions/{built}",
        "/submissions/{ready}",
        "/submissions/{rejected}",
        "/bots/fresh-ready/submissions",
        OPEN,
        "/bots/greedy-10",
        SEASONED,
        f"{SEASONED}/2",
        "/new-tournament",
    ],
    "nobody-yet": ["/account", "/submissions", OPEN],
    "olga": [
        "/new-tournament",
        "/new-tournament?game=claim",
        OPEN,
        tournament(showcase.CLOSED),
        tournament(showcase.PRIVATE),
        GRAND,
    ],
}

_AT_ONCE = 6
TOURS: Final = [
    pytest.param(name, paths[at : at + _AT_ONCE], id=f"{name or 'anybody'}-{at // _AT_ONCE}")
    for name, paths in PAGES.items()
    for at in range(0, len(paths), _AT_ONCE)
]
"""Who looks at which pages in one test: few, since a busy machine draws slowly."""


@pytest.mark.parametrize(("name", "paths"), TOURS)
def test_every_page_looks_well(
    reader: Readers,
    shown: tuple[Store, Showcase],
    look: Look,
    name: str | None,
    paths: list[str],
) -> None:
    """In each state that it has, see `faults`; the browser has no complaint."""
    who = reader(name, phone=look.phone, dark=look.dark)
    ids = {state.value: id_ for state, id_ in shown[1].submissions.items()}
    wrong: list[str] = []
    for path in paths:
        page = who.open(path.format(**ids))
        settle(page, path)
        unfold(page)
        wrong += [f"{path}: {each}" for each in faults(page, phone=look.phone)]
        look.save(page, f"{name or 'anybody'}{path}")
    assert not wrong, "\n".join(wrong)
