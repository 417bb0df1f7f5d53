"""What the pages show to a spectator, and what every answer carries."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from starlette.applications import Starlette

from arena.store import Store, Tournament
from arena.store.testing import make_tournament, new_result, new_tournament, replay_of
from arena.web import make_pages
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience

NASTY = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>/../{{7*7}}&amp;"

PAGES = [
    "/",
    "/rankings",
    "/rankings/claims",
    "/rankings/claims/head-to-head",
    "/rankings/claims/history",
    "/rankings/claro",
    "/rankings/claro/head-to-head",
    "/rankings/claro/history",
    "/tournaments",
    "/tournaments?game=claims",
    "/tournaments?game=claro",
    "/leagues",
    "/tournaments/cup",
    "/tournaments/cup/ranking",
    "/tournaments/cup/head-to-head",
    "/tournaments/cup/history",
    "/tournaments/cup/matches",
    "/tournaments/cup/matches?status=done",
    "/tournaments/cup/matches?status=hole",
    "/tournaments/cup/matches/m0-0",
    "/bots",
    "/bots?q=bot1",
    "/bots/bot0",
    "/bots/bot0/1",
    "/bots/bot0/matches",
    "/rules",
    "/rules/claims/en",
    "/rules/claim/en",
    "/rules/claim/ro",
    "/rules/claro/en",
    "/sign-in",
]

FILES = [
    "/rankings/claims/ranking",
    "/rankings/claims/head-to-head",
    "/rankings/claims/history",
    "/tournaments/cup/ranking",
    "/tournaments/cup/head-to-head",
    "/tournaments/cup/history",
    "/tournaments/cup/matches",
    "/bots/bot0/career",
    "/bots/bot0/history/claims",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_shown(looked_at: Browser, path: str) -> None:
    """With one main heading, a language, and headers that let it load nothing from elsewhere."""
    answer = looked_at.get(path)
    assert answer.status == 200
    assert len(re.findall("<h1", answer.text)) == 1
    assert re.search(r'<html lang="(en|ro)">', answer.text)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'self';", policy)
    charted = path.endswith("/history") or path in {"/bots/bot0", "/bots/bot0/1"}
    assert ("unsafe-inline" in policy) == charted
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_script_or_style_within_it(looked_at: Browser, path: str) -> None:
    """Nor any address elsewhere."""
    text = looked_at.get(path).text
    assert not re.search(r"<script(?![^>]* src=)", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
    assert not re.search(r'(?:src|href|action)="(?!/|#)', text)


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_what_is_shown_can_be_taken_along(looked_at: Browser, path: str, kind: str) -> None:
    """As a document that can be read, and with something in it."""
    answer = looked_at.get(f"{path}.{kind}")
    assert answer.status == 200
    assert "attachment" in answer.headers["content-disposition"]
    if kind == "json":
        assert answer.json()
    else:
        assert len(list(csv.DictReader(io.StringIO(answer.text)))) > 0
    assert looked_at.get(f"{path}.exe").status == 404


def test_the_ranking_shows_what_it_knows(looked_at: Browser) -> None:
    """Bot, author, matches, faults, and the share that it has beaten."""
    answer = looked_at.get("/rankings/claims")
    for words in ("bot0 v1", "bot1 v1", "ana", "16", "50 %"):
        assert answer.sees(words)
    assert answer.text.count('<svg class="strength"') == 2


def changing(store: Store) -> None:
    """Record a tournament in which bot2 won, and in its last quarter bot0; bot1 was as before."""
    cup = make_tournament(store, "change", blocks=40, size=3)
    for match in store.matches(cup.id):
        ranks = {0: 3, 1: 2, 2: 1} if match.key.block < 30 else {0: 1, 1: 2, 2: 3}
        new = new_result(match)
        seats = tuple(replace(seat, rank=ranks[seat.entry]) for seat in new.seats)
        store.record_result(cup.id, replace(new, seats=seats), replay_of(match))


def test_a_ranking_tells_who_is_on_the_way_up(browser: Browser, store: Store) -> None:
    """With an arrow that has a name, by how much, and from where; else that nothing changed."""
    changing(store)
    shown = browser.get("/rankings/claims").text
    up, down = (shown.index(f'aria-label="{word}"') for word in ("up", "down"))
    assert re.search(r"\+\d+\.\d <span class=\"small\">from\xa0rank\xa03<", shown[up:])
    assert re.search(r"\u2212\d+\.\d <span class=\"small\">from\xa0rank\xa01<", shown[down:])
    rows = browser.get("/rankings/claims/ranking.json").json()["ranked"]
    told = {row["bot"]: (row["trend"], row["rank_before"]) for row in rows}
    assert told == {"bot0": ("up", 3), "bot1": ("same", 2), "bot2": ("down", 1)}
    head = browser.get("/rankings/claims/ranking.csv").text.splitlines()[0].split(",")
    assert {"trend", "rank_before", "score_before", "mu_before", "sigma_before"} <= set(head)


def test_a_ranking_can_be_filtered_and_sorted(looked_at: Browser) -> None:
    """By name and by author; what fits nobody says so."""
    assert not looked_at.get("/rankings/claims?q=BOT1").sees("bot0 v1")
    assert looked_at.get("/rankings/claims?author=ana").sees("bot0 v1")
    assert looked_at.get("/rankings/claims?author=nobody").sees("No bot of this ranking fits")
    rows = looked_at.get("/rankings/claims/ranking.json?q=bot1").json()["ranked"]
    assert [row["bot"] for row in rows] == ["bot1"]
    assert looked_at.get("/rankings/claims?sort=faults").status == 200


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e9", "9" * 40, "٣"])
def test_a_page_number_that_is_none_is_refused(looked_at: Browser, page: str) -> None:
    """With one sentence."""
    answer = looked_at.get(f"/rankings/claims?page={page}")
    assert answer.status == 400
    assert "Traceback" not in answer.text


def test_a_long_ranking_comes_in_pages(browser: Browser, cup: Tournament, store: Store) -> None:
    """That lead to each other, each bot on one of them."""
    make_tournament(store, "big cup", size=120, blocks=1, game="claim")
    seen: list[str] = []
    path = "/rankings/claim"
    browser.get(path)
    for match in store.matches(store.tournament("big cup").id):
        store.record_result(2, new_result(match), replay_of(match))
    fresh = Browser(make_pages(store, wrong_tokens=Patience()))
    while path:
        text = fresh.get(path).text
        seen += re.findall(r'<th scope="row"><a class="bot" title="(bot\d+)"', text)
        found = re.search(r'rel="next" href="([^"]+)"', text.replace("\n", " "))
        path = found[1].replace("&amp;", "&") if found else ""
    assert len(seen) == len(set(seen)) == 120


def test_a_tournament_commits_to_its_seed_and_shows_it_afterwards(
    browser: Browser, cup: Tournament, store: Store
) -> None:
    """The hash always; the seed only once nobody will meet its deals any more."""
    assert browser.get("/tournaments/cup").sees(cup.seed.hex())
    going = make_tournament(store, "going", seed=bytes(range(1, 33)))
    answer = browser.get("/tournaments/going")
    assert answer.sees(going.seed_hash)
    assert going.seed.hex() not in answer.text
    assert going.seed.hex() not in browser.get("/tournaments/going/tournament.json").text


def test_an_export_can_be_taken_along(looked_at: Browser) -> None:
    """As a .zip."""
    answer = looked_at.get("/tournaments/cup/export.zip")
    assert answer.status == 200
    assert answer.body.startswith(b"PK")


def test_a_match_links_its_replay_only_once_it_is_released(
    browser: Browser, cup: Tournament, store: Store
) -> None:
    """While others are to be played on the same deals, it is said so."""
    going = make_tournament(store, "going")
    match = store.matches(going.id)[0]
    store.record_result(going.id, new_result(match), replay_of(match))
    assert "/matches/m0-0/replay" not in browser.get("/tournaments/going/matches/m0-0").text
    assert browser.get("/tournaments/going/matches").sees("after its block")
    assert "/matches/m0-0/replay" in browser.get("/tournaments/cup/matches/m0-0").text


def test_nobody_leads_before_a_match_has_ended(
    browser: Browser, cup: Tournament, store: Store
) -> None:
    """All would share the first place, with nothing to show for it."""
    make_tournament(store, "to come")
    assert not browser.get("/tournaments/to%20come").sees("Who leads")
    assert browser.get("/tournaments/cup").sees("Who leads")


def test_a_bot_s_page_tells_of_its_matches(looked_at: Browser) -> None:
    """Against whom, from where, and with which faults."""
    answer = looked_at.get("/bots/bot0")
    assert answer.sees("TIMEOUT")
    assert answer.sees("bot1 v1")
    document = looked_at.get("/bots/bot0/career.json").json()
    assert document["opponents"] == [
        {"bot": "bot1", "version": 1, "matches": 16, "met": 16, "beaten": 8.0}
    ]
    assert [each["seat"] for each in document["seats"]] == [0, 1]
    assert document["faults"] == [{"kind": "TIMEOUT", "count": 8, "matches": 8}]


def test_logs_are_not_for_spectators(looked_at: Browser) -> None:
    """They are sent to sign in, and come back afterwards."""
    answer = looked_at.get("/tournaments/cup/matches/m0-0/log/0")
    assert answer.status == 303
    assert answer.to.startswith("/sign-in?then=%2Ftournaments%2Fcup")


def nasty_store(store: Store) -> None:
    """Everything that a stranger can name is named to bite."""
    tournament = make_tournament(store, NASTY, options={"target": NASTY}, organiser=NASTY)
    for match in store.matches(tournament.id):
        result = new_result(match, reason=NASTY[:40])
        seats: Any = tuple(
            type(seat)(**{**_fields(seat), "outcome": NASTY[:30], "detail": NASTY})
            for seat in result.seats
        )
        store.record_result(
            tournament.id, new_result(match, reason=NASTY[:40], seats=seats), replay_of(match)
        )
    store.entering.withdraw(tournament.id, "bot1", why=NASTY)


def _fields(seat: Any) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in seat.__slots__}


def test_names_that_bite_are_only_words(browser: Browser, cup: Tournament, store: Store) -> None:
    """In headings, titles, tables, addresses and lists; and their pages can be reached."""
    nasty_store(store)
    paths = {"/", "/tournaments", "/bots/bot0", "/bots/bot0/matches", "/rankings/claims"}
    found = re.findall(r'href="(/tournaments/[^"?]*script[^"]*)"', browser.get("/tournaments").text)
    assert found
    for path in paths | {f"{found[0]}{what}" for what in ("", "/ranking", "/head-to-head",
                         "/history", "/matches", "/matches/m0-0", "/tournament.json",
                         "/ranking.csv", "/matches.csv")}:  # fmt: skip
        answer = browser.get(path)
        assert answer.status == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            assert "<script>alert" not in answer.text
            assert "<img src=x" not in answer.text
            assert "49" not in re.findall(r"<h1>.*?</h1>", answer.text, re.DOTALL)[0]
        assert "\n" not in answer.headers.get("content-disposition", "")


def test_a_cell_is_no_formula(browser: Browser, cup: Tournament, store: Store) -> None:
    """A spreadsheet would else run what a stranger wrote."""
    new = new_tournament("=cmd()", blocks=0)
    store.create_tournament(new)
    make_tournament(store, "labels", game="claim")
    bot = store.bots()[0]
    text = browser.get(f"/bots/{bot}/career.csv").text
    assert not re.search(r"(^|,)[=+@]", text, re.MULTILINE)


def test_a_page_that_a_browser_has_is_not_sent_again(looked_at: Browser) -> None:
    """Unless it has changed."""
    first = looked_at.get("/rules/claims/en")
    tag = first.headers["etag"]
    again = looked_at.get("/rules/claims/en", if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
    assert looked_at.get("/rules/claims/en", if_none_match='"other"').status == 200
    assert first.headers["cache-control"] == "no-cache"


def test_static_files_are_kept_for_ever_under_their_hash(looked_at: Browser) -> None:
    """And packed for whoever can unpack them; under another hash there is nothing."""
    (path,) = re.findall(r'href="(/static/[^"]+\.css)"', looked_at.get("/").text)
    plain, packed = looked_at.get(path), looked_at.get(path, accept_encoding="gzip, br")
    assert "immutable" in plain.headers["cache-control"]
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < len(plain.body)
    assert looked_at.get(path.replace("/static/", "/static/0")).status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/rankings/chess",
        "/tournaments/none",
        "/tournaments/none/events",
        "/tournaments/cup/matches/none",
        "/tournaments/cup/matches?status=none",
        "/bots/none",
        "/bots/bot0/77",
        "/bots/none/history/claims.json",
        "/bots/bot0/history/chess.json",
        "/bots/bot0/history/claims.json?version=77",
        "/rules/chess/en",
        "/rules/claims/ro",
        "/rules/claims/en/deal.svg",
        "/rules/claim/en/none.svg",
        "/static/x/y",
    ],
)
def test_what_is_not_there_is_404(looked_at: Browser, path: str) -> None:
    """As a page that leads on."""
    answer = looked_at.get(path)
    assert answer.status == 404
    assert answer.sees("To the first page")
    assert answer.headers["cache-control"] == "no-store"


def test_a_defect_is_told_without_a_traceback(
    browser: Browser, cup: Tournament, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But with the entry in the log that has it."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 4711")

    monkeypatch.setattr(type(store.roster), "page", broken)
    answer = browser.get("/bots")
    assert answer.status == 500
    assert "4711" not in answer.text
    assert re.search(r"Report it with [0-9a-f]{16}", answer.text)
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_without_spectators_one_signs_in_first(store: Store, patience: Patience) -> None:
    """Also to read the rules."""
    pages: Starlette = make_pages(store, wrong_tokens=patience, spectators=False)
    closed = Browser(pages)
    for path in ("/", "/rules/claims/en", "/rankings/claims/ranking.json", "/tournaments/cup"):
        assert closed.get(path).to.startswith("/sign-in")
    assert closed.get("/sign-in").status == 200
