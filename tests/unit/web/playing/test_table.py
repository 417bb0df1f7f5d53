"""A person's table: who may sit there, what is told, in which order, and what is answered."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from starlette.requests import Request

from arena.app.conducting.hub import Hub
from arena.app.conducting.inviting import Wish
from arena.app.conducting.people import LiveTable
from arena.match.replay import Line
from arena.match.spectating import seen_by
from arena.players.choices import READY, Choices, Kind
from arena.store import Store
from arena.tournament.broadcast import Cut
from arena.tournament.chair import Asked
from arena.web import stopping, streams
from arena.web.failures import Refused
from arena.web.playing import table as pages
from arena.web.visits import Visit, Visitor
from tests.golden.playthroughs import cases
from tests.unit.web.asking import Answer, Browser
from tests.unit.web.playing.house import House, ask, tell
from tests.unit.web.viewer.playing import whole

TURN = Choices(Kind.TURN, burn=(("Ks", "Kh"), ("3c",)), draw=("deck",))
LINES = whole(next(cases("claims", 3)))
Say = Callable[..., Answer]
NOBODYS = Request({"type": "http"})


@pytest.fixture
def table(house: House) -> LiveTable:
    """Ana's, at which she has seat 1."""
    return house.seat(Wish("claims", ("sample/greedy", "mine:2"), {"max_rounds": 9}, 1), "ana")


@pytest.fixture
def say(ana: Browser, table: LiveTable) -> Say:
    """Sends an answer as the page's script does."""

    def sent(number: object, action: object, **headers: str) -> Answer:
        form = {"number": str(number), "action": json.dumps(action)}
        at = f"/play/{table.match.id}"
        return ana.send(at, f"{at}/answer", form, accept="application/json", **headers)

    return sent


def address(table: LiveTable, what: str = "") -> str:
    """Where a table is."""
    return f"/play/{table.match.id}{what}"


def told(answer: Answer) -> list[tuple[str, Any]]:
    """What a stream told: events by name."""
    found = re.findall(r"event: (\w+)\r?\ndata: (.*?)\r?\n", answer.text)
    return [(name, json.loads(data)) for name, data in found]


# --- the page


def test_the_page_has_a_seat_and_all_it_needs(ana: Browser, table: LiveTable) -> None:
    """Where to hear and to answer, the others clockwise from the left, and no script within."""
    answer = ana.get(address(table))
    assert answer.status == 200
    assert answer.sees("Claims: you against greedy, mine")
    assert f'data-events="{address(table)}/events"' in answer.text
    assert f'data-answer="{address(table)}/answer"' in answer.text
    assert len(re.findall("<h1", answer.text)) == 1
    assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", answer.text)
    assert "unsafe-inline" not in answer.headers["content-security-policy"]
    assert answer.sees("Playing needs scripts: allow them for this page.")


def test_a_match_like_it_can_be_asked_for(ana: Browser, table: LiveTable, house: House) -> None:
    """Against the same bots in the same order, with the same options; the seat is drawn anew."""
    text = ana.get(address(table)).text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))
    assert form.pop("word")
    assert form == {
        "game": "claims",
        "opponent1": "sample/greedy",
        "opponent2": "mine:2",
        "max_rounds": "9",
    }
    house.end(table)
    ana.send("/play", "/play", form)
    (wish,) = house.wishes
    assert wish == Wish("claims", ("sample/greedy", "mine:2"), {"max_rounds": 9}, None)


def test_another_language_is_kept(ana: Browser, house: House) -> None:
    """On the page, in its events, after leaving, and when it is played again."""
    table = house.seat(Wish("claim", ("sample/greedy",)), "ana")
    text = ana.get(address(table, "?lang=ro")).text
    assert '<html lang="ro">' in text
    assert f'data-events="{address(table)}/events?lang=ro"' in text
    assert f'action="{address(table)}/leave?lang=ro"' in text
    assert '<form method="post" action="/play?lang=ro"' in text
    assert f'href="{address(table)}"' in text
    assert f'href="{address(table)}?lang=ro"' in ana.get(address(table)).text


@pytest.mark.parametrize("what", ["", "/events", "/replay", "/replay/steps.json", "/replay/file"])
def test_a_table_is_for_its_person_alone(
    table: LiveTable, signed_in: Callable[[str], Browser], browser: Browser, what: str
) -> None:
    """Others, admins too, find nothing there while it is played; a visitor signs in first."""
    for name in ("bob", "root"):
        assert signed_in(name).get(address(table, what)).status == 404
    assert browser.get(address(table, what)).to.startswith("/sign-in")
    assert signed_in("bob").get("/play/nothing" + what).status == 404


