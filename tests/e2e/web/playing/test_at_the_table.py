"""What may happen to a person at the table: time, windows, connections, refusals, leaving."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from arena.app.conducting.people import LiveTable
from arena.match.spectating import seen_by
from arena.players.choices import Choices, Kind
from arena.players.person import Question
from arena.store import NewPersonMatch, SeatedBot
from tests.e2e.web.playing.clicking import TABLE, answer, asked, cards, sit_down
from tests.e2e.web.playing.conftest import House, Person
from tests.e2e.web.playing.test_whole_matches import serious
from tests.golden.playthroughs import cases
from tests.unit.web.viewer.playing import whole

People = Callable[..., Person]

WILD = "<img src=x onerror=alert(1)><b onclick=alert(2)>wild</b>"


def table(person: Person, game: str = "claims", *bots: str, rounds: int = 2) -> Page:
    """Sit down first: the person in seat 0, which begins."""
    page = person.sign_in(f"/play?game={game}")
    sit_down(page, *(bots or ("greedy", "random")), rounds=rounds, seat="0")
    return page


def told(page: Page) -> list[str]:
    """All that the page says to have happened."""
    return page.locator("[data-part=log] li").all_inner_texts()


def leave(page: Page) -> None:
    """Go away, so that the match ends."""
    page.locator("[data-part=leave]").click()
    page.locator("dialog").get_by_role("button").last.click()
    page.wait_for_url("**/play?**")


def test_when_time_runs_out_the_page_says_what_was_played(person: People, house: House) -> None:
    """The clock is said at five seconds; then the default move stands there, in words."""
    house.clocks(turn=6, ready=120)
    page = table(person())
    number = asked(page)
    held = cards(page)
    expect(page.locator("[data-part=number]")).to_have_text(re.compile("^[1-6]$"))
    expect(page.locator("[data-part=hurry]")).to_have_text("5 seconds left")
    expect(page.locator("[data-part=clock]")).to_have_class(re.compile("late"))
    expect(page.locator("[data-part=orelse]")).to_contain_text("If time runs out, a random card")
    notice = page.locator("[data-part=notice]")
    expect(notice).to_contain_text("Your time ran out. This was played for you:")
    expect(notice).to_contain_text("burns")
    asked(page, number)
    assert sum(card in held for card in cards(page)) == len(held) - 1
    answer(page)
    expect(notice).to_be_hidden()
    expect(notice).to_be_visible()
    assert serious(page) == []
    leave(page)


def test_who_is_not_ready_in_time_is_told_that_it_goes_on(person: People, house: House) -> None:
    """The next round begins without."""
    house.clocks(turn=120, ready=1.5)
    page = table(person(), "claro", "random", "random")
    number = 0
    while page.locator("[data-part=notice]").is_hidden():
        number = asked(page, number)
        if not page.locator("[data-part=ready]").is_visible():
            answer(page)
        else:
            expect(page.locator("[data-part=notice]")).to_have_text(
                "Your time ran out: the next round has begun."
            )
    leave(page)


def test_a_match_can_be_played_by_keyboard(person: People) -> None:
    """Cards and buttons are reached by Tab, and whoever has answered is still at the table."""
    page = table(person())
    number = asked(page)
    page.locator(".own-card").first.focus()
    chosen = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("Space")
    expect(page.locator(f'[data-card="{chosen}"]')).to_have_attribute("aria-pressed", "true")
    for _ in cards(page):
        page.keyboard.press("Tab")
    focused = "document.activeElement.dataset.part ?? document.activeElement.dataset.card"
    assert page.evaluate(focused) == "deck"
    page.keyboard.press("Enter")
    asked(page, number)
    assert page.evaluate(focused) == "deck"
    assert chosen not in cards(page)
    leave(page)


def test_what_cannot_be_done_is_not_done(person: People) -> None:
    """No card, no move; the pile is empty; cards of another rank take the place of the first."""
    page = table(person())
    number = asked(page)
    deck, pile = page.locator("[data-part=deck]"), page.locator("[data-part=pile]")
    expect(deck).to_have_attribute("aria-disabled", "true")
    deck.click(force=True)
    expect(page.locator("[data-part=refused]")).to_have_text("Choose a card first.")
    first, *_, last = cards(page)
    page.locator(f'[data-card="{first}"]').click()
    expect(deck).to_have_attribute("aria-disabled", "false")
    expect(pile).to_have_attribute("aria-disabled", "true")
    if first[0] != last[0]:
        page.locator(f'[data-card="{last}"]').click()
        expect(page.locator('.own-card[aria-pressed="true"]')).to_have_count(1)
    assert asked(page) == number
    leave(page)


def test_a_refusal_is_one_line_and_the_question_stays(person: People) -> None:
    """Whether the arena says no or can't be reached."""
    page = table(person())
    number = asked(page)
    refused = page.locator("[data-part=refused]")

    def refuse(route: Route) -> None:
        route.fulfill(status=409, body=json.dumps({"sentence": f"No: {WILD}"}))

    page.route("**/answer", refuse)
    answer(page)
    expect(refused).to_have_text(f"No: {WILD}")
    page.unroute("**/answer")
    page.route("**/answer", lambda route: route.abort())
    answer(page)
    expect(refused).to_have_text("The arena could not be reached: try again.")
    page.unroute("**/answer")
    assert asked(page) == number
    answer(page)
    asked(page, number)
    expect(refused).to_be_empty()
    leave(page)


