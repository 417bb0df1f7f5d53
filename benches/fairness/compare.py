"""Ways to learn from the same results: which orders a field right with the fewest matches?

    python -m benches.fairness.compare              the table of docs/9-ranking.md; takes a while

All learn from the blocks of our fixed schedule; see `benches.fairness` for fields and numbers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from arena.rating import BETA, ByBlock, ByMatch, Learner, Passes, TrueSkillRater
from benches.fairness.cases import CASES, Case, number
from benches.fairness.measure import marks_to, until_right
from benches.fairness.ways import our_blocks


def learners(draws: float) -> dict[str, Callable[[], Learner]]:
    """What is compared, by name."""
    rater = TrueSkillRater(draw_probability=draws)
    return {
        "a match": lambda: ByMatch(rater),
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
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benches.fairness.compare", description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    names = list(learners(0))
    print(
        f"Matches until the order is right in 95 of 100 runs; {wanted.runs} runs, seeds 0 and on\n"
    )
    print(f"| field | {' | '.join(names)} |\n|---|{'---|' * len(names)}", flush=True)
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool:
        for case in CASES:
            marks = marks_to(case.most, case.seats, growth=1.3)
            runs = list(pool.map(partial(one_run, case, marks), range(wanted.runs)))
            found = [until_right(marks, [run[name] for run in runs]) for name in names]
            print(f"| {case} | {' | '.join(number(one, case.most) for one in found)} |", flush=True)
    return 0


def one_run(case: Case, marks: list[int], seed: int) -> dict[str, list[bool]]:
    """For each way: was the order right, by mark?"""
    field = case.field(str(seed))
    return {
        name: [
            order == field.right_order
            for order in our_blocks(field, case.seats, marks, str(seed), learner)
        ]
        for name, learner in learners(case.draws).items()
    }


if __name__ == "__main__":
    sys.exit(main())
