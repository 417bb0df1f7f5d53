"""Choosing whom to play, and finding what was played."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from arena.app.conducting.inviting import Opponent, Wish
from arena.store import Store
from arena.store.testing import make_tournament, new_result, replay_of
from arena.web import make_pages
from arena.web.playing import lobby
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience
from tests.unit.web.playing.house import SAMPLES, House

WILD = "<script>alert(1)</script>"
FORM = {"game": "claims", "opponent1": "sample/greedy", "seat": "1"}


def options(text: str, name: str) -> list[tuple[str, str]]:
    """What a list of the page gives to choose: the value and the words."""
    found = re.search(rf'<select id="{name}".*?</select>', text, re.DOTALL)
    assert found
    return [
        (value, unescape(words))
        for value, words in re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', found[0])
    ]


def chosen(text: str, name: str) -> str:
    """What is chosen in a list."""
    found = re.search(rf'<select id="{name}".*?</select>', text, re.DOTALL)
    assert found
    marked = re.search(r'<option value="([^"]*)" selected', found[0])
    return marked[1] if marked else ""


def test_whoever_is_not_signed_in_is_told_what_it_is(browser: Browser) -> None:
    """And comes back after signing in; nobody is shown to choose from."""
    answer = browser.get("/play?game=claro")
    assert answer.status == 200
    assert answer.sees("never rated")
    assert "/sign-in?then=%2Fplay%3Fgame%3Dclaro" in answer.text
    assert "<select" not in answer.text
    assert browser.post("/play", FORM).to.startswith("/sign-in")


def test_where_nothing_plays_it_says_so(store: Store, secret: Callable[[str], str]) -> None:
    """In one sentence, to whoever would play."""
    browser = Browser(make_pages(store, wrong_tokens=Patience()))
    assert browser.get("/play").status == 200
    browser.sign_in(secret("ana"))
    answer = browser.get("/play")
    assert (answer.status, answer.sees("start the arena with `arena serve`")) == (409, True)


def test_all_bots_of_a_game_can_be_chosen(ana: Browser) -> None:
    """Sample bots, own ones, and others with their author; as many lists as there are seats."""
    for game, most, least in (("claims", 6, 1), ("claim", 7, 1), ("claro", 5, 2)):
        text = ana.get(f"/play?game={game}").text
        assert len(re.findall(r'id="opponent\d"', text)) == most
        assert len(re.findall(r'id="opponent\d"[^>]* required', text)) == least
        given = dict(options(text, "opponent1"))
        assert given == {
            "sample/greedy": "greedy",
            "sample/random": "random",
            "mine:2": "mine v2",
            "bot0:1": "bot0 v1, bob",
        }


def test_ranks_stand_beside_names_and_the_best_come_first(
    ana: Browser, store: Store, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the public ranking has them."""
    monkeypatch.setattr(lobby, "_PATIENCE", 60.0)
    cup = make_tournament(store, "cup", blocks=4)
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    house.known = tuple(Opponent(f"bot{at}:1", f"bot{at}", "1", author="bob") for at in (7, 0, 1))
    words = [text for _, text in options(ana.get("/play").text, "opponent1")]
    assert [text[:3] for text in words] == ["1. ", "2. ", "bot"]
    assert words[-1] == "bot7 v1, bob"
    # Of thousands that are ranked, only these are read.
    assert house.asked_for == [{"bot0", "bot1"}]


def test_names_of_bots_are_only_words(ana: Browser, house: House) -> None:
    """In the lists and in what was played."""
    house.known = (*SAMPLES, Opponent("wild:1", WILD, "1", author=WILD))
    house.end(house.seat(Wish("claims", (f"{WILD}:1",)), "ana"))
    answer = ana.get("/play")
    assert WILD not in answer.text
    assert answer.sees(f"{WILD} v1, {WILD}")


def test_without_bots_nobody_can_sit_down(ana: Browser, house: House) -> None:
    """The page says so and has no form."""
    house.known = ()
    answer = ana.get("/play")
    assert answer.sees("There is no bot to play against yet.")
    assert 'action="/play"' not in answer.text


@pytest.mark.parametrize(
    ("form", "wish"),
    [
        (FORM, Wish("claims", ("sample/greedy",), {}, 1)),
        (FORM | {"seat": ""}, Wish("claims", ("sample/greedy",), {}, None)),
        (
            FORM | {"opponent3": "mine:2", "target": "150", "max_rounds": "2"},
            Wish("claims", ("sample/greedy", "mine:2"), {"target": 150, "max_rounds": 2}, 1),
        ),
        (
            FORM | {"game": "claim", "target": "80", "claim_laps": "0", "opponent7": "bot0:1"},
            Wish("claim", ("sample/greedy", "bot0:1"), {"target": 80, "claim_laps": 0}, 1),
        ),
        (
            FORM | {"game": "claro", "opponent2": "bot0:1", "target": "80"},
            Wish("claro", ("sample/greedy", "bot0:1"), {}, 1),
        ),
    ],
)
def test_what_is_filled_in_is_played(
    ana: Browser, house: House, form: dict[str, str], wish: Wish
) -> None:
    """Empty lists are nobody; and the person goes on to the table."""
    answer = ana.send("/play", "/play", form)
    (wished,) = house.wishes
    assert wished == wish
    table = house.at_table("ana")
    assert table is not None
    assert (answer.status, answer.to) == (303, f"/play/{table.match.id}")


