"""Pages of bots: how they are rated, and what was reported of them to their author."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from html import escape
from threading import Event
from typing import Any

import pytest

from arena.app.rankings.cache import FIRST
from arena.app.rankings.ranking import Rankings
from arena.match import replay
from arena.store import BotVersion, NewSubmission, Store, Tournament
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arena.web.addresses import bot, submission
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import play_cup, rank

SignedIn = Callable[[str], Browser]

NASTY = '<script>alert(1)</script> & "x" \''
WORKED_OUT = "being worked out: load this page again"


def play(store: Store, name: str, *bots: BotVersion, game: str = "claims", **told: Any) -> None:
    """A tournament in which the bot in seat 0 won."""
    new = new_tournament(name, game=game, table_size=len(bots), blocks=4, **told)
    cup = store.create_tournament(new, bots, new_matches(4, len(bots)))
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))


@pytest.fixture
def versions(store: Store) -> list[BotVersion]:
    """Two of one bot, which plays two games; each played where the other did not."""
    other = store.add_version(new_version("other", games=("claims", "claro")), b"o")
    made = [
        store.add_version(new_version("rated", digest=d * 64, games=("claims", "claro")), b"r")
        for d in "12"
    ]
    play(store, "first", made[0], other)
    play(store, "second", made[1], other)
    play(store, "third", made[1], other, game="claro")
    return made


@pytest.mark.usefixtures("versions")
def test_a_bot_is_rated_in_each_game_with_a_chart_and_a_table(browser: Browser) -> None:
    """All versions in one chart, the newest first; how each stands now is said in words."""
    rank(browser)
    answer = browser.get("/bots/rated")
    charts = re.findall(r'data-history="([^"]+)"', answer.text)
    assert charts == ["/bots/rated/history/claims.json", "/bots/rated/history/claro.json"]
    assert answer.text.count('src="/static/') == 3
    assert "unsafe-inline" in answer.headers["content-security-policy"]
    assert re.search(
        r"v2: rank \d of 3, score [\d.\u2212]+, after 8 matches; v1: rank", plain(answer)
    )
    assert answer.sees("Version Matches Score Strength")
    told = browser.get(charts[0]).json()
    assert [(line["bot"], line["version"]) for line in told["bots"]] == [("rated", 2), ("rated", 1)]
    new, old = told["bots"]
    assert new["matches"] == old["matches"] == list(range(1, 9))
    for score, mu, sigma in zip(old["scores"], old["mu"], old["sigma"], strict=True):
        assert score == pytest.approx(mu - 3 * sigma, abs=0.001)
    assert answer.sees(f"v2 8 {new['scores'][-1]:.2f} {new['mu'][-1]:.2f} ±")


def plain(answer: Any) -> str:
    """What a reader reads."""
    return " ".join(re.sub(r"<[^>]*>", "", answer.text).split())


@pytest.mark.usefixtures("versions")
def test_a_version_is_rated_by_itself(browser: Browser) -> None:
    """In the games in which it has played, over its own matches from the first one on."""
    rank(browser)
    answer = browser.get("/bots/rated/1")
    (chart,) = re.findall(r'data-history="([^"]+)"', answer.text)
    assert chart == "/bots/rated/history/claims.json?version=1"
    assert re.search(r"Rank \d of 3, score [\d.\u2212]+, after 8 matches\.", plain(answer))
    assert answer.sees("Matches Score Strength")
    (later,) = browser.get("/bots/rated/history/claims.json?version=2").json()["bots"]
    assert later["matches"] == list(range(1, 9))
    lines = browser.get("/bots/rated/history/claims.csv?version=2").text.splitlines()
    assert lines[0] == "matches,bot,version,score,mu,sigma"
    assert lines[1].startswith("1,rated,2,")
    assert len(lines) == 9


def test_only_the_newest_versions_share_a_chart(browser: Browser, store: Store) -> None:
    """Each has a colour; the others have pages of their own."""
    other = store.add_version(new_version("other"), b"o")
    for number in range(1, 7):
        version = store.add_version(new_version("many", digest=str(number) * 64), b"m")
        play(store, f"cup {number}", version, other)
    rank(browser)
    told = browser.get("/bots/many/history/claims.json").json()["bots"]
    assert [line["version"] for line in told] == [6, 5, 4, 3]
    assert browser.get("/bots/many/1").text.count("data-history") == 1


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Every ranking takes until this is set."""
    may_end = Event()
    made = Rankings.ranking

    def slow(self: Rankings, *told: Any, **asked: Any) -> Any:
        assert may_end.wait(60)
        return made(self, *told, **asked)

    monkeypatch.setattr(Rankings, "ranking", slow)
    yield may_end
    may_end.set()


def test_nobody_waits_for_a_ranking_that_is_not_there_yet(
    browser: Browser, cup: Tournament, held: Event
) -> None:
    """The page says so, and all else is on it; a file is for later. Then it is there."""
    for path in ("/bots/bot0", "/bots/bot0/1"):
        began = time.monotonic()
        answer = browser.get(path)
        assert time.monotonic() - began < FIRST
        assert answer.status == 200
        assert answer.sees(WORKED_OUT)
        assert answer.sees("Against whom")
        assert "<script src" in answer.text
        assert "plotly" not in answer.text
        assert "unsafe-inline" not in answer.headers["content-security-policy"]
    assert browser.get("/bots/bot0/history/claims.json").status == 503
    held.set()
    rank(browser)
    answer = browser.get("/bots/bot0")
    assert not answer.sees(WORKED_OUT)
    assert "plotly" in answer.text


