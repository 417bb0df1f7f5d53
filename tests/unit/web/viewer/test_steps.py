"""A match as steps: named, told in words, and with what the script needs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.match.replay import Line
from arena.match.spectating import public
from arena.web.viewer import picture
from arena.web.viewer.marks import card_text, marker
from arena.web.viewer.steps import LASTING, as_json, steps
from arena.web.viewer.words import ENGLISH, ROMANIAN, words
from tests.golden.playthroughs import cases
from tests.unit.web.viewer.playing import TABLES, whole

HEADER: Line = {
    "type": "header",
    "game": "claims",
    "options": {},
    "seats": [{"bot": "<i>ana</i>"}, {"bot": "bob"}],
    "timers": {},
}
ROUND: Line = {
    "type": "round",
    "round": 1,
    "starter": 0,
    "zero": "7s",
    "hands": [["Ks", "Kh", "9s", "4s", "As"], ["Qs", "Js", "7h", "7d", "2s"]],
    "deck": ["3c", "Td"],
}


def _turn(seat: int, turn: int, action: Line, drawn: str | None, **more: Any) -> Line:
    told = {"type": "turn", "round": 1, "turn": turn, "seat": seat, "action": action}
    return {**told, "drawn": drawn, "default": False, "fault": None, **more}


def _burn(seat: int, turn: int, cards: str, drawn: str, **more: Any) -> Line:
    draw = more.pop("draw", "deck")
    return _turn(seat, turn, {"burn": cards.split(), "draw": draw}, drawn, **more)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_step_has_a_name_of_its_own_and_is_told(game: str, seats: int) -> None:
    """In every language that the game is told in, whoever looks."""
    for case in list(cases(game, seats))[:6]:
        lines = whole(case)
        seen = [shown for line in lines if (shown := public(line)) is not None]
        for language in ("en", "ro"):
            made = list(steps(lines, language))
            assert len({step.id for step in made}) == len(made) == len(lines) - 1
            assert all(step.told.all for step in made)
            assert [step.id for step in steps(seen, language)] == [step.id for step in made]


def test_turns_are_named_as_links_name_them() -> None:
    """A round r1, its third turn r1t3, its end r1end, the result end."""
    names = [step.id for step in steps(whole(next(cases("claims", 3))))]
    assert names[:2] == ["r1", "r1t1"]
    assert "r1end" in names
    assert names[-1] == "end"
    assert all(re.fullmatch(r"r\d+(t\d+|k\d+|end)?|end", name) for name in names)


def test_what_a_seat_draws_blind_is_told_to_that_seat_alone() -> None:
    """Others hear that it drew; a card from the pile is everybody's to hear."""
    lines = [HEADER, ROUND, _burn(0, 1, "Ks Kh", "3c"), _burn(1, 2, "Qs", "Kh", draw="pile")]
    _, blind, taken = steps(lines)
    assert blind.told.all == "burns {Ks} {Kh}, draws {3c} from the deck"
    assert blind.told.veiled == "burns {Ks} {Kh}, draws a card from the deck"
    assert taken.told.all == "burns {Qs}, takes {Kh} from the pile"
    assert taken.told.veiled is None


def test_a_claim_is_told_with_its_cost_and_against_whom_it_held() -> None:
    """Before the hands lie open only the claimer knows the cost."""
    end = {
        "type": "round_end",
        "round": 1,
        "reason": "claim",
        "claimer": 1,
        "success": True,
        "hands": [["Ks", "As"], ["7h", "2s"]],
        "points": [15, 0],
        "totals": [15, 0],
    }
    _, claim, over = steps([HEADER, ROUND, _turn(1, 4, {"claim": True}, None), end])
    assert claim.kind == "claim"
    assert claim.told == ("claims with a hand of 27", "claims")
    assert over.told.all == ("The claim of {@1} holds: 2 against 15. {@0} adds 15, {@1} adds 0")
    assert over.shows["end"]["costs"] == [15, 2]


