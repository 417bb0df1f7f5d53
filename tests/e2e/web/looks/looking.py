"""What is looked at, how, and what can be measured of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from arena.web.addresses import bot, tournament
from tests.e2e.web import showcase
from tests.e2e.web.conftest import Reader

Readers = Callable[..., Reader]

GRAND = tournament(showcase.GRAND)
RUNNING = tournament(showcase.RUNNING)
OPEN = tournament(showcase.OPEN)
SEASONED = bot(showcase.SEASONED)


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
        found += [f"turns that scroll sideways by {each}" for each in page.evaluate(SIDEWAYS)]
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

SIDEWAYS = """() => [...document.querySelectorAll(".turns-box")]
    .map((each) => each.scrollWidth - each.clientWidth).filter((wide) => wide > 0)"""

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
