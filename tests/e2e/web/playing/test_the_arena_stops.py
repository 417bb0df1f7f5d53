"""What a person at the table is told when the arena is drained, stops, is gone, and comes back."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.app import accounts
from tests.e2e.web.playing.clicking import answer, asked, sit_down
from tests.e2e.web.playing.conftest import PATIENCE, House, Person
from tests.e2e.web.playing.test_whole_matches import serious
from tests.integration.server.process import serving

# Servers and a browser, on a machine that may have much else to do.
pytestmark = pytest.mark.timeout(300)

#: `arena serve`, whose people meet sample bots in processes.
PROGRAM = (
    sys.executable,
    "-c",
    """
import sys
from functools import partial
from arena.app.conducting.people import HouseRules
from arena.cli import main
from arena.match.setup import Timers
from arena.server import serve
from arena.tournament.job import Lodging

patient = Timers(turn=200, ready=200)
serve.HouseRules = partial(HouseRules, lodging=Lodging.PROCESS, timers=patient)
sys.exit(main.run(sys.argv[1:]))
""",
)
UNTIL = re.compile(
    r"The arena is being stopped\. You can play on until \d+:\d\d:\d\d [AP]M: a match that is not "
    "over by then is interrupted and does not count."
)
INTERRUPTED = (
    "Sorry, this match was interrupted and does not count: "
    "the arena was stopped while it was being played"
)
BACK = "You can play again once the arena begins matches again."


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A window."""
    context = chromium.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield context.new_page()
    expect.set_options(timeout=5_000)
    context.close()


def at_table(page: Page, base: str, home: Path) -> int:
    """Sign in with this machine's own token and sit down; the number of the first question."""
    page.goto(f"{base}/sign-in?then=/play")
    page.get_by_label("Token").fill(accounts.local_token(home) or "")
    page.locator("main").get_by_role("button").click()
    sit_down(page, "greedy", "random", rounds=500, seat="0")
    return asked(page)


def test_who_plays_is_told_that_the_arena_stops_and_until_when(page: Page, tmp_path: Path) -> None:
    """As soon as the stop begins; till then the match goes on, and then it is said how it ended."""
    home = tmp_path / "home"
    with serving(home, program=PROGRAM, drain_seconds="15") as server:
        number = at_table(page, server.web, home)
        told = page.locator("[data-part=dock] [data-part=draining]")
        expect(told).to_be_empty()
        expect(told).to_have_attribute("role", "status")
        server.stop()
        expect(told).to_have_text(UNTIL)
        assert server.process.poll() is None
        assert asked(page) == number
        answer(page)
        asked(page, number)
        outcome = page.locator("[data-part=outcome]")
        expect(outcome).to_have_text(INTERRUPTED)
        expect(told).to_have_text(BACK)
        expect(page.locator("[data-part=state]")).to_be_hidden()
        assert server.ended() == 0
        expect(outcome).to_have_text(INTERRUPTED)


def test_a_page_of_an_arena_that_is_gone_says_how_it_ended_once_it_is_back(
    page: Page, tmp_path: Path
) -> None:
    """Though nothing could tell it when the arena went."""
    home = tmp_path / "home"
    with serving(home, program=PROGRAM, drain_seconds="100") as server:
        at_table(page, server.web, home)
        server.stop()
        told = page.locator("[data-part=draining]")
        expect(told).to_have_text(UNTIL)
        server.stop(signal.SIGKILL)
        state = page.locator("[data-part=state]")
        expect(state).to_have_text(
            "The connection is lost, and the arena was to stop: once it is back, this page says "
            "what became of the match."
        )
        port = str(urlsplit(server.web).port)
        server.ended()
    with serving(home, program=PROGRAM, web_port=port):
        expect(page.locator("[data-part=outcome]")).to_have_text(INTERRUPTED)
        expect(state).to_be_hidden()
        expect(told).to_be_empty()


def drain(house: House, seconds: float) -> None:
    """Have the arena begin nothing more."""
    house.call(lambda: house.conductor.people.drain(seconds))


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_drain_without_an_end_is_told_and_taken_back(
    person: Callable[..., Person], house: House, phone: bool
) -> None:
    """The match can be played to its end; a page that is loaded meanwhile says so, too."""
    page = person(phone=phone).sign_in("/play")
    sit_down(page, "greedy", seat="0")
    number = asked(page)
    told = page.locator("[data-part=draining]")
    sentence = "The arena begins no more matches for now: this one can be played to its end."
    try:
        drain(house, float("inf"))
        expect(told).to_have_text(sentence)
        expect(told).to_be_in_viewport()
        assert serious(page) == []
        page.reload()
        expect(told).to_have_text(sentence)
        assert asked(page) == number
        house.call(house.conductor.people.resume)
        expect(told).to_be_empty()
        drain(house, 100)
        expect(told).to_have_text(re.compile("being stopped. You can play on until"))
        page.locator("[data-part=leave]").click()
        page.locator("dialog").get_by_role("button").last.click()
    finally:
        house.call(house.conductor.people.resume)


def test_whoever_plays_in_romanian_is_told_in_romanian(
    person: Callable[..., Person], house: House
) -> None:
    """That it stops, why the match was interrupted, what then; at the table and in the list."""
    page = person().sign_in("/play?game=claim%26lang=ro")
    sit_down(page, "greedy", seat="0")
    asked(page)
    told = page.locator("[data-part=draining]")
    try:
        drain(house, 100)
        expect(told).to_have_text(
            re.compile(r"Arena se oprește\. Poți juca până la \d+:\d\d:\d\d: un meci care nu")
        )
        (table,) = house.conductor.people._tables.values()
        house.call(table.work.cancel)
        why = "arena a fost oprită în timpul jocului"
        expect(page.locator("[data-part=outcome]")).to_have_text(
            f"Ne pare rău, meciul a fost întrerupt și nu se pune: {why}"
        )
        expect(told).to_have_text("Poți juca din nou când arena începe iar meciuri.")
        page.get_by_role("link", name="Toate meciurile tale").click()
        expect(page.locator("tbody tr").first).to_contain_text(f"Întrerupt: {why}")
    finally:
        house.call(house.conductor.people.resume)


def test_who_waits_for_the_bots_is_told_so_too(
    person: Callable[..., Person], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not sent to a page that will not be there."""

    async def held_up(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(house.conductor.people, "_ready", held_up)
    page = person().sign_in("/play")
    page.locator(".sit > button").click()
    waiting = page.locator("[data-part=waiting]")
    expect(waiting).to_have_text("The bots are being made ready.")
    try:
        drain(house, 100)
        expect(waiting).to_have_text(UNTIL)
        house.call(house.conductor.people.resume)
        expect(waiting).to_have_text("The bots are being made ready.")
        drain(house, 100)
        expect(waiting).to_have_text(UNTIL)
        (table,) = house.conductor.people._tables.values()
        house.call(table.work.cancel)
        expect(waiting).to_have_text(BACK)
        expect(page.locator("h1")).to_contain_text("you against")
    finally:
        house.call(house.conductor.people.resume)