def test_who_is_signed_out_meanwhile_is_told_so(person: People) -> None:
    """In a line, at the table."""
    who = person()
    page = table(who)
    asked(page)
    kept = who.context.cookies()
    who.context.clear_cookies()
    answer(page)
    expect(page.locator("[data-part=refused]")).to_contain_text("You are not signed in")
    who.context.add_cookies(kept)  # type: ignore[arg-type]
    leave(page)


def test_whose_session_is_over_is_told_so_and_not_that_the_connection_is_lost(
    person: People, house: House
) -> None:
    """Nothing more is told; whoever signs in again, in another window too, plays on."""
    who = person()
    page = table(who)
    number = asked(page)
    kept = who.context.cookies()
    who.context.clear_cookies()
    house.cut()
    state = page.locator("[data-part=state]")
    expect(state).to_have_text("You are not signed in: sign in, and load this page again.")
    who.context.add_cookies(kept)  # type: ignore[arg-type]
    expect(state).to_be_hidden()
    assert asked(page) == number
    leave(page)


def test_going_back_from_the_replay_leads_to_where_the_match_was_begun(person: People) -> None:
    """And not to the table, which would lead to the replay once more."""
    page = table(person(), "claro", "greedy", "random")
    number = 0
    while number := asked(page, number):
        answer(page)
    page.locator("[data-part=replay]").click()
    page.wait_for_selector(".viewer:not([hidden])")
    page.go_back()
    page.wait_for_url("**/play?game=claro")


def test_a_page_that_a_browser_has_kept_is_asked_for_anew(person: People) -> None:
    """The table, and where it was begun: what is on them is of the time when they were left."""
    who = person()
    page = table(who)
    for path in ("/play", page.url.removeprefix(who.base)):
        page.goto(who.base + path)
        page.wait_for_load_state("load")
        page.evaluate("window.old = true")
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        page.wait_for_function("() => window.old === undefined")
    asked(page)
    leave(page)


def test_two_clicks_sit_down_once(person: People) -> None:
    """Else the second one is told that a match is being played already."""
    page = person().sign_in("/play")
    page.locator(".sit > button").dblclick()
    page.wait_for_selector(TABLE)
    asked(page)
    leave(page)


