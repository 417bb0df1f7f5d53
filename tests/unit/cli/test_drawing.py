"""A drawing tells a match as its replay has it: of every game, and through one seat's eyes."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from scorer_samples import Habits, sample

from arena.cli.drawing import draw, rounds

BY_HAND = Path(__file__).parent.parent / "scorer" / "by_hand"
TIMERS = {"turn": 20, "ready": 60, "start": 10, "budget": 600}

Lines = list[dict[str, Any]]


def whole(lines: Lines) -> Lines:
    """The lines with all that a header of the arena's has."""
    seats = [{"version": "1", "digest": "d" * 64, **seat} for seat in lines[0]["seats"]]
    return [{**lines[0], "timers": TIMERS, "seats": seats}, *lines[1:]]


def drawn(lines: Lines, *, only_round: int | None = None, eyes: int | None = None) -> str:
    """What a terminal would show, without colours."""
    screen = Console(file=io.StringIO(), width=200, color_system=None, markup=False)
    screen.print(draw(whole(lines), only_round=only_round, eyes=eyes))
    assert isinstance(screen.file, io.StringIO)
    text = screen.file.getvalue()
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def by_hand(game: str) -> Lines:
    """A replay that was written by hand."""
    return [json.loads(line) for line in (BY_HAND / f"{game}.jsonl").read_text().splitlines()]


def test_a_person_s_seat_is_drawn_like_any_other() -> None:
    """It has neither version nor digest."""
    lines = by_hand("claims")
    lines[0]["seats"][0] = {"bot": "person", "version": "", "digest": "", "person": True}
    assert "0 person burns 4♦ 4♥" in drawn(lines)


def test_a_round_of_claims_is_told_turn_by_turn() -> None:
    """Who holds what at what cost, what was burned and drawn, what stood in, how it was scored."""
    text = drawn(by_hand("claims"))
    for told in (
        "Round 1: 0 hand-0 begins, the joker card is 10♦, 41 cards in the deck",
        "0 hand-0 is dealt A♥ 4♦ Q♥ 4♥ K♣ 36",
        "1 0 hand-0 burns 4♦ 4♥, draws 8♦ A♥ Q♥ K♣ 8♦ 36",
        "2 1 hand-1 burns 7♠ 7♥, takes 4♥ from the pile 3♥ 10♥ 8♥ 4♥ 15",
        "3 0 hand-0 TIMEOUT burns A♥, draws 10♠ Q♥ K♣ 8♦ 10♠ 35",
        "6 1 hand-1 claims with 8",
        "The claim of 1 hand-1 holds",
        "0 hand-0 Q♥ 8♦ 10♠ K♦ 35 35 35",
        "1 hand-1 3♥ 10♥ 4♥ A♥ 8 0 0",
    ):
        assert told in text


@pytest.mark.parametrize("game", ["claims", "claim", "claro"])
@pytest.mark.parametrize("number", range(4))
def test_every_turn_and_fault_of_a_match_is_drawn(game: str, number: int) -> None:
    """Nothing is left out: each numbered turn, each fault and each round's end has its line."""
    lines = sample(game, 3, number, None, Habits(default=0.2))
    told = drawn(lines).splitlines()
    for round_number in range(1, rounds(lines) + 1):
        assert any(line.startswith(f"Round {round_number}:") for line in told)
    turns = [line for line in lines if "turn" in line and line["type"] != "result"]
    assert sum(line.split(" ")[0].isdigit() and "random-" in line for line in told) >= len(turns)
    marked = sum(" TIMEOUT " in f" {line} " for line in told if "random-" in line)
    faults = sum(line.get("fault") == "TIMEOUT" for line in lines)
    # Once more in the table of the result, for each seat that has any.
    assert marked - sum(1 for seat in lines[-1]["faults"] if seat) == faults


def test_only_one_round_can_be_drawn() -> None:
    """The other rounds and the result are left out."""
    lines = sample("claims", 2, 1)
    assert rounds(lines) > 2
    text = drawn(lines, only_round=2)
    assert "Round 2:" in text
    assert "Round 1:" not in text
    assert "The match is over" not in text


@pytest.mark.parametrize("game", ["claims", "claim", "claro"])
def test_a_seat_sees_only_how_many_cards_the_others_hold(game: str) -> None:
    """Through a seat's eyes every line of another seat ends in a number of cards, not in cards."""
    told = drawn(sample(game, 3, 2), only_round=1, eyes=0).split("is over")[0].splitlines()
    of_others = [line for line in told if " random-" in f" {line}" and "0 random-0" not in line]
    before_the_end = [
        line for line in of_others if re.search(r"dealt|burns|discards|plays|passes|draws", line)
    ]
    assert len(before_the_end) >= 4
    for line in before_the_end:
        assert re.search(r" \d cards?$", line), line
        assert not re.search(r"draws (?!a card|\d cards?)", line), line


def test_a_blind_draw_of_another_seat_stays_hidden() -> None:
    """What it drew from the deck is not said, what it took from the pile is."""
    text = drawn(by_hand("claims"), eyes=1)
    assert "1 0 hand-0 burns 4♦ 4♥, draws a card 4 cards" in text
    assert "2 1 hand-1 burns 7♠ 7♥, takes 4♥ from the pile 3♥ 10♥ 8♥ 4♥ 15" in text
    assert "K♦" not in text.split("The claim of")[0]


def test_a_name_cannot_colour_the_drawing() -> None:
    """Bots' names come from a file that anybody may have written."""
    lines = by_hand("claims")
    lines[0]["seats"][0]["bot"] = "\x1b[31mred[bold]"
    text = drawn(lines)
    assert "\x1b" not in text
    assert "\\x1b[31mred[bold]" in text
