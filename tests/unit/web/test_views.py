"""Whoever asks for very many pages is told to wait; whoever reads them is not."""

from __future__ import annotations

import re

import pytest

from arena.server.limits import Buckets
from arena.store import Store
from arena.web import make_pages
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience


@pytest.fixture
def reader(store: Store) -> Browser:
    """A reader where five pages a minute are enough."""
    views = Buckets(5 / 60, 5)
    return Browser(make_pages(store, wrong_tokens=Patience(), views=views))


@pytest.mark.parametrize("path", ["/", "/bots", "/bots/nobody", "/sign-in"])
def test_one_page_too_many_is_for_later(reader: Browser, path: str) -> None:
    """Whatever page it is, and it says when."""
    for _ in range(5):
        assert reader.get(path).status in {200, 404}
    answer = reader.get(path)
    assert answer.status == 429
    assert answer.sees("try again in a moment")
    assert 1 <= int(answer.headers["retry-after"]) <= 12


def test_forms_count_as_pages_do(reader: Browser) -> None:
    """Whether or not they are refused."""
    for _ in range(5):
        assert reader.post("/sign-in", {}).status == 403
    assert reader.post("/sign-in", {}).status == 429


def test_addresses_are_told_apart(reader: Browser) -> None:
    """Nobody waits for what another one does."""
    for _ in range(6):
        last = reader.get("/bots")
    assert last.status == 429
    assert Browser(reader.app, place="192.0.2.2").get("/bots").status == 200


def test_what_pages_are_made_with_is_free(reader: Browser) -> None:
    """A page loads several of these."""
    (style,) = re.findall(r'href="(/static/[^"]+\.css)"', reader.get("/").text)
    for _ in range(20):
        assert reader.get(style).status == 200
    assert reader.get("/").status == 200
