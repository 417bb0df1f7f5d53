"""The replay viewer in a real browser: stepping, looking, reading, on a desk and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from arena.app.conducting.people import Draining
from tests.e2e.web.viewer.conftest import DESK, PHONE, Pages, Visit
from tests.e2e.web.viewer.matches import TABLES, WILD

Open = Callable[..., Visit]
Box = dict[str, float]
SERIOUS = {"serious", "critical"}


def _where(page: Page) -> str:
    return page.locator("[data-part=where]").inner_text()


def _said(page: Page) -> str:
    return page.locator("[data-part=said]").inner_text()


def _at(page: Page) -> str:
    return str(page.evaluate("location.hash"))


def barriers(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    # Rows of the list are all alike, and axe looks long at each.
    found = Axe().run(page, {"exclude": [[".turns tr:nth-child(n+6)"]]}).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]} {each['nodes'][0]['failureSummary']}"
        for each in found
        if each["impact"] in SERIOUS
    ]


def too_wide(page: Page) -> int:
    """By how many pixels a page must be pushed sideways to be read."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_of_every_size_fits_on_a_desk_and_on_a_phone(
    pages: Pages, visit: Open, game: str, seats: int
) -> None:
    """Every seat with its cards within its frame, none over another, nothing to push sideways."""
    page = visit(pages.replay(game, seats, "#r1t3")).page
    shown = page.locator(".felt .seat")
    assert shown.count() == seats
    for size in (DESK, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for key in ("Home", "End"):
            page.keyboard.press(key)
            boxes = page.evaluate(
                """() => [...document.querySelectorAll(".felt > *")].map((each) => {
                    const { x, y, width, height } = each.getBoundingClientRect();
                    return { x, y, width, height };
                })"""
            )
            assert len(boxes) == seats + 1
            assert not any(
                _overlap(one, other) for at, one in enumerate(boxes) for other in boxes[:at]
            )
            assert all(_inside(page, seat) for seat in range(seats))
            assert too_wide(page) == 0


@pytest.mark.parametrize(("game", "seats"), [("claims", 7), ("claim", 8), ("claro", 6)])
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_nobody_is_kept_out(pages: Pages, visit: Open, game: str, seats: int, phone: bool) -> None:
    """Axe finds nothing serious in the light and in the dark, in a turn and at a round's end."""
    for step, dark in (("#r1t3", phone), ("#r1end", not phone)):
        page = visit(pages.replay(game, seats, step), phone=phone, dark=dark).page
        expect(page.locator(".middle.outcome")).to_have_count(int(step == "#r1end"))
        assert barriers(page) == []


def _overlap(one: Box, other: Box) -> bool:
    return (
        one["x"] + one["width"] > other["x"] + 1
        and other["x"] + other["width"] > one["x"] + 1
        and one["y"] + one["height"] > other["y"] + 1
        and other["y"] + other["height"] > one["y"] + 1
    )


def _inside(page: Page, seat: int) -> bool:
    """Whether a seat's cards lie within its frame."""
    return bool(
        page.evaluate(
            """seat => {
                const panel = document.querySelector(`.felt .seat-${seat}`);
                const right = panel.getBoundingClientRect().right;
                return [...panel.querySelectorAll(".playing-card")].every(
                    (card) => card.getBoundingClientRect().right <= right);
            }""",
            seat,
        )
    )


def test_buttons_and_keys_step_through_the_match(pages: Pages, visit: Open) -> None:
    """Forward, back, by rounds, to the ends; the address always names the step."""
    page = visit(pages.replay("claims", 3)).page
    assert "Step 1 of" in _where(page)
    page.locator("[data-part=next]").click()
    assert _at(page) == "#r1t1"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert _at(page) == "#r1t3"
    assert "Turn 3 · Lap 1" in _where(page)
    page.locator("[data-part=back]").click()
    assert _at(page) == "#r1t2"
    page.keyboard.press("Shift+ArrowRight")
    assert _at(page) == "#r2"
    page.keyboard.press("PageDown")
    assert _at(page) == "#r3"
    page.keyboard.press("PageUp")
    page.keyboard.press("End")
    assert _at(page) == "#end"
    expect(page.locator("[data-part=next]")).to_be_disabled()
    page.keyboard.press("Home")
    assert _at(page) == "#r1"
    expect(page.locator("[data-part=back]")).to_be_disabled()
    page.locator("[data-part=round]").select_option("2")
    assert _at(page) == "#r2"
    page.locator("[data-part=slider]").fill("5")
    assert "Step 6 of" in _where(page)
    page.locator("[data-part=slider]").press("ArrowRight")
    assert "Step 7 of" in _where(page)


def test_a_match_plays_by_itself_and_pauses(pages: Pages, visit: Open) -> None:
    """Steps follow each other at the speed that is chosen; a key stops them."""
    page = visit(pages.replay("claim", 2)).page
    page.locator("[data-part=speed]").select_option("8")
    page.keyboard.press("End")
    last = _where(page)
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    play = page.locator("[data-part=play]")
    play.click()
    expect(play).to_have_attribute("aria-label", "Pause")
    expect(page.locator("[data-part=where]")).to_have_text(last, timeout=60_000)
    expect(play).to_have_attribute("aria-label", "Play")
    # From the end it begins again.
    page.locator("body").press("Space")
    expect(play).to_have_attribute("aria-label", "Pause")
    page.locator("body").press("Space")
    expect(play).to_have_attribute("aria-label", "Play")
    stopped = _at(page)
    page.wait_for_timeout(500)
    assert _at(page) == stopped != "#end"


def test_a_link_opens_at_its_turn(pages: Pages, visit: Open) -> None:
    """From outside, from the list of turns, and from the address bar of an open page."""
    page = visit(pages.replay("claro", 4, "#r2t3")).page
    assert "Round 2 · Turn 3" in _where(page)
    page.locator(".turns a[href='#r1t2']").click()
    assert "Round 1 · Turn 2" in _where(page)
    assert page.locator("tr[aria-current]").get_attribute("id") == "r1t2"
    small = visit(pages.replay("claim", 8, "#r1t6"), phone=True).page
    expect(small.locator(".felt")).to_be_in_viewport(ratio=0.5)
    page.evaluate("location.hash = '#r2'")
    expect(page.locator("[data-part=where]")).to_contain_text("Round 2 · Step")
    link = page.locator("[data-part=link]").get_attribute("href")
    assert link == "#r2"


def test_faults_are_found_one_after_the_other(pages: Pages, visit: Open) -> None:
    """Each that begins, and then the first again; a seat that is out counts once."""
    visited = visit(pages.replay("claims", 2))
    page = visited.page
    told = page.request.get(pages.replay("claims", 2, "/steps.json")).json()
    begins = [f"#{step['id']}" for step in told["steps"] if step.get("faultBegins")]
    assert 3 <= len(begins) < sum("fault" in step for step in told["steps"])
    for wanted in [*begins, begins[0]]:
        page.locator("[data-part=fault]").click()
        assert _at(page) == wanted
        assert "default move" in _said(page)


def test_hands_are_hidden_as_they_were_hidden_at_the_table(pages: Pages, visit: Open) -> None:
    """A spectator sees backs and known cards, a seat its own hand; the words hide as much."""
    page = visit(pages.replay("claims", 3)).page
    backs = ".felt .seat-{} .back"
    assert page.locator(backs.format(0)).count() == 0
    page.locator("[data-part=eyes]").select_option("none")
    assert [page.locator(backs.format(seat)).count() for seat in range(3)] == [5, 5, 5]
    assert page.locator(".felt .cost").count() == 0
    page.locator("[data-part=eyes]").select_option("1")
    assert [page.locator(backs.format(seat)).count() for seat in range(3)] == [5, 0, 5]
    page.keyboard.press("ArrowRight")
    assert "draws a card from the deck" in _said(page)
    page.locator("body").press("h")
    assert page.locator("[data-part=eyes]").input_value() == "2"
    page.locator("[data-part=eyes]").select_option("open")
    assert "draws a card" not in _said(page)


def test_a_claim_shows_what_was_compared(pages: Pages, visit: Open) -> None:
    """All costs beside the claimer's, what each adds, and whether it held."""
    page = visit(pages.replay("claim", 5)).page
    told = page.request.get(pages.replay("claim", 5, "/steps.json")).json()
    ends = [step for step in told["steps"] if step.get("end", {}).get("claimer") is not None]
    for success in {step["end"]["success"] for step in ends}:
        step = next(step for step in ends if step["end"]["success"] is success)
        page.evaluate("id => { location.hash = id }", f"#{step['id']}")
        verdict = "✓ Claim holds" if success else "✗ Claim fails"
        expect(page.locator(".verdict")).to_have_text(verdict)
        claimer = page.locator(".compare .claimer")
        assert str(step["end"]["costs"][step["end"]["claimer"]]) in claimer.inner_text()
        assert page.locator(".compare tbody tr").count() == 5
        assert page.locator(".felt .added").count() == 5


def test_names_are_shown_as_they_are_and_run_nothing(pages: Pages, visit: Open) -> None:
    """A name that would be markup is letters, at the table, in words and in the list."""
    page = visit(pages.replay("claims", 2, "#r1t2")).page
    assert WILD in page.locator(".felt").inner_text()
    assert WILD in _said(page)
    assert WILD in page.locator("#r1t2").inner_text()
    assert page.locator("[onclick]").count() == 0


def test_without_scripts_all_turns_can_be_read(pages: Pages, visit: Open) -> None:
    """Every step is a row that a link names, and the viewer does not stand there empty."""
    page = visit(pages.replay("claro", 3), java_script_enabled=False).page
    told = page.request.get(pages.replay("claro", 3, "/steps.json")).json()
    assert page.locator("table.turns tbody tr").count() == len(told["steps"])
    assert page.locator("#r1t1").is_visible()
    assert not page.locator(".viewer").is_visible()
    assert barriers_without_scripts(page)


def barriers_without_scripts(page: Page) -> bool:
    """Whether each table has a caption and column heads."""
    tables = page.locator("main table")
    return all(
        tables.nth(at).locator("caption").count() == 1
        and tables.nth(at).locator("thead th[scope=col]").count() > 0
        for at in range(tables.count())
    )


def test_romanian_is_spoken_for_claim(pages: Pages, visit: Open) -> None:
    """The viewer's own words and those of each step; other games stay English."""
    page = visit(pages.replay("claim", 3, "?lang=ro#r1t1")).page
    assert page.locator("html").get_attribute("lang") == "ro"
    assert "aruncă" in _said(page)
    assert page.locator("[data-part=next]").get_attribute("aria-label") == "Pasul următor"
    assert barriers(page) == []
    other = visit(pages.replay("claims", 3, "?lang=ro#r1t1")).page
    assert other.locator("html").get_attribute("lang") == "en"


def test_a_reader_hears_each_step(pages: Pages, visit: Open) -> None:
    """The step's words are a live region, and cards have names in it and at the table."""
    page = visit(pages.replay("claims", 2, "#r1")).page
    region = page.locator("[data-part=said]")
    assert region.get_attribute("aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    spoken = region.evaluate("part => part.textContent")
    assert "of spades" in spoken or "of hearts" in spoken or "of d" in spoken or "of c" in spoken
    assert page.locator(".felt .seat-0 svg[role=img][aria-label]").count() == 5


def test_who_wants_less_motion_sees_none(pages: Pages, visit: Open) -> None:
    """Cards are laid without moving."""
    moving = visit(pages.replay("claims", 2, "#r1t1")).page
    assert moving.locator(".hand .fresh").evaluate("it => getComputedStyle(it).animationName") != (
        "none"
    )
    still = visit(pages.replay("claims", 2, "#r1t1"), reduced_motion="reduce").page
    assert still.locator(".hand .fresh").evaluate("it => getComputedStyle(it).animationName") == (
        "none"
    )


def test_a_replay_is_shown_and_given_only_once_its_block_is_over(pages: Pages, visit: Open) -> None:
    """Before, page, data and file say so and hold no card."""
    live = pages.live("still-playing", "claims", 3)
    live.tell(30)
    for what in ("", "/steps.json", "/file"):
        address = live.address.removesuffix("/live") + "/replay" + what
        answer = visit(pages.replay("claims", 2)).page.request.get(address)
        assert answer.status == 404
    live.finish()
    given = visit(pages.replay("claims", 2)).page.request.get(
        live.address.removesuffix("/live") + "/replay/file"
    )
    assert given.status == 200
    assert given.body()[:4] == b"\x28\xb5\x2f\xfd"


def test_a_match_in_play_is_followed_and_nothing_hidden_is_sent(pages: Pages, visit: Open) -> None:
    """New turns appear by themselves; no hand, blind draw or seed is in what the browser got."""
    live = pages.live("followed", "claims", 4)
    live.tell(4)
    page = visit(live.address).page
    expect(page.locator("[data-part=where]")).to_contain_text("Turn 2")
    live.tell(3)
    expect(page.locator("[data-part=where]")).to_contain_text("Turn 5")
    assert page.locator(".felt .seat").count() == 4
    assert too_wide(page) == 0
    assert barriers(page) == []
    # What the browser was sent, step by step, as its script keeps it.
    kept = page.evaluate(
        """async address => {
            const source = new EventSource(address + "/events");
            const told = [];
            return new Promise((done) => {
                source.addEventListener("table", (event) => told.push(event.data));
                source.addEventListener("step", (event) => {
                    told.push(event.data);
                    if (told.length === 7) { source.close(); done(told); }
                });
            });
        }""",
        live.address,
    )
    start = live.lines[1]
    turns = live.lines[2:7]
    open_cards = {start["zero"], *(card for turn in turns for card in turn["action"]["burn"])}
    hidden = {card for hand in start["hands"] for card in hand} | set(start["deck"])
    text = json.dumps([json.loads(each) for each in kept[1:]])
    assert live.lines[0]["seed"] not in "".join(kept)
    assert [
        card for card in hidden - open_cards if f'"{card}' in text or f"{{{card}}}" in text
    ] == []
    assert all(card in text for card in open_cards)


def test_who_goes_back_in_a_match_in_play_stays_there(pages: Pages, visit: Open) -> None:
    """And follows again from the newest step on."""
    live = pages.live("looked-back", "claro", 3)
    live.tell(5)
    page = visit(live.address, phone=True).page
    expect(page.locator("[data-part=where]")).to_contain_text("Step 4 of 4")
    page.locator("[data-part=back]").click()
    live.tell(1)
    expect(page.locator("[data-part=where]")).to_contain_text("Step 3 of 5")
    page.locator("[data-part=last]").click()
    live.tell(1)
    expect(page.locator("[data-part=where]")).to_contain_text("Step 6 of 6")
    assert page.locator("table.turns tbody tr").count() == 6


def test_a_match_that_ends_leads_to_its_replay(pages: Pages, visit: Open) -> None:
    """When the last line is told and the result is there, a link appears."""
    live = pages.live("ended", "claim", 2)
    live.tell(10)
    page = visit(live.address).page
    live.tell(10_000)
    live.finish()
    link = page.locator("[data-part-of-page=over] a")
    expect(link).to_have_text("See the replay", timeout=60_000)
    expect(page.locator(".middle .compare")).to_be_visible()
    link.click()
    page.wait_for_selector(".viewer:not([hidden])")
    assert page.url.endswith("/replay")
    again = page.request.get(live.address, max_redirects=0)
    assert (again.status, again.headers["location"].endswith("/replay")) == (303, True)


def test_a_lost_connection_comes_back(pages: Pages, visit: Open) -> None:
    """The match is told anew from its beginning and the viewer goes on at the newest step."""
    live = pages.live("lost", "claims", 2)
    live.tell(4)
    visited = visit(live.address)
    where = visited.page.locator("[data-part=where]")
    expect(where).to_contain_text("Turn 2")
    pages.cut()
    live.tell(2)
    expect(where).to_contain_text("Turn 4", timeout=60_000)
    assert visited.page.locator("table.turns tbody tr").count() == 5
    # Chromium says of itself that a connection was lost.
    visited.complaints.clear()


def test_without_scripts_a_match_in_play_can_be_read(pages: Pages, visit: Open) -> None:
    """As a table of what was played so far."""
    live = pages.live("read", "claims", 2)
    live.tell(6)
    page = visit(live.address, java_script_enabled=False).page
    page.locator("noscript a, main a[href*='text=1']").first.click()
    assert page.locator("table.turns tbody tr").count() == 5


def test_an_arena_that_stops_is_told_beside_the_match(pages: Pages, visit: Open) -> None:
    """In the language of the page, as long as it is so."""
    live = pages.live("stopping", "claim", 3)
    live.tell(6)
    page = visit(live.address + "?lang=ro").page
    expect(page.locator(".viewer")).to_be_visible()
    note = page.get_by_text("Arena se oprește")
    for draining, seen in ((Draining(30.0), True), (None, False)):
        pages.loop.call_soon_threadsafe(pages.stage.drains, draining)
        expect(note).to_be_visible(visible=seen)
    live.finish()
