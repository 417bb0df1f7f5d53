"""The verifier names the first line that does not hold, whatever was tampered with."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scorer import score

from arena.games import GAMES
from arena.match import replay
from arena.match.faults import FaultKind, PlayerGone
from arena.match.replay import Line
from arena.match.verify import verify
from arenabot.actions import burn
from tests.unit.match.scripted import Scripted, play, setup

Path = tuple[str | int, ...]

#: What no rule decides, so that changing it changes nothing that can be checked.
FREE = {"measured", "bot", "version", "digest", "match", "timers", "max_faults", "isolation"}


def lines_of(game_id: str, seats: int) -> list[Line]:
    """A short match with faults in it, one seat of which crashes."""

    def wild(turn: int, _: object) -> Any:
        return burn("As Kd") if turn % 3 == 0 else None

    def dies(turn: int, _: object) -> Any:
        return PlayerGone(FaultKind.CRASHED, "exit code 1") if turn == 4 else None

    wanted = setup(seats, game_id)
    if game_id != "claro":
        wanted = setup(seats, game_id, max_rounds=1)
    record = play(wanted, Scripted(wild), Scripted(dies))
    return list(replay.unpack(record.replay))


MATCHES = {game_id: lines_of(game_id, rules.seats[1]) for game_id, rules in GAMES.items()}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The place of every value in a line."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in FREE:
                yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path


def other(value: Any) -> Any:
    """A value of the same kind that is not the same."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    return {"deck": "pile", "pile": "deck"}.get(value, value + "x")


def changed(line: Line, path: Path) -> Line:
    twin = copy.deepcopy(line)
    inner: Any = twin
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = other(inner[path[-1]])
    return twin


@pytest.mark.parametrize("game_id", GAMES)
def test_the_matches_themselves_hold(game_id: str) -> None:
    """For the verifier and for the scorer that shares no code with it."""
    assert verify(MATCHES[game_id]).holds
    assert score(MATCHES[game_id]).ok


@pytest.mark.parametrize("game_id", GAMES)
def test_a_change_of_any_value_is_found(game_id: str) -> None:
    """At that line, or later where only the lines that follow contradict it.

    Not so the options: a match may come out the same under a looser cap.
    """
    lines = MATCHES[game_id]
    missed = []
    for number, line in enumerate(lines):
        for path in leaves({key: line[key] for key in line if key != "options"}):
            verdict = verify([*lines[:number], changed(line, path), *lines[number + 1 :]])
            if verdict.holds or (verdict.line or 0) < number + 1:
                missed.append((number + 1, path, verdict))
    assert not missed


EDITS: dict[str, Callable[[list[Line], int], list[Line]]] = {
    "dropped": lambda lines, at: lines[:at] + lines[at + 1 :],
    "doubled": lambda lines, at: lines[: at + 1] + lines[at:],
    "cut off": lambda lines, at: lines[:at],
}


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("edit", EDITS)
def test_lines_dropped_doubled_or_cut_off_are_found(game_id: str, edit: str) -> None:
    """Wherever it happens, no earlier than there."""
    lines = MATCHES[game_id]
    for at in range(len(lines)):
        verdict = verify(EDITS[edit](lines, at))
        assert not verdict.holds
        assert (verdict.line or 0) >= at


@pytest.mark.parametrize("game_id", GAMES)
def test_two_lines_changing_places_are_found(game_id: str) -> None:
    """Order is part of what a replay says."""
    lines = MATCHES[game_id]
    for at in range(len(lines) - 1):
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert not verify(swapped).holds


@pytest.mark.parametrize("junk", [None, 1, "x", [], {}, [1], {"a": 1}, True, 1.5, "As"])
@pytest.mark.parametrize("game_id", GAMES)
def test_junk_in_any_place_is_a_verdict_and_never_an_error(game_id: str, junk: Any) -> None:
    """A stranger's file cannot make the verifier fail."""
    lines = MATCHES[game_id]
    for number in {0, 1, 2, 5, len(lines) - 1}:
        for key in lines[number]:
            if key not in FREE:
                twin = {**lines[number], key: junk}
                changed_lines = [*lines[:number], twin, *lines[number + 1 :]]
                if twin != lines[number]:
                    assert not verify(changed_lines).holds, (number + 1, key)


def test_an_empty_file_does_not_hold() -> None:
    """There is no header."""
    assert verify([]).line == 1


def test_a_replay_of_another_engine_is_not_judged() -> None:
    """It is for the engine that it names."""
    header = {**MATCHES["claims"][0], "engine": "0.9"}
    verdict = verify([header, *MATCHES["claims"][1:]])
    assert verdict.line == 1
    assert "engine 0.9" in str(verdict.reason)


def test_a_complaint_says_what_the_rules_give() -> None:
    """So that a person can see which side is right."""
    lines = copy.deepcopy(MATCHES["claims"])
    at = next(n for n, line in enumerate(lines) if line["type"] == "round_end")
    right = list(lines[at]["points"])
    lines[at]["points"][0] += 7
    verdict = verify(lines)
    assert verdict.line == at + 1
    assert verdict.reason == (
        f"points is {json.dumps(lines[at]['points'])}, but the rules give {json.dumps(right)}"
    )
