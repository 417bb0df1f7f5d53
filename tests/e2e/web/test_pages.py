"""What people do on the pages, in a real browser, as spectator, author and organiser."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import FilePayload, Page, expect

from arena.store.testing import new_result, replay_of
from arena.web.addresses import tournament
from tests.e2e.web.conftest import WILD, Reader, Served

Readers = Callable[..., Reader]

CUP = tournament(WILD)

SHOWN = [
    "/",
    "/rankings",
    "/rankings/claims",
    "/rankings/claims/head-to-head",
    "/rankings/claims/history",
    "/rankings/claro",
    "/leagues",
    "/leagues/Winter%20league",
    "/leagues/Winter%20league/tournaments",
    "/tournaments",
    CUP,
    f"{CUP}/ranking",
    f"{CUP}/head-to-head",
    f"{CUP}/history",
    f"{CUP}/matches",
    f"{CUP}/matches/m0-0",
    "/tournaments/Open%20cup",
    "/bots",
    "/bots/bot0",
    "/bots/bot0/matches",
    "/rules",
    "/rules/claim/ro",
    "/sign-in",
    "/nothing",
]


@pytest.mark.parametrize("path", SHOWN)
def test_what_only_shows_works_without_scripts(reader: Readers, path: str) -> None:
    """Its main heading is there, and nothing of it waits for a script."""
    page = reader(scripts=False).open(path)
    expect(page.locator("h1")).to_be_visible()
    assert not page.locator("[data-follows]:visible, .chart:visible").count()


@pytest.mark.parametrize("path", [f"{CUP}/history", "/bots/bot0"])
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_chart_stays_inside_its_card(reader: Readers, path: str, phone: bool) -> None:
    """Its axis' name, too, which stands lowest."""
    page = ranked(reader(phone=phone), path)
    page.wait_for_selector(".chart .xtitle")
    out = page.evaluate(
        """() => {
            const card = document.querySelector(".chart").getBoundingClientRect();
            const drawn = [...document.querySelectorAll(".chart svg, .chart .xtitle")];
            return drawn.map((each) => each.getBoundingClientRect()).filter(
                (each) => each.right > card.right || each.bottom > card.bottom).length;
        }"""
    )
    assert out == 0


def test_the_history_is_drawn_and_follows_the_theme(reader: Readers) -> None:
    """The chart has a line for each bot, and other colours in the dark."""
    page = reader().open(f"{CUP}/history")
    page.wait_for_selector(".js-plotly-plot .scatterlayer")
    assert page.locator(".js-plotly-plot .scatterlayer .trace").count() == 2
    assert not page.locator(".modebar").count()
    line = page.locator(".scatterlayer .js-line").first
    before = line.evaluate("line => getComputedStyle(line).stroke")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(line).not_to_have_css("stroke", before)


def ranked(who: Reader, path: str) -> Page:
    """Go to a page once the ranking is there: a bot's page doesn't wait for it."""
    who.open("/rankings/claims")
    return who.open(path)


def test_a_bot_s_rating_is_drawn_with_its_band(reader: Readers) -> None:
    """The band as wide as what is believed, the score at its lower end; in the theme's colours."""
    page = ranked(reader(), "/bots/bot0")
    page.wait_for_selector(".js-plotly-plot .scatterlayer")
    chart = page.locator(".chart")
    assert chart.count() == 1
    lines = chart.evaluate("chart => chart.data.map((each) => each.y)")
    top, score, middle = lines
    told = page.request.get(page.url + "/history/claims.json").json()["bots"][0]
    assert (score, middle) == (told["scores"], told["mu"])
    for high, mu, sigma in zip(top, told["mu"], told["sigma"], strict=True):
        assert high == pytest.approx(mu + 3 * sigma)
    band = page.locator(".chart .js-fill").first
    before = band.evaluate("band => getComputedStyle(band).fill")
    assert band.evaluate("band => getComputedStyle(band).fillOpacity") == "0.16"
    page.get_by_role("button", name="Light or dark").click()
    expect(band).not_to_have_css("fill", before)


def test_a_bot_s_rating_can_be_read_without_scripts(reader: Readers) -> None:
    """In the table that stands for the chart."""
    page = ranked(reader(scripts=False), "/bots/bot0")
    expect(page.locator(".chart")).to_be_hidden()
    page.get_by_text("As a table").first.click()
    table = page.get_by_role("region", name="Rating in Claims over time")
    expect(table.locator("tbody tr").last).to_be_visible()
    assert page.locator("#rating ~ p b").count() == 2


