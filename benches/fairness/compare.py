"""Ways to learn from the same results: which orders a field right with the fewest matches?

    python -m benches.fairness.compare              the tables of docs/9-ranking.md; takes a while

All learn from the blocks of our fixed schedule. A table says in what share of runs the whole order
is right after so many matches; equal seeds give all ways equal results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from arena.rating import BETA, ByBlock, ByMatch, Learner, Passes, TrueSkillRater
from benches.fairness.cases import Case, Played
from benches.fairness.ways import our_blocks

MARKS = (60, 120, 200, 300, 450, 650)
CASES: tuple[Case | Played, ...] = (
    Case(4, 2, 0.3, MARKS[-1]),
    Case(8, 4, 0.4, MARKS[-1]),
    Case(8, 4, 0.4, MARKS[-1], luck=0.4, draws=0.15),
    Played("claims", 4, MARKS[-1], 0.005),
    Played("claro", 3, MARKS[-1], 0.12),
)


def learners(draws: float) -> dict[str, Callable[[], Learner]]:
    """What is compared, by name."""
    rater = TrueSkillRater(draw_probability=draws)
    return {
        "a match": lambda: ByMatch(rater),
        "a match, half beta": lambda: ByMatch(
            TrueSkillRater(draw_probability=draws, beta=BETA / 2)
        ),
        "a match, twice beta": lambda: ByMatch(
            TrueSkillRater(draw_probability=draws, beta=BETA * 2)
        ),
        "a match, drifting": lambda: ByMatch(
            TrueSkillRater(draw_probability=draws, drift=25 / 300)
        ),
        "a block": lambda: ByBlock(rater),
        "passes": lambda: Passes(rater),
    }


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="benches.fairness.compare", description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    print(f"Share of {wanted.runs} runs (seeds 0 and on) whose order is right, by matches")
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool:
        for case in CASES:
            case.prepare()
            print(f"\n| {case} | {' | '.join(map(str, MARKS))} |\n|---|{'---|' * len(MARKS)}")
            runs = list(pool.map(partial(one_run, case), range(wanted.runs)))
            for name in runs[0]:
                shares = [sum(column) for column in zip(*(run[name] for run in runs), strict=True)]
                shown = " | ".join(f"{share / wanted.runs:.0%}" for share in shares)
                print(f"| {name} | {shown} |", flush=True)
    return 0


def one_run(case: Case | Played, seed: int) -> dict[str, list[bool]]:
    """For each way: was the order right, by mark?"""
    field = case.field(str(seed))
    return {
        name: [
            order == field.right_order
            for order in our_blocks(field, case.seats, MARKS, str(seed), learner)
        ]
        for name, learner in learners(case.draws).items()
    }


if __name__ == "__main__":
    sys.exit(main())