def test_what_is_private_is_not_rated(browser: Browser, store: Store) -> None:
    """Those who may see its matches are told why; who has seen none is told nothing of it."""
    bots = [store.add_version(new_version(f"hidden{at}"), b"h") for at in range(2)]
    play(store, "hidden", *bots, private=True, organiser="olga")
    rank(browser)
    assert not browser.get("/bots/hidden0").sees("Rating over time")
    assert browser.get("/bots/hidden0/history/claims.json").json()["bots"] == []


def test_its_author_is_told_why_it_has_no_rating(signed_in: SignedIn, store: Store) -> None:
    """What it has played was not public."""
    bots = [store.add_version(new_version(f"hidden{at}"), b"h") for at in range(2)]
    play(store, "hidden", *bots, private=True, organiser="olga")
    ana = signed_in("ana")
    rank(ana)
    assert ana.get("/bots/hidden0").sees("It has no rating yet")


def handed_in(store: Store, name: str) -> dict[str, str]:
    """Submissions of ana's bot: a version, one that was rejected, another version, by id."""
    ids = {}
    for what in ("v1", "rejected", "v2"):
        new = new_version(name, digest=what.ljust(64, "0"))
        received = store.submissions.receive(NewSubmission(name, "ana", new.digest), what.encode())
        ids[what] = received.id
        if what == "rejected":
            store.submissions.reject(received.id, f"no: {NASTY}", log=b"printed")
        else:
            store.submissions.ready(received.id, new, {}, log=b"built")
    return ids


@pytest.mark.parametrize("who", ["ana", "root"])
def test_its_author_and_admins_find_the_reports_of_a_bot(
    signed_in: SignedIn, store: Store, who: str
) -> None:
    """All on its page, of a version those that became it; with their logs."""
    ids = handed_in(store, "newbie")
    reader = signed_in(who)
    assert reports(reader.get("/bots/newbie").text) == [ids["v2"], ids["rejected"], ids["v1"]]
    assert reports(reader.get("/bots/newbie/1").text) == [ids["v1"]]
    for what, id_ in ids.items():
        assert f'href="{submission(id_, "log")}"' in reader.get("/bots/newbie").text
        assert reader.get(submission(id_)).status == 200, what


def test_what_became_no_version_is_found_beside_an_only_one(
    signed_in: SignedIn, store: Store
) -> None:
    """Its page is that of the bot."""
    store.add_version(new_version("only"), b"1")
    received = store.submissions.receive(NewSubmission("only", "ana", "2" * 64), b"2")
    for path in ("/bots/only", "/bots/only/1"):
        assert reports(signed_in("ana").get(path).text) == [received.id]


@pytest.mark.parametrize("who", [None, "bob", "olga"])
def test_nobody_else_sees_them(
    signed_in: SignedIn, browser: Browser, store: Store, who: str | None
) -> None:
    """Nor that there are any."""
    handed_in(store, "newbie")
    reader = browser if who is None else signed_in(who)
    for path in ("/bots/newbie", "/bots/newbie/1"):
        answer = reader.get(path)
        assert answer.status == 200
        assert reports(answer.text) == []
        assert not answer.sees("Building and qualifying")
        assert not answer.sees("Rejected")


def reports(text: str) -> list[str]:
    """The submissions to which a page links, in order."""
    return re.findall(r'href="/submissions/(\w+)"', text)


def test_names_and_reasons_that_bite_are_only_words(signed_in: SignedIn, store: Store) -> None:
    """On the page, in the addresses of its charts, and in their files."""
    handed_in(store, NASTY)
    bots = [store.find_version(NASTY), store.add_version(new_version("other"), b"o")]
    play(store, "cup", *bots)
    ana = signed_in("ana")
    rank(ana)
    for path in (bot(NASTY), bot(NASTY, 2)):
        answer = ana.get(path)
        assert answer.status == 200
        assert "<script>alert" not in answer.text
        assert escape(NASTY).replace("&quot;", "&#34;").replace("&#x27;", "&#39;") in answer.text
        (chart,) = re.findall(r'data-history="([^"]+)"', answer.text)
        told = ana.get(chart.replace("&amp;", "&"))
        assert told.json()["bots"][0]["bot"] == NASTY
        assert "\n" not in told.headers["content-disposition"]
    assert ana.get(bot(NASTY)).sees(f"no: {NASTY}")


def test_a_bot_that_has_not_played_has_no_rating_and_no_chart(
    browser: Browser, store: Store
) -> None:
    """Once it is known that there is none."""
    play_cup(store)
    store.add_version(new_version("idle"), b"i")
    make_tournament(store, "to come", game="claro")
    rank(browser)
    answer = browser.get("/bots/idle")
    assert not answer.sees("Rating over time")
    assert "plotly" not in answer.text


def test_the_times_of_its_own_moves_are_counted(browser: Browser, store: Store) -> None:
    """Those of others at the table are not, nor is what is no decision."""
    cup = make_tournament(store, size=3, blocks=1)
    for match in store.matches(cup.id):
        own = match.seating.index(0)
        lines = [
            {"type": "turn", "seat": seat, "measured": {"charged_ms": 2 if seat == own else 20}}
            for seat in (0, 1, 2, 2, 1, 0)
        ]
        other = {"type": "ready", "seat": own, "measured": {"charged_ms": 2}}
        packed = replay.pack([*lines, other, {"type": "turn", "seat": own, "measured": {}}])
        store.record_result(cup.id, new_result(match), packed)
    told = browser.get("/bots/bot0/career.json").json()["move_times"]
    assert told["replays"] == 3
    assert dict(zip(told["upper_ms"], told["counts"], strict=False))[3] == sum(told["counts"]) == 6