@pytest.mark.parametrize("what", ["/answer", "/leave"])
def test_nobody_answers_for_another(
    table: LiveTable, signed_in: Callable[[str], Browser], house: House, what: str
) -> None:
    """Nor leaves."""
    bob = signed_in("bob")
    answer = bob.send("/play", address(table, what), {"number": "1", "action": "{}"})
    assert answer.status == 404
    assert house.said == []


def test_once_it_is_over_one_goes_on_to_what_there_is(ana: Browser, house: House) -> None:
    """The replay, or the list of matches where there is none."""
    over = house.end(house.seat(Wish("claims", ("sample/greedy",)), "ana"))
    assert ana.get(f"/play/{over.id}").to == f"/play/{over.id}/replay"
    cut = house.seat(Wish("claims", ("sample/greedy",)), "ana")
    house.interrupt(cut, "The sky fell.")
    assert ana.get(address(cut)).to == "/play?game=claims"


def test_who_played_in_romanian_goes_on_in_romanian(ana: Browser, house: House) -> None:
    """To the replay, to the list where there is none, and from the list."""
    over = house.end(house.seat(Wish("claim", ("sample/greedy",)), "ana"))
    replay = f"/play/{over.id}/replay?lang=ro"
    (event,) = told(ana.get(f"/play/{over.id}/events?lang=ro"))
    assert event == ("over", {"replay": replay, "why": ""})
    assert ana.get(f"/play/{over.id}?lang=ro").to == replay
    cut = house.seat(Wish("claim", ("sample/greedy",)), "ana")
    house.interrupt(cut, "The sky fell.")
    assert ana.get(address(cut, "?lang=ro")).to == "/play?game=claim&lang=ro"
    english = house.end(house.seat(Wish("claims", ("sample/greedy",)), "ana"))
    listed = ana.get("/play?game=claim&lang=ro").text
    assert f'href="{replay}"' in listed
    assert f'href="/play/{english.id}/replay"' in listed


# --- what is answered


def test_an_answer_goes_to_whoever_asks(say: Say, table: LiveTable, house: House) -> None:
    """With its number, as it was said; nothing of it stands in the audit log."""
    asyncio.run(ask(table, 7, TURN))
    answer = say(7, {"burn": ["Kh", "Ks"], "draw": "deck"})
    assert (answer.status, answer.json()) == (200, {})
    (said,) = house.said
    assert said is not None
    assert (said.number, said.said) == (7, {"burn": ["Kh", "Ks"], "draw": "deck"})


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ((6, {"burn": ["Ks"], "draw": "deck"}), (409, "this isn't asked any more")),
        ((7, {"burn": ["Ks", "3c"], "draw": "deck"}), (409, "cards of different ranks")),
        ((7, {"burn": ["Ks"], "draw": "pile"}), (409, "no card can be drawn from there")),
        ((7, {"burn": ["Ks"], "draw": ["deck"]}), (409, "no card can be drawn from there")),
        ((7, {"claim": True}), (409, "no claim is open")),
        ((7, {"ready": True}), (409, "this is no answer")),
        ((7, {"burn": ["Ks"], "draw": "deck", "x": "\ud800"}), (409, "this is no answer")),
        ((7, []), (400, "This is no answer.")),
        ((7, "x" * 5000), (400, "This is no answer.")),
        (("x", {"ready": True}), (400, "An answer has the number of its question.")),
        (("9" * 30, {"ready": True}), (400, "An answer has the number of its question.")),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(
    say: Say,
    table: LiveTable,
    house: House,
    sent: tuple[object, object],
    refused: tuple[int, str],
) -> None:
    """And the question stays open."""
    asyncio.run(ask(table, 7, TURN))
    answer = say(*sent)
    status, sentence = refused
    assert answer.status == status
    assert sentence in answer.json()["sentence"]
    assert house.said == []
    assert table.question is not None


@pytest.mark.parametrize("action", ["", "{", "[" * 1000, "{" * 1000, "1" * 1000, "null"])
def test_what_is_no_json_is_no_answer(ana: Browser, table: LiveTable, action: str) -> None:
    """However deep it goes."""
    form = {"number": "1", "action": action}
    answer = ana.send(address(table), address(table, "/answer"), form, accept="application/json")
    assert (answer.status, answer.json()) == (400, {"sentence": "This is no answer."})


