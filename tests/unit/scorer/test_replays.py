"""Whole replays: made by hand, and by random players in every game, size and kind of end."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import scorer
import scorer_claim
import scorer_claims
from hypothesis import given, settings
from hypothesis import strategies as st
from scorer_claro_replay import SEATS as CLARO_SEATS
from scorer_samples import Habits, Replay, sample

BY_HAND = Path(__file__).parent / "by_hand"
SEATS = {
    "claims": scorer_claims.Claims.seats,
    "claim": scorer_claim.Claim.seats,
    "claro": CLARO_SEATS,
}
TABLES = [(game, seats) for game, sizes in SEATS.items() for seats in sizes]


@pytest.mark.parametrize(
    ("game", "totals", "ranks"),
    [
        ("claims", [35, 0], [2, 1]),
        ("claim", [11, 36, 70], [1, 2, 3]),
        ("claro", [0, 1, 3], [3, 2, 1]),
    ],
)
def test_a_match_worked_out_by_hand_holds(game: str, totals: list[int], ranks: list[int]) -> None:
    """The deals are another program's (see test_chance); the rest was done with pen and paper."""
    verdict = scorer.score(scorer.read(BY_HAND / f"{game}.jsonl"))
    assert verdict.ok, verdict
    assert (verdict.game, verdict.totals, verdict.ranks) == (game, totals, ranks)
    assert verdict.winners == [ranks.index(1)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_matches_of_random_players_hold_at_every_size_of_table(game: str, seats: int) -> None:
    for number in range(5):
        replay = sample(game, seats, number)
        verdict = scorer.score(replay)
        assert verdict.ok, verdict
        result = replay[-1]
        found = (verdict.totals, verdict.ranks, verdict.winners)
        assert found == (result["totals"], result["ranks"], result["winners"])
        assert verdict.turns == sum(line["type"] in {"turn", "play", "pass"} for line in replay)


def happenings(replay: Replay) -> Iterator[tuple[str, object]]:
    """How rounds and match ended, what else happened, and where default moves stood in."""
    for line in replay:
        kind = line["type"]
        if kind in {"round_end", "result"}:
            yield kind, line["reason"]
        elif kind in {"reshuffle", "pass", "discard"}:
            yield kind, None
        if line.get("default"):
            yield "default", kind


def test_the_samples_reach_every_kind_of_end() -> None:
    """What the samples don't reach, they can't show."""
    stalling = Habits(claim=0, pile=1, default=0)
    matches = [
        *(sample("claims", 7, number, habits=Habits(claim=0.05)) for number in range(5)),
        sample("claims", 2, 0, {"max_rounds": 2, "stall_laps": 3}, stalling),
        sample("claims", 3, 0, {"max_rounds": 2, "max_laps": 3}, Habits(claim=0)),
        sample("claim", 8, 0, {"target": 50}, Habits(claim=0.02)),
        sample("claim", 2, 0, {"max_rounds": 2, "stall_laps": 3}, stalling),
        sample("claim", 3, 0, {"max_rounds": 2, "max_laps": 3}, Habits(claim=0)),
        *(sample("claro", seats, number) for seats in (3, 6) for number in range(5)),
    ]
    reached: Counter[tuple[str, object]] = Counter()
    for match in matches:
        verdict = scorer.score(match)
        assert verdict.ok, verdict
        reached.update(happenings(match))
    rounds = ["claim", "deck", "max_laps", "stall_laps", "passed", "played_out"]
    assert reached.keys() == {
        *(("round_end", reason) for reason in rounds),
        *(("result", reason) for reason in ("target", "max_rounds", "stars")),
        *((kind, None) for kind in ("reshuffle", "pass", "discard")),
        *(("default", kind) for kind in ("turn", "play", "discard")),
    }


def test_unknown_keys_are_ignored() -> None:
    for game in SEATS:
        replay = [{**line, "measured": {"ms": 1.5}, "later": []} for line in sample(game, 3, 1)]
        assert scorer.score(replay).ok


def test_claro_accepts_the_winners_refill_before_and_after_the_discards() -> None:
    """Ruling 6 fixes what happens; where the line stands changes nothing."""
    replay = sample("claro", 6, 72, habits=Habits(discard=0.8))
    moved = _winners_refill_last(replay)
    assert moved != replay
    assert scorer.score(moved).ok


def _winners_refill_last(replay: Replay) -> Replay:
    """The replay with the winners' refills (and reshuffles for them) behind the discards."""
    moved: Replay = []
    waiting: Replay = []
    discards = False
    for line in replay:
        if line["type"] == "discard":
            discards = True
        elif discards:
            moved += waiting
            waiting, discards = [], False
        held = line["type"] in {"reshuffle", "refill"} and moved[-1]["type"] == "round_end"
        (waiting if held else moved).append(line)
    return moved


def test_claro_accepts_refills_of_no_cards_left_out() -> None:
    replay = sample("claro", 6, 2, habits=Habits(discard=0))
    shorter = [line for line in replay if line.get("cards") != [] or line["type"] == "discard"]
    assert len(shorter) < len(replay)
    assert scorer.score(shorter).ok


@given(
    table=st.sampled_from(TABLES[:13]),
    number=st.integers(0, 10**6),
    options=st.fixed_dictionaries(
        {
            "target": st.sampled_from([150, 300]),
            "stall_laps": st.integers(1, 8),
            "max_laps": st.integers(3, 30),
            "max_rounds": st.integers(1, 8),
        }
    ),
    habits=st.builds(Habits, *[st.floats(0, 1)] * 3),
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_players_and_options_every_match_ends_and_holds(
    table: tuple[str, int],
    number: int,
    options: dict[str, int],
    habits: Habits,
) -> None:
    verdict = scorer.score(sample(*table, number, options, habits))
    assert verdict.ok, verdict
    assert verdict.rounds <= options["max_rounds"]


def _junk() -> st.SearchStrategy[Any]:
    words = st.sampled_from(["As", "J1", "pile", "claim", "", "ü"])
    leaves = st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | words
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(words, inner))


@given(game=st.sampled_from(list(SEATS)), data=st.data())
@settings(max_examples=100, deadline=None)
def test_junk_anywhere_gets_a_verdict_and_never_an_error(game: str, data: st.DataObject) -> None:
    replay: list[Any] = list(scorer.read(BY_HAND / f"{game}.jsonl"))
    place: Any = replay
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(_junk())
    verdict = scorer.score(replay)
    assert verdict.ok or (verdict.line is not None and verdict.reason)


def test_a_match_of_630_turns_is_scored_in_under_50_ms(tmp_path: Path) -> None:
    habits = Habits(claim=0.02)
    longest = max((sample("claims", 4, number, habits=habits) for number in range(4)), key=len)
    assert scorer.score(longest).turns >= 630
    path = tmp_path / "long.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in longest))
    spent = []
    for _ in range(5):
        started = time.process_time()
        verdict = scorer.score(scorer.read(path))
        spent.append((time.process_time() - started) * 630 / verdict.turns)
    assert min(spent) < 0.05
