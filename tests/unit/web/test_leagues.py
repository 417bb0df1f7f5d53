"""Pages of leagues: which there are, their rankings, their tournaments, and who may begin one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.store import Store
from arena.store.testing import make_tournament, new_result, new_version, replay_of
from arena.web.addresses import league
from tests.unit.web.asking import Browser

NAME = "winter / 2027"
AT = league(NAME)


@pytest.fixture
def winter(store: Store) -> None:
    """A league of two tournaments that were played, beside one that is none of it."""
    for name, of, size in (("one", NAME, 2), ("two", NAME, 2), ("alone", None, 3)):
        cup = make_tournament(store, name, size=size, blocks=8, league=of, organiser="olga")
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))


@pytest.mark.usefixtures("winter")
def test_a_league_has_a_ranking_over_its_own_tournaments(browser: Browser) -> None:
    """Filtered, sorted, taken along, head to head and with a history like a game's."""
    assert browser.get("/leagues").sees(NAME)
    shown = browser.get(AT)
    assert shown.sees("bot0 v1")
    assert not shown.sees("bot2 v1")
    rows = browser.get(f"{AT}/ranking.json").json()["ranked"]
    assert [row["matches"] for row in rows] == [32, 32]
    assert "trend" in rows[0]
    assert not browser.get(f"{AT}?q=bot1&sort=faults").sees("bot0 v1")
    only = browser.get(f"{AT}/ranking.json?q=BOT1").json()["ranked"]
    assert [row["bot"] for row in only] == ["bot1"]
    (duel,) = browser.get(f"{AT}/head-to-head.json").json()["head_to_head"]
    assert duel["met"] == 32
    assert browser.get(f"{AT}/head-to-head").sees("The same in figures")
    assert browser.get(f"{AT}/history.json").json()["matches"][-1] == 32
    assert browser.get(f"{AT}/history").sees("after so many matches")


@pytest.mark.usefixtures("winter")
def test_its_tournaments_are_listed_and_lead_to_it(browser: Browser) -> None:
    """The newest first; as a file in the order in which they count."""
    shown = browser.get(f"{AT}/tournaments")
    assert shown.text.index(">two<") < shown.text.index(">one<")
    assert not shown.sees("alone")
    told = browser.get(f"{AT}/tournaments.json").json()["tournaments"]
    assert [(one["name"], one["league"]) for one in told] == [("one", NAME), ("two", NAME)]
    lines = browser.get(f"{AT}/tournaments.csv").text.splitlines()
    assert [line.split(",")[:4] for line in lines[1:]] == [
        ["one", "finished", "16", "16"],
        ["two", "finished", "16", "16"],
    ]
    assert f'href="{AT}"' in browser.get("/tournaments/one").text
    assert "league" not in browser.get("/tournaments/alone").text.lower()
    (row,) = browser.get("/leagues.json").json()["leagues"]
    assert (row["league"], row["game"], row["tournaments"]) == (NAME, "claims", 2)
    assert browser.get("/leagues.csv").text.splitlines()[1].startswith(f"{NAME},claims,olga,")


def test_rankings_and_tournaments_lead_to_leagues(browser: Browser) -> None:
    """And there the header says that one is among the rankings."""
    for path in ("/rankings", "/tournaments"):
        assert 'href="/leagues"' in browser.get(path).text
    here = browser.get("/leagues").text
    assert '<a href="/rankings" aria-current="true">Rankings</a>' in here
    assert '<a href="/leagues" aria-current="page">Leagues</a>' in here


def test_without_leagues_a_page_says_how_one_begins(browser: Browser) -> None:
    """And one that isn't there is nowhere."""
    assert browser.get("/leagues").sees("There is no league yet")
    for what in ("", "/history", "/tournaments", "/ranking.csv", "/tournaments.csv"):
        assert browser.get(f"{AT}{what}").status == 404
    assert browser.get("/leagues.exe").status == 404


def test_an_organiser_begins_a_league_and_another_may_not_use_it(
    signed_in: Callable[[str], Browser], store: Store
) -> None:
    """Nor may a private tournament; what was filled in stays. An admin may use any."""
    store.add_version(new_version("bot0"), b"")
    form = {"game": "claims", "league": NAME}
    page = "/new-tournament"
    assert signed_in("olga").send(page, page, {**form, "name": "one"}).status == 303
    assert store.tournament("one").league == NAME
    refused = signed_in("otto").send(page, page, {**form, "name": "two"})
    assert refused.status == 409
    assert refused.sees("another organiser's: name another league")
    assert f'value="{NAME}"' in refused.text
    for changed in ({"private": "yes"}, {"game": "claro"}):
        told = signed_in("olga").send(page, page, {**form, **changed, "name": "two"})
        assert told.status == 400
        assert told.sees("league")
    assert signed_in("root").send(page, page, {**form, "name": "two"}).status == 303
    assert [one.name for one in store.tournaments(league=NAME)] == ["one", "two"]
    assert signed_in("olga").send(page, page, {"game": "claims", "name": "x"}).status == 303
    assert store.tournament("x").league is None