def test_a_page_that_is_loaded_anew_shows_the_same(person: People) -> None:
    """The hand, the question with what is left of its time, and all that happened."""
    page = table(person(), "claim", "greedy", "random")
    number = asked(page)
    answer(page)
    number = asked(page, number)
    held, said = cards(page), told(page)
    left = page.locator("[data-part=number]")
    expect(left).not_to_have_text("120")
    page.reload()
    page.wait_for_selector(TABLE)
    assert asked(page) == number
    assert (cards(page), told(page)) == (held, said)
    assert int(left.inner_text()) < 120
    page.goto(page.url.partition("/play/")[0] + "/play")
    page.get_by_role("link", name="Back to the table").first.click()
    page.wait_for_selector(TABLE)
    assert asked(page) == number
    leave(page)


def test_two_windows_show_the_same(person: People) -> None:
    """Whichever one is answered in; what is over in one is over in the other."""
    who = person()
    one = table(who)
    number = asked(one)
    other = who.open(one.url.removeprefix(who.base))
    other.wait_for_selector(TABLE)
    assert asked(other) == number
    assert cards(one) == cards(other)
    for page in (one, other):
        answer(page)
        number = asked(one, number)
        assert asked(other, number - 1) == number
        assert cards(one) == cards(other)
        assert told(one) == told(other)
    leave(one)
    expect(other.locator("[data-part=outcome]")).to_be_visible()


def test_a_lost_connection_comes_back(person: People, house: House) -> None:
    """The page says that it is lost, and goes on where it was."""
    page = table(person())
    number = asked(page)
    page.locator(".own-card").nth(1).focus()
    focused = page.evaluate("document.activeElement.dataset.card")
    state = page.locator("[data-part=state]")
    page.route("**/events", lambda route: route.abort())
    house.cut()
    expect(state).to_have_text("The connection is lost: trying again.")
    page.unroute("**/events")
    expect(state).to_be_hidden()
    assert asked(page) == number
    assert page.evaluate("document.activeElement.dataset.card") == focused
    answer(page)
    asked(page, number)
    leave(page)


def test_a_match_that_ended_meanwhile_is_over_when_the_connection_comes_back(
    person: People, house: House
) -> None:
    """As after a server was killed: why it ended, and nothing more of the connection."""
    page = table(person())
    asked(page)
    match = page.url.rsplit("/", 1)[1].partition("?")[0]
    page.route("**/events", lambda route: route.abort())
    house.cut()
    expect(page.locator("[data-part=state]")).to_have_text("The connection is lost: trying again.")
    house.call(house.conductor.people._tables[match].leave)
    page.wait_for_timeout(1000)
    page.unroute("**/events")
    expect(page.locator("[data-part=outcome]")).to_be_visible()
    expect(page.locator("[data-part=state]")).to_be_hidden()


def test_one_leaves_only_when_one_is_sure(person: People) -> None:
    """The seat plays default moves to the end; the match is listed with its result."""
    page = table(person(phone=True), "claims", "greedy", rounds=1)
    asked(page)
    page.locator("[data-part=leave]").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("Your seat plays default moves to the end.")
    assert serious(page) == []
    dialog.get_by_role("button", name="Keep playing").click()
    expect(dialog).to_be_hidden()
    leave(page)
    expect(page.get_by_role("status")).to_have_text("You have left the match.")
    expect(page.get_by_role("link", name="Back to the table")).to_have_count(0)
    row = page.locator("table tbody tr")
    while "Watch" not in row.inner_text():
        page.reload()
    expect(row).to_contain_text("you")


def test_it_is_played_again_against_the_same(person: People) -> None:
    """By one click."""
    page = table(person(), "claro", "greedy", "random", rounds=1)
    from_here = page.url
    number = 0
    while number := asked(page, number):
        answer(page)
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector(TABLE)
    assert page.url != from_here
    expect(page.locator("h1")).to_have_text("Claro: you against greedy, random")
    leave(page)