def test_the_theme_stays_on_the_next_page(reader: Readers) -> None:
    """And can be switched back."""
    who = reader(dark=True)
    page = who.open("/")
    page.get_by_role("button", name="Light or dark").click()
    page = who.open("/rules")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_keyboard_reaches_the_content_first(reader: Readers) -> None:
    """By a link that is seen once it has the focus."""
    page = reader().open("/rankings/claims")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


def test_names_that_bite_are_only_words(reader: Readers) -> None:
    """No dialog opens, and the name is read as it is."""
    page = reader().open("/tournaments")
    page.get_by_role("link", name=WILD).click()
    expect(page.locator("h1")).to_have_text(WILD)
    expect(page).to_have_title(f"{WILD} · Claim Arena")
    assert quote("<script>") in page.url


def test_a_spectator_finds_a_replay(reader: Readers) -> None:
    """From the first page on, by links alone."""
    page = reader(phone=True).open("/")
    page.get_by_role("link", name="Real cup").click()
    page.get_by_role("navigation", name="Of this tournament").get_by_role(
        "link", name="Matches"
    ).click()
    page.get_by_role("link", name="Watch").first.click()
    page.wait_for_url("**/replay")


def test_a_ranking_is_filtered_by_its_form(reader: Readers) -> None:
    """And shown whole again."""
    page = reader().open("/rankings/claims")
    page.get_by_label("Bot, label or author").fill("bot1")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Show all").click()
    assert page.locator("tbody tr").count() > 1


def test_an_author_submits_a_bot_and_follows_it(reader: Readers, arena: Served) -> None:
    """A wrong file is refused beside the form; a good one has a page that follows along."""
    page = reader("ana").open("/submissions")
    page.get_by_label("Archive").set_input_files(file("nonsense", b"nonsense"))
    page.get_by_role("button", name="Submit it").click()
    expect(page.get_by_role("alert")).to_be_visible()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        made.writestr(
            "bot.toml",
            'name = "fresh"\ngames = ["claims"]\nruntime = "python"\nentrypoint = "bot.py"\n',
        )
        made.writestr("bot.py", "x = 1\n")
    page.get_by_label("Archive").set_input_files(file("fresh", content.getvalue()))
    page.get_by_role("button", name="Submit it").click()
    expect(page.get_by_role("heading", name="Checked")).to_be_visible()
    expect(page.get_by_text("This page follows along by itself")).to_be_visible()
    arena.store.submissions.reject(page.url.rpartition("/")[2], f"no: {WILD}")
    expect(page.get_by_role("heading", name="Rejected")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(f"no: {WILD}")).to_be_visible()


def file(name: str, content: bytes) -> FilePayload:
    """What a person chooses on their disk."""
    return {"name": f"{name}.zip", "mimeType": "application/zip", "buffer": content}


def test_an_organiser_runs_a_tournament_by_clicks(reader: Readers, arena: Served) -> None:
    """Sets it up, enters two bots, draws it, withdraws one; an author follows its progress."""
    page = reader("olga").open("/tournaments")
    page.get_by_role("link", name="Set one up").click()
    page.get_by_label("Name").fill("Clicked cup")
    page.get_by_label("Blocks", exact=True).fill("3")
    page.get_by_role("button", name="Set it up").click()
    for bot in ("bot0", "bot1", "newest"):
        page.get_by_text("Enter somebody's bot").click()
        page.get_by_label("Bot", exact=True).fill(bot)
        page.get_by_role("button", name="Enter it").last.click()
        expect(page.get_by_role("status")).to_have_text("The bot is entered.")
    page.get_by_role("button", name="Draw the schedule").click()
    expect(page.get_by_text("0 of 6 matches")).to_be_visible()
    watcher = reader("ana").open("/tournaments/Clicked%20cup")
    expect(watcher.get_by_text("This page follows along by itself")).to_be_visible()
    found = arena.store.tournament("Clicked cup")
    match = arena.store.matches(found.id)[0]
    arena.store.record_result(found.id, new_result(match), replay_of(match))
    expect(watcher.locator("[data-told=ended]")).to_have_text("1", timeout=60_000)
    page.get_by_text("Cancel the tournament").click()
    page.get_by_label("Stop it for good").check()
    page.get_by_role("button", name="Cancel it").click()
    expect(page.locator(".state", has_text="Cancelled")).to_be_visible()
    expect(watcher.locator(".state", has_text="Cancelled")).to_be_visible(timeout=60_000)


def test_one_signs_out(reader: Readers) -> None:
    """And is a spectator again."""
    page = reader("ana").open("/account")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("status")).to_have_text("You are signed out.")
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