def test_a_script_is_refused_in_json_whatever_the_reason(
    ana: Browser, table: LiveTable, browser: Browser
) -> None:
    """A form that is not this reader's, nobody signed in, a match that has ended."""
    at = address(table, "/answer")
    json_wanted = {"accept": "application/json"}
    foreign = ana.post(at, {"word": "0" * 64, "number": "1", "action": "{}"}, **json_wanted)
    assert (foreign.status, "load its page again" in foreign.json()["sentence"]) == (403, True)
    visitor = browser.post(at, {"number": "1", "action": "{}"}, **json_wanted)
    assert (visitor.status, "sign in" in visitor.json()["sentence"]) == (401, True)
    gone = ana.send("/play", "/play/nothing/answer", {"number": "1", "action": "{}"}, **json_wanted)
    assert gone.json() == {"sentence": "This match is not being played any more."}


def test_who_is_not_signed_in_any_more_is_refused_also_by_what_goes_on(
    table: LiveTable, browser: Browser
) -> None:
    """And not led to a page, which no script that listens would read."""
    answer = browser.get(address(table, "/events"), accept="text/event-stream")
    assert (answer.status, "sign in" in answer.json()["sentence"]) == (401, True)


def test_a_question_is_answered_once(say: Say, table: LiveTable, house: House) -> None:
    """From another window it is over."""
    asyncio.run(ask(table, 1, READY))
    assert say(1, {"ready": True}).status == 200
    assert say(1, {"ready": True}).status == 409
    assert len(house.said) == 1


def test_who_leaves_is_told_so(ana: Browser, table: LiveTable, house: House, store: Store) -> None:
    """And it stands in the audit log; answers do not."""
    answer = ana.send(address(table), address(table, "/leave"))
    assert answer.to == "/play?game=claims&said=left"
    assert ana.get(answer.to).sees("You have left the match.")
    assert house.said == [None]
    assert table.chair.left
    assert ana.get(address(table)).to == "/play?game=claims"
    newest = store.audit.entries(most=1)[0]
    assert (newest.method, newest.target, newest.author) == (
        "Pages/LeaveTable",
        table.match.id,
        "ana",
    )


# --- what is told


async def whatever(sent: list[Any]) -> AsyncGenerator[Any, None]:
    """Things one after the other, with a breath between."""
    for each in sent:
        await asyncio.sleep(0)
        yield each


async def test_a_question_comes_after_the_lines_before_it() -> None:
    """However late they are read; the last line ends it."""
    lines = [{"number": at} for at in range(20)]
    asked = Asked(1, READY, 60.0, 60.0)
    heard = [each async for each in pages.in_order(whatever(lines), whatever([None, asked]))]
    assert [each for each in heard if isinstance(each, dict)] == lines
    assert asked not in heard[: len(lines)]


async def test_questions_come_though_no_line_does() -> None:
    """Between two moves somebody is asked, and asked no more."""
    asked = Asked(1, READY, 60.0, 60.0)

    async def slowly() -> AsyncGenerator[Line, None]:
        yield {"number": 0}
        await asyncio.sleep(0.3)
        yield {"number": 1}

    heard = [each async for each in pages.in_order(slowly(), whatever([None, asked, None]))]
    assert heard == [{"number": 0}, None, asked, None, {"number": 1}]


async def test_what_comes_beside_is_heard_between_and_ends_nothing() -> None:
    """Whether it ends or never comes: the end is that of what is told."""
    heard = [each async for each in stopping.beside(whatever([1, 2, 3]), whatever(["x"]))]
    assert [each for each in heard if each != "x"] == [1, 2, 3]
    assert "x" in heard
    with Hub().feed("nothing") as feed:
        assert [each async for each in stopping.beside(whatever([1, 2]), feed)] == [1, 2]

    async def cut_off() -> AsyncGenerator[int, None]:
        yield 1
        raise Cut("too slow")

    before = asyncio.all_tasks()
    with Hub().feed("nothing") as feed, pytest.raises(Cut):
        _ = [each async for each in stopping.beside(cut_off(), feed)]
    assert asyncio.all_tasks() == before