def test_without_scripts_the_page_says_that_they_are_needed(person: People, house: House) -> None:
    """In one line."""
    who = person()
    page = table(who)
    plain = person(java_script_enabled=False)
    plain.context.add_cookies(who.context.cookies())  # type: ignore[arg-type]
    without = plain.open(page.url.removeprefix(who.base))
    needed = without.locator("noscript p")
    expect(needed).to_be_visible()
    expect(needed).to_have_text("Playing needs scripts: allow them for this page.")
    expect(without.locator("[data-part=waiting]")).to_be_hidden()
    expect(without.locator(".playing")).to_be_hidden()
    leave(page)


def test_names_are_shown_as_they_are_and_moves_one_by_one(person: People, house: House) -> None:
    """Letters in the heading, at the table and in what is told; nothing runs."""
    who = person(reduced_motion="no-preference")
    page = who.sign_in("/play")
    page.wait_for_url("**/play")
    seats = (None, SeatedBot(WILD, "1", "0" * 64), SeatedBot(WILD, "2", "1" * 64))
    new = NewPersonMatch("ab" * 8, who.name, "claims", {}, 0, seats)
    house.store.people.want(new)
    live = LiveTable(house.store.people.begin(new.id))
    header, *lines = whole(next(cases("claims", 3)))
    header["seats"] = [{"bot": "person"}, {"bot": WILD}, {"bot": WILD}]
    seen = [line for each in (header, *lines) if (line := seen_by(each, 0)) is not None]
    house.put(live)

    def begin() -> None:
        live.chair.begin(lambda _: None)
        live.chair.broadcast.add(0, seen[:3])

    house.call(begin)
    page.goto(f"{who.base}/play/{new.id}")
    page.wait_for_selector(TABLE)
    expect(page.locator("h1")).to_contain_text(f"{WILD}, {WILD}")
    expect(page.locator("[data-part=log] li")).to_have_count(2)
    house.call(lambda: live.chair.broadcast.add(3, seen[3:6]))
    turn = Choices(Kind.TURN, burn=(("Ks",),), draw=("deck",))
    house.call(lambda: live.chair.hear(Question(1, 20.0, turn)))
    # The question waits until each move was seen, but its time runs.
    expect(page.locator("[data-part=clock]")).to_have_class(re.compile("runs"))
    assert asked(page) == 1
    expect(page.locator("[data-part=log] li")).to_have_count(5)
    text = page.locator(".playing").inner_text()
    assert f"{WILD} 1" in text
    assert f"{WILD} 2" in text
    assert page.locator("[onclick], [onerror]").count() == 0
    assert serious(page) == []
    house.call(live.chair.broadcast.end)
    house.call(live.chair.end)
    house.store.people.interrupt(new.id, "The sky fell.")
    expect(page.locator("[data-part=outcome]")).to_contain_text("The sky fell.")


def test_there_are_as_many_seats_as_sit_at_the_table(person: People) -> None:
    """One for each bot that is chosen and one's own; a seat that is gone again is by chance."""
    page = person().sign_in("/play")
    seat = page.locator("#seat")
    values = "select => [...select.options].map((option) => option.value)"

    def choose(place: int, bot: str) -> list[str]:
        page.locator(f"#opponent{place}").select_option(bot)
        offered: list[str] = seat.evaluate(values)
        return offered

    expect(seat.locator("option")).to_have_count(4)
    assert choose(2, "") == ["", "0", "1"]
    assert choose(5, "sample/random") == ["", "0", "1", "2"]
    seat.select_option("2")
    assert choose(2, "sample/random") == ["", "0", "1", "2", "3"]
    expect(seat).to_have_value("2")
    choose(2, "")
    assert choose(5, "") == ["", "0", "1"]
    expect(seat).to_have_value("")
    assert [choose(place, "sample/random")[-1] for place in range(1, 7)] == [*"123456"]
    assert serious(page) == []


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_visitor_is_led_to_signing_in(person: People, phone: bool) -> None:
    """And then to the table of their choice."""
    who = person(phone=phone)
    page = who.open("/play?game=claro")
    expect(page.locator("h1")).to_have_text("Play against the bots")
    assert serious(page) == []
    page.locator("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Token").fill(who.secret)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/play?game=claro")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