def test_the_language_goes_along_to_the_table(ana: Browser) -> None:
    """Romanian, for Claim!."""
    answer = ana.send("/play?game=claim&lang=ro", "/play?lang=ro", FORM | {"game": "claim"})
    assert answer.to.endswith("?lang=ro")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"opponent1": "", "opponent2": ""}, "Claims is played by 2 to 7"),
        ({"opponent1": "nobody:9"}, "is no bot that you can play against"),
        ({"seat": "3"}, "there is no seat 3"),
        ({"seat": "x"}, "seat is a whole number"),
        ({"target": "200"}, "must be 300 (Classic) or 150 (Short)"),
        ({"max_rounds": "0"}, "max_rounds is 0"),
        ({"max_rounds": "9" * 12}, "must be a whole number from 1 to 10000"),
        ({"max_rounds": "9" * 5000}, "max rounds is a whole number"),
        ({"max_rounds": "1.5"}, "max rounds is a whole number"),
        ({"seat": "-1"}, "there is no seat -1: they are 0 to 2"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_beside_the_form(
    ana: Browser, house: House, changes: dict[str, str], sentence: str
) -> None:
    """In one line, and what was filled in is still there."""
    answer = ana.send("/play", "/play", FORM | {"opponent2": "mine:2"} | changes)
    assert answer.status == 400
    assert answer.sees(sentence)
    assert 'role="alert"' in answer.text
    if "opponent1" not in changes:
        assert chosen(answer.text, "opponent1") == "sample/greedy"
        assert chosen(answer.text, "opponent2") == "mine:2"
    assert house.wishes == []


@pytest.mark.parametrize("game", ["claims", "claim"])
def test_the_form_has_the_bounds_that_a_refusal_names(
    ana: Browser, house: House, game: str
) -> None:
    """What it lets through can be played; one more or less is refused in the same numbers."""
    text = ana.get(f"/play?game={game}").text
    fields = re.findall(r'name="(\w+)" type="number"[^>]* min="(\d+)" max="(\d+)"', text)
    assert "max_rounds" in {name for name, _, _ in fields}
    for name, least, most in fields:
        hint = re.search(rf'id="{name}-hint">([^<]*)<', text)
        assert hint
        assert {least, most} <= set(re.findall(r"\d+", hint[1]))
        for value in (int(least) - 1, int(most) + 1):
            refused = ana.send("/play", "/play", FORM | {"game": game, name: str(value)})
            assert refused.status == 400
            assert refused.sees(f"must be a whole number from {least} to {most}")
        for value in (int(least), int(most)):
            assert ana.send("/play", "/play", FORM | {"game": game, name: str(value)}).status == 303
            table = house.at_table("ana")
            assert table is not None
            assert table.match.options == {name: value}
            house.end(table)


def test_a_game_that_is_none_is_not_there(ana: Browser) -> None:
    """Neither as an address nor in a form."""
    assert ana.get("/play?game=poker").status == 404
    assert ana.send("/play", "/play", FORM | {"game": "poker"}).status == 404


def test_who_plays_already_is_led_back(ana: Browser, house: House) -> None:
    """And can't sit down a second time; once gone from the table nobody is led there."""
    table = house.seat(Wish("claims", ("sample/greedy",)), "ana")
    answer = ana.get("/play")
    assert answer.sees("You are playing a match of Claims.")
    assert f'href="/play/{table.match.id}"' in answer.text
    again = ana.send("/play", "/play", FORM)
    assert (again.status, again.sees("you are playing a match already")) == (409, True)
    table.leave()
    assert not ana.get("/play").sees("You are playing a match")


def test_what_was_played_is_listed(ana: Browser, house: House) -> None:
    """The best seat first, with its points; what was cut off says why."""
    match = house.end(house.seat(Wish("claims", ("sample/greedy", "mine:2"), {}, 1), "ana"))
    house.interrupt(house.seat(Wish("claro", ("sample/greedy",) * 2), "ana"), "The sky fell.")
    house.end(house.seat(Wish("claims", ("sample/greedy",)), "bob"))
    answer = ana.get("/play")
    assert answer.text.count('<tr><th scope="row">') == 2
    assert answer.sees("1. mine 0 2. you 1 3. greedy 2")
    assert answer.sees("Interrupted : The sky fell.") or answer.sees("Interrupted: The sky fell.")
    assert f'href="/play/{match.id}/replay"' in answer.text


def test_many_matches_are_on_many_pages(ana: Browser, house: House) -> None:
    """The newest first; a page begins behind the match that ends the one before."""
    ids = [house.end(house.seat(Wish("claims", ("sample/greedy",)), "ana")).id for _ in range(25)]
    seen: list[str] = []
    path = "/play?game=claims"
    while path:
        text = ana.get(path).text
        seen += re.findall(r'href="/play/([0-9a-f]{16})/replay"', text)
        older = re.search(r'rel="next" href="([^"]+)"', text)
        path = unescape(older[1]) if older else ""
    assert seen == ids[::-1]
    assert ana.get("/play?before=nothing").status == 404


def test_other_languages_are_spoken_where_the_game_is(ana: Browser) -> None:
    """All of the page, but for what strangers have named."""
    romanian = ana.get("/play?game=claim&lang=ro")
    assert '<html lang="ro">' in romanian.text
    assert romanian.sees("Joacă împotriva boților")
    assert '<html lang="en">' in ana.get("/play?game=claims&lang=ro").text