async def test_a_table_tells_how_long_an_arena_that_is_drained_goes_on(house: House) -> None:
    """None: to the end of the match. It is published when it changes, None once it is over."""
    with house.news() as feed:
        house.drain(30)
        assert house.draining is not None
        assert house.draining.left == pytest.approx(30, abs=5)
        assert await anext(feed) is house.draining
        for bound, left in ((float("inf"), None), (-1.0, 0.0)):
            house.drain(bound)
            assert house.draining.left == left
        house.resume()
        assert await anext(feed) is None


async def test_who_goes_away_leaves_nothing_behind(table: LiveTable) -> None:
    """Nobody watches any more, no task goes on."""
    before = asyncio.all_tasks()
    tell(table, LINES[:5])
    heard = pages.shown(table, table.match, "en")
    assert (await anext(heard))[0] == "table"
    await heard.aclose()
    assert asyncio.all_tasks() == before


async def test_the_seat_sees_what_it_may(table: LiveTable) -> None:
    """Names by seat, its own cards, its questions with all that there is to choose."""
    tell(table, LINES[:4])
    await ask(table, 3, TURN, 20.0)
    heard = pages.shown(table, table.match, "en")
    kinds = [await anext(heard) for _ in range(5)]
    assert [kind for kind, _ in kinds] == ["table", "step", "step", "step", "question"]
    told_ = dict(kinds)
    assert told_["table"]["players"] == ["bot0", "ana", "bot2"]
    assert told_["table"]["seat"] == 1
    dealt = kinds[1][1]["at"]["hands"]
    assert dealt[1] == LINES[1]["hands"][1] or sorted(dealt[1]) == sorted(LINES[1]["hands"][1])
    assert dealt[0] == dealt[2] == ["?"] * 5
    question = told_["question"]
    assert question.pop("left") == pytest.approx(20, abs=5)
    assert question == {
        "number": 3,
        "kind": "turn",
        "all": 20.0,
        "burn": (("Ks", "Kh"), ("3c",)),
        "draw": ("deck",),
        "takeable": None,
        "claim": False,
        "play": (),
        "discard": (),
    }
    await heard.aclose()


def test_nothing_hidden_is_in_what_a_seat_is_told() -> None:
    """Neither others' cards nor the deck, the seed, or what a stranger measured."""
    for line in LINES:
        shown = seen_by(line, 1)
        assert shown is not None
        assert not {"seed", "deck", "measured"} & set(shown)


@pytest.mark.parametrize(
    ("bots", "named"),
    [
        (["greedy", "person", "mine"], ["greedy", "ana", "mine"]),
        (["greedy", "person", "greedy"], ["greedy 0", "ana", "greedy 2"]),
        (["person", "person", "ana"], ["person 0", "ana", "ana"]),
    ],
)
async def test_no_two_bots_are_called_alike(
    table: LiveTable, bots: list[str], named: list[str]
) -> None:
    """And the person has a name."""
    header = {**LINES[0], "seats": [{"bot": bot} for bot in bots]}
    tell(table, [header])
    heard = pages.shown(table, table.match, "en")
    assert (await anext(heard))[1]["players"] == named
    await heard.aclose()


def test_a_match_that_is_over_says_where_its_replay_is(ana: Browser, house: House) -> None:
    """Or why there is none."""
    over = house.end(house.seat(Wish("claims", ("sample/greedy",)), "ana"))
    (event,) = told(ana.get(f"/play/{over.id}/events"))
    assert event == ("over", {"replay": f"/play/{over.id}/replay", "why": ""})
    cut = house.seat(Wish("claims", ("sample/greedy",)), "ana")
    house.interrupt(cut, "The sky fell.")
    (event,) = told(ana.get(address(cut, "/events")))
    assert event == ("over", {"replay": None, "why": "The sky fell."})


def test_streams_are_counted_by_person(
    table: LiveTable, ana: Browser, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who opens too many is refused, and nobody else behind the same address."""
    monkeypatch.setattr(streams, "_MOST_EACH", 0)
    answer = ana.get(address(table, "/events"))
    assert (answer.status, answer.headers["retry-after"]) == (429, "30")
    counted = streams.Streams()
    monkeypatch.setattr(streams, "_MOST_EACH", 1)
    one, other = (Visit(NOBODYS, Visitor(name)) for name in ("ana", "bob"))
    with counted.one_more(one):
        counted.check(other)
        with pytest.raises(Refused):
            counted.check(one)
    counted.check(one)
