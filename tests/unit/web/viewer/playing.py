"""Golden playthroughs as the lines of a replay, beside the state of the rules after each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.games import GAMES, Phase, State
from arena.match import replay
from arena.match.replay import Line
from tests.golden.playthroughs import DECKS, POLICIES, Case, cases

TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.seats]


@dataclass(frozen=True, slots=True)
class Moment:
    """The lines that one move brought, and the state after them."""

    lines: list[Line]
    state: State


def header(case: Case, options: Any) -> Line:
    """The first line of a case's replay, as far as it is looked at."""
    return {
        "type": "header",
        "format": replay.FORMAT,
        "engine": replay.ENGINE,
        "game": case.game,
        "options": options.as_dict(),
        "seed": case.seed.to_bytes(32, "big").hex(),
        "match": "golden",
        "seats": [
            {"bot": f"bot{seat}", "version": "1", "digest": "0" * 64} for seat in range(case.seats)
        ],
        "timers": {"turn": 20, "ready": 60, "start": 10, "budget": 600},
        "max_faults": 10,
        "isolation": "match",
    }


def moments(case: Case) -> Iterator[Moment]:
    """Play a case as its golden file tells it; the state is the same object each time."""
    game = GAMES[case.game]
    given = dict(case.options)
    if "deck" in given:
        given["deck"] = DECKS[given["deck"]]()
    options = game.options(given)
    state = game.new_match(seats=case.seats, seed=case.seed.to_bytes(32, "big"), options=options)
    rng = random.Random(case.seed)
    yield Moment([header(case, options), *_lines(state, 0, 0)], state)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROUND_OVER:
            state.next_round()
            yield Moment(_lines(state, 0, 0), state)
            continue
        told, turn, seat = len(state.events), state.turn, state.to_act[0]
        default = case.policy == "default"
        state.apply(POLICIES[case.policy](state, seat, rng), seat, default=default)
        if len(state.events) > told:
            yield Moment(_lines(state, told, turn), state)
    yield Moment([{**replay.result_line(state.result(), ([],) * case.seats)}], state)


def _lines(state: State, since: int, turn: int) -> list[Line]:
    lines = [replay.event_line(event, state.round, turn) for event in state.events[since:]]
    for line in lines:
        if line.get("default"):
            line["fault"] = "TIMEOUT"
    return lines


def whole(case: Case) -> list[Line]:
    """All lines of a case."""
    return [line for moment in moments(case) for line in moment.lines]


def some(game: str, seats: int) -> list[Case]:
    """The cases of a table, each with another policy or other options."""
    return list(cases(game, seats))
