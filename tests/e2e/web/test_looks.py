"""Every page in every state, on a phone and on a desk, in the light and in the dark.

What can be measured is asked for here; what can't is in the pictures, which somebody looks at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from arena.games import GAMES
from arena.store import Store
from arena.web import make_pages
from arena.web.addresses import bot, league, match, ranking, tournament
from tests.e2e.web import showcase
from tests.e2e.web.conftest import Reader, Served, served
from tests.e2e.web.showcase import Showcase
from tests.unit.web.conftest import Patience

Readers = Callable[..., Reader]

GRAND = tournament(showcase.GRAND)
RUNNING = tournament(showcase.RUNNING)
OPEN = tournament(showcase.OPEN)
SEASONED = bot(showcase.SEASONED)

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


@dataclass(frozen=True)
class Look:
    """How a page is looked at, and where pictures of it go."""

    phone: bool
    dark: bool
    pictures: Path | None = None

    def save(self, page: Page, what: str) -> None:
        """Keep a picture of a page, if anybody wants to look at it."""
        if self.pictures is not None:
            look = f"{'phone' if self.phone else 'desk'}-{'dark' if self.dark else 'light'}"
            name = re.sub(r"[^a-z0-9]+", "-", what.lower()).strip("-")
            page.screenshot(path=self.pictures / f"{name}-{look}.png", full_page=True)


_AT_ONCE = 6
TOURS: Final = [
    pytest.param(name, paths[at : at + _AT_ONCE], id=f"{name or 'anybody'}-{at // _AT_ONCE}")
    for name, paths in PAGES.items()
    for at in range(0, len(paths), _AT_ONCE)
]
"""Who looks at which pages in one test: few, since a busy machine draws slowly."""

PHONE_LIGHT, DESK_DARK = Look(phone=True, dark=False), Look(phone=False, dark=True)
LOOKS = [
    pytest.param(PHONE_LIGHT, id="phone-light"),
    pytest.param(DESK_DARK, id="desk-dark"),
    # Both widths and both themes are in these two already.
    pytest.param(Look(phone=False, dark=False), id="desk-light", marks=pytest.mark.soak),
    pytest.param(Look(phone=True, dark=True), id="phone-dark", marks=pytest.mark.soak),
]
SHORTENED = {"exclude": [["tbody tr:nth-child(n+6)"]]}
"""Rows of a table are all alike, and axe looks long at each."""


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest, pictures: Path | None) -> Look:
    """Each way to look at a page."""
    one: Look = request.param
    return replace(one, pictures=pictures)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Showcase]]:
    """An arena with something of everything."""
    with Store.open(tmp_path_factory.mktemp("showcase") / "home") as store:
        yield store, showcase.fill(store)


@pytest.fixture(scope="module")
def arena(shown: tuple[Store, Showcase]) -> Iterator[Served]:
    """The same, served, for the readers of this module."""
    store, made = shown
    pages = make_pages(store, wrong_tokens=Patience(), conductor=made.stage)  # type: ignore[arg-type]
    with served(pages) as base:
        for game in GAMES:
            # It is worked out now: pages of bots don't wait for that.
            urlopen(base + ranking(game)).close()  # noqa: S310
        yield Served(base, store, made.secrets)


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


@pytest.mark.parametrize(("game", "seats"), showcase.REPLAYS)
@pytest.mark.parametrize("look", [PHONE_LIGHT, DESK_DARK], indirect=True)
def test_every_moment_of_a_match_looks_well(
    reader: Readers, look: Look, game: str, seats: int
) -> None:
    """Its beginning, a turn, a claim and what came of it, a fault, the end; hands open and not."""
    who = reader(phone=look.phone, dark=look.dark)
    at = match(f"{game}-{seats}", "m0-0") + "/replay"
    page = who.open(at)
    settle(page, at)
    steps = page.request.get(f"{who.base}{at}/steps.json").json()["steps"]
    wrong: list[str] = []
    for what, step in moments(steps).items():
        page.evaluate("id => { location.hash = id }", step)
        page.wait_for_function(
            "id => document.querySelector(`[href='#${id}'][data-part]`)", arg=step
        )
        for eyes in ("open", "none") if what == "turn" else ("open",):
            page.locator("[data-part=eyes]").select_option(eyes)
            where = f"{game} {what} {eyes}"
            wrong += [f"{where}: {each}" for each in faults(page, phone=look.phone)]
            look.save(page, where)
        page.locator("[data-part=eyes]").select_option("open")
    assert not wrong, "\n".join(wrong)


def moments(steps: list[dict[str, object]]) -> dict[str, str]:
    """The ids of the steps that matter, by what they are."""
    found: dict[str, str] = {}
    for at, step in enumerate(steps):
        end = step.get("end")
        kinds = {
            "deal": at == 0,
            "turn": at == 5,
            "claim": step["kind"] == "claim",
            "fault": bool(step.get("faultBegins")),
            "round won": isinstance(end, dict) and end.get("success") is True,
            "claim failed": isinstance(end, dict) and end.get("success") is False,
            "round over": isinstance(end, dict) and "winner" in end,
            "result": step["kind"] == "result",
        }
        for kind, is_it in kinds.items():
            if is_it:
                found.setdefault(kind, str(step["id"]))
    return found


def settle(page: Page, path: str) -> None:
    """Wait until what a script draws is there."""
    if path.endswith("/history") and OPEN not in path:
        page.wait_for_selector(".js-plotly-plot .scatterlayer")
    for at in range(page.locator("[data-history]").count()):
        page.wait_for_selector(f".js-plotly-plot .scatterlayer >> nth={at}")
    if path.endswith(("/live", "/replay")):
        page.wait_for_selector(".viewer:not([hidden])")


def unfold(page: Page) -> None:
    """Open whatever can be."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


