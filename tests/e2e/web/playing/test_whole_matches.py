"""Whole matches of each game, played by a person's clicks, on a phone and on a desk."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.web.playing.clicking import play_to_the_end, sit_down
from tests.e2e.web.playing.conftest import Person

People = Callable[..., Person]

CASES = [
    # game, language, bots, on a phone, in the dark, what is asked in it
    ("claims", "en", ("greedy", "random"), False, False, {"burn", "ready"}),
    ("claims", "en", ("greedy",) * 6, True, True, {"burn", "ready"}),
    ("claim", "en", ("greedy", "random", "greedy"), False, True, {"burn", "claim", "ready"}),
    ("claim", "ro", ("greedy", "random"), True, False, {"burn", "claim", "ready"}),
    ("claro", "en", ("greedy", "random", "random", "greedy"), False, True, {"play", "ready"}),
    ("claro", "en", ("random", "random"), True, False, {"play", "ready"}),
]


#: A pixel is what rounding makes.
CUT_OFF = """() => [...document.querySelectorAll(".turns-box, .others .name, .compare th")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.className} ${each.textContent.slice(0, 20)} is cut off`)"""
#: At the least the head of the table that compares all hands is to be seen.
COVERED = """() => document.querySelector(".compare tr")?.getBoundingClientRect().bottom
    > document.querySelector("[data-part=dock]").getBoundingClientRect().top"""


class Looking:
    """Looks at each state once: whether anybody is kept out, or must push the page sideways."""

    def __init__(self, page: Page, name: str, pictures: Path | None) -> None:
        self._page = page
        self._name = name
        self._pictures = pictures
        self.seen: set[str] = set()
        self.wrong: list[str] = []

    def __call__(self, state: str) -> None:
        """A state has come."""
        if state in self.seen:
            return
        self.seen.add(state)
        wide = self._page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.wrong.append(f"{state} is {wide} pixels wider than the window")
        self.wrong += [f"{state}: {each}" for each in serious(self._page)]
        self.wrong += [f"{state}: {each}" for each in self._page.evaluate(CUT_OFF)]
        if state in {"ready", "end"} and self._page.evaluate(COVERED):
            self.wrong.append(f"{state}: how it came out lies under one's own cards")
        if self._pictures is not None:
            self._page.screenshot(path=self._pictures / f"play-{self._name}-{state}.png")


def serious(page: Page) -> list[str]:
    """What axe finds."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:150]}"
        for each in found
        if each["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize(("game", "language", "bots", "phone", "dark", "states"), CASES)
def test_a_whole_match_is_played_by_clicks(  # noqa: PLR0917
    person: People,
    pictures: Path | None,
    game: str,
    language: str,
    bots: tuple[str, ...],
    phone: bool,
    dark: bool,
    states: set[str],
) -> None:
    """From signing in to the replay, which holds; then it stands among one's matches."""
    page = person(phone=phone, dark=dark).sign_in(f"/play?game={game}%26lang={language}")
    page.wait_for_url(f"**/play?game={game}&lang={language}")
    name = f"{game}-{language}-{'phone' if phone else 'desk'}-{'dark' if dark else 'light'}"
    look = Looking(page, name, pictures)
    look("lobby")
    # Whoever has this seat begins, so that much is asked whatever is dealt.
    sit_down(page, *bots, seat="0")
    assert play_to_the_end(page, look) >= 3
    assert states <= look.seen
    assert look.wrong == []
    won = r"^(You |Ai )"
    expect(page.locator("[data-part=outcome]")).to_have_text(re.compile(won))
    assert page.locator(".middle .compare tbody tr").count() == len(bots) + 1
    assert page.locator("html").get_attribute("lang") == language
    page.locator("[data-part=replay]").click()
    page.wait_for_selector(".viewer:not([hidden])")
    expect(page.locator(".checked")).to_contain_text("✓")
    look("replay")
    page.get_by_role("navigation").get_by_role(
        "link", name=re.compile("^(Play|Joacă)$")
    ).first.click()
    expect(page.locator("table tbody tr")).to_have_count(1)
    expect(page.locator("table tbody tr")).to_contain_text("Watch")
    look("matches")
    assert look.wrong == []
