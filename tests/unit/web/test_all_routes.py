"""What holds of every address that there is, also of one that is added one day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route

from arena.app import accounts
from arena.match import replay
from arena.store import Role, Store
from arena.store.testing import logs_of, make_tournament, new_result
from arena.web import make_pages
from tests.golden.playthroughs import cases
from tests.unit.web.asking import Answer, Browser
from tests.unit.web.conftest import Patience, rank
from tests.unit.web.viewer.playing import whole

FILLED = {
    "game": "claims",
    "language": "en",
    "picture": "deal",
    "name": "cup",
    "match": "m0-0",
    "bot": "bot0",
    "number": "1",
    "seat": "0",
    "kind": "json",
}
"""What is put in the place of a part of an address; of any other part: nothing that there is."""
CHARTED = re.compile(r".*/history|GET /bots/bot0(/1)?")
KEPT = re.compile(r"(private, )?no-(cache|store)|(public, )?max-age=31536000, immutable")
ELSEWHERE = re.compile(r"""(?:src|href|action|data-\w+)=["']?(?:[a-z]+:)?//""", re.IGNORECASE)
WITHIN = re.compile(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", re.IGNORECASE)


def flat(routes: list[BaseRoute]) -> Iterator[Route]:
    """All routes, those that are mounted as well."""
    for route in routes:
        if isinstance(route, Mount):
            yield from flat(list(route.routes))
        elif isinstance(route, Route):
            yield route


def address(route: Route) -> str:
    """One address of a route."""
    return re.sub(r"{(\w+)(?::\w+)?}", lambda part: FILLED.get(part[1], "none"), route.path)


def _played(store: Store) -> None:
    """A tournament of one block, with replays that can be looked at, and logs."""
    lines = whole(next(cases("claims", 3)))
    lines = [*lines[:-1], {**lines[-1], "out": [None] * 3}]
    cup = make_tournament(store, "cup", size=3, blocks=1)
    for match in store.matches(cup.id):
        result = replace(new_result(match), replay_digest=replay.digest(lines))
        store.record_result(cup.id, result, replay.pack(lines), logs_of(match))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """What an admin is answered, by method and address, by each route that doesn't stream."""
    with Store.open(tmp_path_factory.mktemp("arena") / "home") as store:
        _played(store)
        app: Starlette = make_pages(store, wrong_tokens=Patience())
        browser = Browser(app)
        secret = accounts.add_author(store, "root", Role.ADMIN).secret
        assert browser.sign_in(secret).status == 303
        rank(browser)
        answers = {}
        for route in flat(list(app.routes)):
            for method in sorted((route.methods or set()) - {"HEAD"}):
                path = address(route)
                # What streams doesn't end: of that, only what is said where there is nothing.
                if path.endswith("/events"):
                    path = path.replace("/cup/", "/none/")
                asked = browser.get if method == "GET" else browser.post
                answers[f"{method} {path}"] = asked(path)
        return answers


def html(answer: Answer) -> str:
    """A page's text; nothing of whatever else it is."""
    kind = answer.headers.get("content-type", "")
    return answer.text if kind.startswith("text/html") else ""


def test_there_are_enough_of_them(seen: dict[str, Answer]) -> None:
    """And most show something."""
    assert len(seen) > 50
    shown = [asked for asked, answer in seen.items() if answer.status == 200]
    assert len(shown) > 32


def test_every_answer_says_what_a_browser_may_do_with_it(seen: dict[str, Answer]) -> None:
    """Nothing from elsewhere, no script within, no guessing of kinds, nobody's frame."""
    wrong = []
    for asked, answer in seen.items():
        policy = answer.headers.get("content-security-policy", "")
        scripts = re.search(r"script-src ([^;]*)", policy)
        if "default-src 'none'" not in policy or not scripts or scripts[1] != "'self'":
            wrong.append(f"{asked}: {policy}")
        charted = CHARTED.fullmatch(asked) is not None and answer.status == 200
        if ("unsafe-inline" in policy) != charted:
            wrong.append(f"{asked}: {policy}")
        for name, value in (("x-content-type-options", "nosniff"), ("x-frame-options", "DENY")):
            if answer.headers.get(name) != value:
                wrong.append(f"{asked}: {name}")
    assert wrong == []


def test_every_answer_says_how_long_it_is_kept(seen: dict[str, Answer]) -> None:
    """Asked for again each time, or never kept, or for ever under a hash; what failed is not."""
    assert [
        f"{asked}: {answer.status} {answer.headers.get('cache-control')}"
        for asked, answer in seen.items()
        if not KEPT.fullmatch(answer.headers.get("cache-control", ""))
        or (answer.status >= 400 and "no-store" not in answer.headers["cache-control"])
    ] == []


def test_no_page_asks_for_anything_elsewhere_or_has_a_script_within(
    seen: dict[str, Answer],
) -> None:
    """Whatever a page names begins at its own arena."""
    pages = {asked: html(answer) for asked, answer in seen.items() if html(answer)}
    assert len(pages) > 20
    assert [
        f"{asked}: {found[0]}"
        for asked, text in pages.items()
        for found in (ELSEWHERE.search(text), WITHIN.search(text))
        if found
    ] == []


def test_every_page_has_one_main_heading_and_leaves_no_level_out(seen: dict[str, Answer]) -> None:
    """From the main one down, step by step."""
    wrong = []
    for asked, answer in seen.items():
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", html(answer))]
        steps = zip([0, *levels], levels, strict=False)
        if not html(answer):
            continue
        if levels.count(1) != 1 or any(lower > upper + 1 for upper, lower in steps):
            wrong.append(f"{asked}: {levels}")
    assert wrong == []


def test_every_table_has_a_caption_and_heads(seen: dict[str, Answer]) -> None:
    """So that it can be read aloud."""
    assert [
        f"{asked}: {table[:80]}"
        for asked, answer in seen.items()
        for table in re.findall(r"<table.*?</table>", html(answer), re.DOTALL)
        if "<caption" not in table or 'scope="col"' not in table
    ] == []
