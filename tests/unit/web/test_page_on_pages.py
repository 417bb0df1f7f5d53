"""docs/11-pages.md names every address that a person may open."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.routing import Route

from arena.store import Store
from arena.web import make_pages
from tests.unit.web.conftest import Patience

PAGE = Path(__file__).parents[3] / "docs" / "11-pages.md"
WORDS = {
    "game": "GAME",
    "id": "ID",
    "language": "LANGUAGE",
    "match": "ID",
    "number": "NUMBER",
    "seat": "SEAT",
}
"""What the page calls a part of an address; others are a NAME."""
FILES = re.compile(r"^/static/|\.(\{kind\}|json|svg|zip)$|/events$")
"""Addresses that a page names by itself: files, and what scripts ask for."""


def addresses(store: Store) -> list[str]:
    """The addresses of all pages that only show, as the page writes them."""
    routes = [
        route
        for route in make_pages(store, wrong_tokens=Patience()).routes
        if isinstance(route, Route) and "GET" in (route.methods or ())
    ]
    return [written(route.path) for route in routes if not FILES.search(route.path)]


def written(path: str) -> str:
    """An address as the page writes it."""
    if path.startswith("/submissions"):
        return re.sub(r"{.*}", "ID", path)
    return re.sub(r"{(\w+):\w+}", lambda part: WORDS.get(part[1], "NAME"), path)


def test_every_page_is_on_the_page(store: Store) -> None:
    """By its whole address, or by what comes behind that of the page before."""
    told = re.findall(r"`([^`]*)`", PAGE.read_text())
    ends = {address.removeprefix("...") for address in told if address.startswith("...")}
    wanted = addresses(store)
    assert len(wanted) > 25
    assert [
        address
        for address in wanted
        if address not in told and not any(address.endswith(end) for end in ends)
    ] == []
