"""Whoever plays in Romanian is refused in Romanian, whatever for, and told so what went wrong."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from arena.app import troubles
from arena.app.conducting import inviting, people
from arena.app.errors import ArenaError
from arena.players import choices
from arena.sandbox.errors import SandboxError
from arena.store import StoreError
from arena.store import people as stored
from arena.tournament import chair
from arena.web import door, failing, failures, streams
from arena.web.playing import lobby, replays, table, wishes
from arena.web.sentences import _ROMANIAN, told
from arenabot.options import ClaimOptions, OptionError
from tests.unit.web.asking import Browser
from tests.unit.web.playing.house import House

SPEAKING = (
    inviting,
    people,
    choices,
    stored,
    chair,
    door,
    failing,
    failures,
    streams,
    lobby,
    replays,
    table,
    wishes,
)
"""The rooms whose refusals come to a person at the table or on the way there."""

WORDY = re.compile(r"\w+ \w+")
"""What is no sentence is a name: of a header, a field, a page."""


def texts(module: ModuleType) -> Iterator[str]:
    """What a module raises, or keeps under a name to be raised, with something in each hole."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        raised = isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        if raised and re.match(r"[A-Z]", ast.unparse(node.func).rpartition(".")[2]):  # type: ignore[attr-defined]
            yield from (text for given in node.args for text in said(given))  # type: ignore[attr-defined]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.Constant | ast.JoinedStr
        ):
            yield from said(node.value)


def said(node: ast.expr) -> Iterator[str]:
    """The text that an expression is, if it is one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.replace("{}", "x7")
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "x7" for part in node.values)
        yield "".join(map(str, parts))


@pytest.mark.parametrize("module", SPEAKING, ids=lambda module: module.__name__)
def test_every_refusal_is_spoken(module: ModuleType) -> None:
    """Of every room that can refuse a person something: also one that is added some day."""
    sentences = {text for text in texts(module) if WORDY.search(text)}
    assert sentences
    assert {text for text in sentences if told("ro", text) == text} == set()


def test_whatever_keeps_the_arena_from_going_on_is_spoken() -> None:
    """As everybody may know it: an engine, a disk, a defect."""
    public = [words for _, words in troubles._WORDS]
    public += [troubles.in_public(error) for error in (ValueError("x"), SandboxError("x"))]
    assert len(set(public)) > 5
    assert [text for text in public if told("ro", text) == text] == []
    with_cause = ArenaError("in the operator's words")
    with_cause.__cause__ = SandboxError("at /a/path")
    assert "motorul de containere" in told("ro", troubles.in_public(with_cause))
    assert "baza de date" in told("ro", troubles.in_public(StoreError("at /a/path")))


@pytest.mark.parametrize("wrong", [{"target": 7}, {"claim_laps": 99}, {"max_rounds": 0}])
def test_an_option_out_of_bounds_is_told_with_its_bounds(wrong: dict[str, int]) -> None:
    """And called in Romanian, too."""
    with pytest.raises(OptionError) as refused:
        ClaimOptions(**wrong)
    ((name, value),) = wrong.items()
    spoken = told("ro", str(refused.value))
    assert f" e {value}, dar trebuie să fie un număr întreg de la " in spoken
    assert name not in spoken


def test_what_is_filled_in_stays_and_what_nobody_knows_too() -> None:
    """Braces in a name are no holes, and English is left alone."""
    assert told("ro", "'{0} {x}' is no bot that you can play against").startswith("'{0} {x}' nu e")
    assert told("ro", "{0} {x}") == "{0} {x}"
    assert told("en", "the time was over") == "the time was over"
    for english, romanian in _ROMANIAN.items():
        assert romanian.count("{}") <= english.count("{}"), english


def test_pages_that_refuse_speak_the_language_of_the_page_before(ana: Browser) -> None:
    """The lobby's form, a page that isn't there, and a script's answer."""
    form = {"game": "claim", "opponent1": "sample/greedy", "target": "7"}
    answer = ana.send("/play?game=claim&lang=ro", "/play?lang=ro", form)
    assert answer.status == 400
    assert answer.sees("pragul e 7, dar trebuie să fie un număr întreg de la 50 la 1000")
    assert 'action="/play?lang=ro"' in answer.text
    nowhere = ana.get("/play/nothing?lang=ro")
    assert nowhere.status == 404
    assert nowhere.sees("Nu există această pagină")
    assert '<html lang="ro">' in nowhere.text
    assert '<html lang="en">' in ana.get("/play/nothing").text


def test_a_refused_answer_is_refused_in_the_language_of_the_table(
    ana: Browser, house: House
) -> None:
    """Whose page asks with it."""
    wish = inviting.Wish("claim", ("sample/greedy",), seat=0)
    table = house.seat(wish, "ana")
    page = f"/play/{table.match.id}?lang=ro"
    assert f'data-answer="/play/{table.match.id}/answer?lang=ro"' in ana.get(page).text
    form = {"number": "1", "action": '{"ready":true}'}
    answer = ana.send(page, f"/play/{table.match.id}/answer?lang=ro", form)
    assert answer.sees("asta nu se mai întreabă")
