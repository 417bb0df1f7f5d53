"""How often an adaptive tournament calls two separated who are not, however often it looks.

    python -m benches.fairness.stopping           the table of docs/9-ranking.md; takes a while

Fields have known strengths, equal ones among them; everything said after any wave counts. Of two
equal ones either order is wrong.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from arena.tournament.waves import Waves
from benches.fairness.worlds import Simulation, World


@dataclass(frozen=True, slots=True)
class Trial:
    """A field that plays adaptive tournaments."""

    name: str
    strengths: tuple[float, ...]
    seats: int
    confidence: float
    #: How many blocks at most.
    most: int

    def run(self, seed: int) -> tuple[bool, bool, int]:
        """Whether anything wrong was said, whether it became clear, and after how many matches."""
        field = Simulation(self.strengths, World(luck=0.1, draws=0.005), str(seed))
        waves = Waves(
            len(self.strengths),
            self.seats,
            most=self.most,
            confidence=self.confidence,
            seed=seed.to_bytes(4, "big"),
        )
        wrong, blocks = False, 0
        while wave := waves.next():
            waves.add(wave, [result for block in wave for result in field.block(block)])
            blocks += len(wave)
            wrong = wrong or any(
                self.strengths[pair.better] <= self.strengths[pair.worse]
                for pair in waves.separation().neighbours
                if pair.separated
            )
        return wrong, waves.separation().clear, blocks * self.seats


def _trials(confidence: float) -> list[Trial]:
    return [
        Trial("2 equal, tables of 2", (0.0, 0.0), 2, confidence, 400),
        Trial("6 equal, tables of 2", (0.0,) * 6, 2, confidence, 600),
        Trial("6 equal, tables of 4", (0.0,) * 6, 4, confidence, 300),
        Trial("6 bots 0.05 apart, tables of 2", _row(6, 0.05), 2, confidence, 600),
        Trial("6 bots 0.3 apart, tables of 2", _row(6, 0.3), 2, confidence, 3000),
        Trial("6 bots 0.3 apart, tables of 4", _row(6, 0.3), 4, confidence, 1500),
        Trial(
            "3 equal pairs 0.6 apart, tables of 2", (0, 0, 0.6, 0.6, 1.2, 1.2), 2, confidence, 600
        ),
    ]


def _row(bots: int, gap: float) -> tuple[float, ...]:
    return tuple(gap * place for place in range(bots))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benches.fairness.stopping", description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--processes", type=int, default=2)
    wanted = parser.parse_args()
    print(f"{wanted.runs} tournaments a line, seeds 0 and on\n")
    print("| field | probability | wrong | clear | matches, median |\n|---|---|---|---|---|")
    with ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool:
        for confidence in (0.8, 0.95):
            for trial in _trials(confidence):
                ended = list(pool.map(trial.run, range(wanted.runs), chunksize=5))
                wrong, clear, matches = zip(*ended, strict=True)
                print(
                    f"| {trial.name} | {confidence} | {sum(wrong) / wanted.runs:.1%} "
                    f"| {sum(clear) / wanted.runs:.0%} | {statistics.median(matches):.0f} |",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
