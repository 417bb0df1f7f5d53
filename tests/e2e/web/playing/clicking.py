"""A person's clicks: choosing whom to play, and playing a match to its end."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

TABLE = ".playing:not([hidden])"

#: What hears of each thing that is asked, before and after the person has chosen.
Look = Callable[[str], None]


def sit_down(page: Page, *bots: str, rounds: int | None = 2, seat: str = "") -> None:
    """Fill the form in and send it; in Claim! a claim is open from the second lap on."""
    for place, bot in enumerate(bots, start=1):
        page.locator(f"#opponent{place}").select_option(f"sample/{bot}")
    for place in range(len(bots) + 1, page.locator("[id^=opponent]").count() + 1):
        page.locator(f"#opponent{place}").select_option("")
    page.locator("#seat").select_option(seat)
    if rounds is not None and page.locator("#max_rounds").count():
        page.locator(".sit summary").click()
        page.locator("#max_rounds").fill(str(rounds))
        for laps in page.locator("#claim_laps").all():
            laps.fill("1")
    page.locator(".sit > button").click()
    page.wait_for_selector(TABLE)


def asked(page: Page, after: int = 0) -> int:
    """Wait for a question behind one of a number; 0 once the match is over."""
    page.wait_for_function(
        """after => Number(document.querySelector("[data-part=dock]").dataset.asked) > after
            || !document.querySelector("[data-part=end]").hidden""",
        arg=after,
    )
    return int(page.locator("[data-part=dock]").get_attribute("data-asked") or 0)


def kind(page: Page) -> str:
    """What is asked."""
    for name in ("ready", "discard", "play"):
        if page.locator(f"[data-part={name}]").is_visible():
            return name
    claim = page.locator("[data-part=claim]")
    return "claim" if claim.get_attribute("aria-disabled") == "false" else "burn"


def cards(page: Page) -> list[str]:
    """The person's own."""
    return [str(card.get_attribute("data-card")) for card in page.locator(".own-card").all()]


def answer(page: Page, look: Look = lambda _: None) -> None:
    """Do something that is allowed: claim where that is open, else what gets rid of most."""
    what = kind(page)
    look(what)
    if what in {"play", "burn"}:
        may = page.locator('.own-card[aria-disabled="false"]')
        if not page.locator('.own-card[aria-pressed="true"]').count():
            may.last.click()
        if what == "burn":
            twins = [card for card in cards(page) if card[0] == cards(page)[-1][0]]
            for card in twins[:-1]:
                page.locator(f'[data-card="{card}"]').click()
        look("chosen")
    if what == "discard":
        page.locator(".own-card").first.click()
        look("discarding")
    button = "deck" if what == "burn" else what
    page.locator(f"[data-part={button}]").click()


def play_to_the_end(page: Page, look: Look = lambda _: None) -> int:
    """Answer whatever is asked; how many questions that were."""
    count, number = 0, 0
    while number := asked(page, number):
        answer(page, look)
        count += 1
    look("end")
    return count
