"""How many matches it takes until an order is right: as peers do it, and in our ways.

    make bench-fairness                  some minutes
    make bench-fairness ARGS=--full      five times as many runs, and the larger fields

(a) Random tables, every match on a deal of its own, one TrueSkill update a match in order of
arrival with the package's usual settings. (b) Our fixed schedule of blocks, rated as by default.
(c) Our adaptive schedule, which also stops when all neighbours are separated.

Simulated fields have known strengths; chance is as in Claims (`benches.fairness.calibrate`). The
sample bots' matches are played once and kept; runs draw from them, so that their right order is
known, too.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from benches.fairness.cases import CASES, LARGE, PLAYED, Case, Played, number
from benches.fairness.measure import marks_to, until_right
from benches.fairness.trials import Run, run


def main() -> int:
    """Print the table."""
    wanted = _arguments()
    runs = wanted.runs or (200 if wanted.full else 40)
    print(
        f"Matches until the order is right in 95 of 100 runs; {runs} runs a field, seeds 0 to "
        f"{runs - 1}.\n(a) as peers do, (a') the same without drift, (b) ours fixed, (c) ours "
        f"adaptive, with its order\nwhether it has stopped or not; then when it stops and how "
        f"often it was wrong then.\n"
    )
    print("| field | a | a' | b | c | c / a | c stops, median | 90 of 100 | wrong |")
    print("|---|---|---|---|---|---|---|---|---|")
    began = time.monotonic()
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool:
        for case in (*CASES, *(LARGE if wanted.full else ()), *PLAYED):
            case.prepare()
            marks = marks_to(case.most, case.seats, growth=1.15)
            print(
                _row(case, marks, list(pool.map(partial(run, case, marks), range(runs)))),
                flush=True,
            )
    print(f"\n{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


def _row(case: Case | Played, marks: list[int], runs: list[Run]) -> str:
    found = {way: until_right(marks, [one.right[way] for one in runs]) for way in runs[0].right}
    shown = [number(one, case.most) for one in found.values()]
    stops = sorted(one.stopped or case.most + 1 for one in runs)
    middle, late = (statistics.quantiles(stops, n=20)[at] for at in (9, 17))
    return (
        f"| {case} | {' | '.join(shown)} | {_ratio(found['c'], found['a'], case.most)} "
        f"| {_stop(middle, case.most)} | {_stop(late, case.most)} "
        f"| {sum(one.wrong for one in runs)} of {len(runs)} |"
    )


def _ratio(ours: int | None, theirs: int | None, most: int) -> str:
    if ours is None:
        return ""
    return f"{ours / theirs:.2f}" if theirs else f"< {ours / most:.2f}"


def _stop(matches: float, most: int) -> str:
    return f"> {most}" if matches > most else f"{matches:.0f}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benches.fairness", description=__doc__)
    parser.add_argument("--full", action="store_true", help="more runs, and larger fields")
    parser.add_argument("--runs", type=int, help="of each field; default: 40, with --full 200")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