def faults(page: Page, *, phone: bool) -> list[str]:
    """What is wrong with a page as it stands there."""
    found = serious(page)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        found.append(f"{wide} pixels wider than the window")
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')]"
        ".filter(each => each.checkVisibility()).map(each => Number(each.tagName[1]))"
    )
    if levels.count(1) != 1 or any(
        lower > upper + 1 for upper, lower in zip([0, *levels], levels, strict=False)
    ):
        found.append(f"its headings are of the levels {levels}")
    if phone:
        found += [f"too small to be touched: {each}" for each in page.evaluate(SMALL)]
    else:
        found += [f"a row of a table that is very high: {each}" for each in page.evaluate(HIGH)]
    found += [f"cut off: {each}" for each in page.evaluate(CUT)]
    found += [f"a button of several lines: {each}" for each in page.evaluate(BROKEN)]
    return found


SMALL = """() => [...document.querySelectorAll(
    "button, .button, summary, select, nav a, input:not([type=hidden], [type=checkbox])")]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 39.5
        && !each.closest("p"))
    .map((each) => `${each.getBoundingClientRect().height} ${each.outerHTML.slice(0, 90)}`)"""
"""What is pressed with a thumb is 40 pixels high; links within sentences are as high as these."""

CUT = """() => [...document.querySelectorAll("button, .button, .state, th[scope=col], time, .num")]
    .filter((each) => each.checkVisibility() && each.clientWidth > 2
        && each.scrollWidth > each.clientWidth + 1
        && getComputedStyle(each).textOverflow !== "ellipsis")
    .map((each) => `${each.scrollWidth - each.clientWidth} ${each.outerHTML.slice(0, 90)}`)"""
"""What is wider than its place, and doesn't say so by three dots."""


HIGH = """() => [...document.querySelectorAll("tbody tr")]
    .filter((each) => each.getBoundingClientRect().height > 200)
    .map((each) => `${each.getBoundingClientRect().height} ${each.innerText.slice(0, 90)}`)"""
"""On a desk, what would fit beside each other stands below each other."""

BROKEN = """() => [...document.querySelectorAll("button, .button")]
    .filter((each) => each.checkVisibility() && !each.querySelector("svg, b, img")
        && each.getBoundingClientRect().height > 52)
    .map((each) => each.outerHTML.slice(0, 90))"""
"""What is too long for a phone is said in fewer words."""


def serious(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    violations = Axe().run(page, SHORTENED).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:150]}"
        for each in violations
        if each["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize(
    "path",
    ["/", "/rankings/claims", GRAND, "/bots/greedy-10", match("claims-4", "m0-0") + "/replay"],
)
def test_the_keyboard_goes_everywhere_and_is_seen(reader: Readers, path: str) -> None:
    """Each stop of the first forty has a frame round it and stands where it can be seen."""
    page = reader().open(path)
    settle(page, path)
    wrong: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            break
        if not (at["framed"] and at["inside"]):
            wrong.append(f"{at}")
    assert not wrong, "\n".join(wrong)


FOCUSED = """() => {
    const it = document.activeElement;
    if (!it || it === document.body) return null;
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    return {
        html: it.outerHTML.slice(0, 90),
        framed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""