def test_a_seat_that_is_out_begins_its_fault_once() -> None:
    """Each of its turns shows why, but only the first is one to jump to."""
    late: Line = {"default": True, "fault": "TIMEOUT"}
    gone: Line = {"default": True, "fault": "CRASHED"}
    lines = [
        HEADER,
        ROUND,
        _burn(0, 1, "Ks", "3c", **late),
        _burn(1, 2, "Qs", "Td"),
        _burn(0, 3, "Kh", "5c", **late),
        _burn(0, 5, "9s", "6c", **gone),
        _burn(0, 7, "4s", "8c", **gone),
    ]
    made = list(steps(lines))
    assert [step.fault_begins for step in made] == [False, True, False, True, True, False]
    assert made[-1].fault == "CRASHED"


def test_of_a_hidden_match_nothing_hidden_is_in_the_scripts_data() -> None:
    """Built from public lines, the data names no card that was never shown."""
    case = next(case for case in cases("claims", 2) if case.policy == "default")
    lines = whole(case)[:4]
    shown = [seen for line in lines if (seen := public(line)) is not None]
    told = str(picture.table(shown[0])["players"]) + str(as_json(steps(shown)))
    hidden = set(lines[1]["hands"][0] + lines[1]["hands"][1] + lines[1]["deck"])
    opened = {lines[1]["zero"], *lines[2]["action"]["burn"], *lines[3]["action"]["burn"]}
    assert not [card for card in hidden - opened if f"'{card}" in told or f"{{{card}}}" in told]
    assert all(card in told for card in opened)


def test_names_are_never_markup_and_never_marks() -> None:
    """A name is escaped, and put in once all else is done."""
    shown = marker({**HEADER, "seats": [{"bot": "<i>{Ks}</i>"}, {"bot": "bob"}]})
    assert shown("{@0} holds {Kh}") == (
        '<b class="player">&lt;i&gt;{Ks}&lt;/i&gt;</b> holds <span class="card-h">K♥</span>'
    )


def test_a_card_of_claro_is_shown_with_its_stars() -> None:
    """By colour, and a joker without a number."""
    assert card_text("44", {"44": [0, 2]}) == (
        '<span class="card-n">44<i class="star-0">★</i><i class="star-2">★</i></span>'
    )
    assert card_text("J2", {"J2": [1]}) == '<span class="card-n">J<i class="star-1">★</i></span>'


def test_rows_are_grouped_by_round_with_its_points() -> None:
    """The result stands alone at the end; a round's scores are those of its end."""
    lines = whole(next(cases("claim", 3)))
    made = list(picture.rounds(lines))
    ends = [line for line in lines if line["type"] == "round_end"]
    assert [round_.number for round_ in made] == [*range(1, len(ends) + 1), 0]
    assert [list(round_.scores) for round_ in made[:-1]] == [
        list(zip(end["points"], end["totals"], strict=True)) for end in ends
    ]
    assert sum(len(round_.rows) for round_ in made) == len(lines) - 1


def test_romanian_says_all_that_claim_can_say_with_the_same_parts() -> None:
    """Only what other games say is missing; every part that English names, Romanian names."""
    parts = re.compile(r"%\(\w+\)s|\{@?%\(\w+\)s\}")
    for name, text in ROMANIAN.items():
        assert sorted(parts.findall(text)) == sorted(parts.findall(ENGLISH[name])), name
    only_others = {name for name in ENGLISH if name not in ROMANIAN}
    assert {name for name in only_others if not name.endswith((".claims", ".claro"))} == {
        "deck",
        "play",
        "pass",
        "star",
        "passed",
        "played_out",
        "discard",
        "discard none",
        "refill",
        "stars",
        "played",
        "discards",
        "has passed",
        "joker card",
        "with stars",
    }


def test_every_fault_has_words() -> None:
    """In both languages."""
    for language in ("en", "ro"):
        assert set(words(language, "claim")) >= LASTING | {"TIMEOUT", "ILLEGAL", "MALFORMED"}
