"""A list that is longer than its page says where it goes on, and there is all of it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from arena.store import NewSubmission, Store
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arena.web import bots, signing, tables
from tests.unit.web.asking import Browser

SignedIn = Callable[[str], Browser]


def all_of(browser: Browser, path: str, item: str) -> list[str]:
    """What a pattern finds on a page and on all those behind it."""
    found: list[str] = []
    seen = 0
    while path:
        text = browser.get(path).text
        found += re.findall(item, text)
        seen += 1
        more = re.search(r'rel="next" href="([^"]*)"', text)
        path = html.unescape(more[1]) if more else ""
    assert seen > 1
    return found


@pytest.mark.parametrize("who", ["ana", "root"])
def test_all_submissions_of_a_bot(
    signed_in: SignedIn, store: Store, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """Its page has the newest, and leads its author and admins to the others."""
    monkeypatch.setattr(bots, "_SHOWN", 2)
    monkeypatch.setattr(bots, "_PER_PAGE", 2)
    store.add_version(new_version("many"), b"many")
    ids = [
        store.submissions.receive(NewSubmission("many", "ana", f"{at}" * 64), b"%d" % at).id
        for at in range(5)
    ]
    reader, link = signed_in(who), r'href="/submissions/(\w+)"'
    page = reader.get("/bots/many")
    assert re.findall(link, page.text) == ids[:-3:-1]
    assert 'href="/bots/many/submissions"' in page.text
    assert all_of(reader, "/bots/many/submissions", link) == ids[::-1]
    assert reader.get("/bots/many/submissions?before=none").status == 404


def test_nobody_else_sees_them(signed_in: SignedIn, browser: Browser, store: Store) -> None:
    """Nor whether there are any."""
    store.add_version(new_version("many"), b"many")
    for name in ("bob", "olga"):
        assert signed_in(name).get("/bots/many/submissions").status == 404
    assert browser.get("/bots/many/submissions").to.startswith("/sign-in")


def test_all_tournaments_of_a_bot(
    signed_in: SignedIn, browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as one may see them."""
    monkeypatch.setattr(bots, "_SHOWN", 2)
    monkeypatch.setattr(tables.part, "__defaults__", (2,))
    make_tournament(store, "cup0")
    field = [store.find_version(f"bot{at}") for at in range(2)]
    for at in range(1, 5):
        private = at == 3
        new = new_tournament(f"cup{at}", private=private, organiser="olga" if private else "otto")
        store.create_tournament(new, field, new_matches())
    link = r'href="/tournaments/(cup\d)"'
    page = browser.get("/bots/bot0").text
    assert re.findall(link, page) == ["cup4", "cup2"]
    assert 'href="/bots/bot0/tournaments"' in page
    assert all_of(browser, "/bots/bot0/tournaments", link) == ["cup4", "cup2", "cup1", "cup0"]
    every = [f"cup{at}" for at in range(4, -1, -1)]
    assert all_of(signed_in("olga"), "/bots/bot0/tournaments", link) == every
    assert browser.get("/bots/nobody/tournaments").status == 404


def test_all_opponents_of_a_bot(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts, on its page."""
    monkeypatch.setattr(tables.part, "__defaults__", (2,))
    cup = make_tournament(store, "cup", size=6, blocks=1)
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    opponent = r'<th scope="row"><a class="bot" title="(\w+)"'
    assert sorted(all_of(browser, "/bots/bot0", opponent)) == [f"bot{at}" for at in range(1, 6)]


def test_all_bots_of_one_s_own(
    signed_in: SignedIn, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account leads to the list of bots."""
    ana = signed_in("ana")
    monkeypatch.setattr(signing, "_BOTS", 2)
    for bot in ("a", "b"):
        store.add_version(new_version(bot), bot.encode())
    assert "/bots?author=ana" not in ana.get("/account").text
    store.add_version(new_version("c"), b"c")
    assert "/bots?author=ana" in ana.get("/account").text
    assert ana.get("/bots?author=ana").sees("c ana")
