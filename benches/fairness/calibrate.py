"""What kind of chance our games are, measured from real matches of the sample bots.

    python -m benches.fairness.calibrate            the tables of docs/9-ranking.md; takes a while
    python -m benches.fairness.calibrate --matches 100 --game claims --seats 2 4

Equals (variants of one bot that err independently) show how often equals tie, and how much of all
chance is the cards'. A field of several strengths shows which beta predicts results best that have
not been seen.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import NormalDist, fmean

from arena.games import GAMES
from arena.rating import BETA, ByMatch, MatchResult, Rating, TrueSkillRater
from arena.rating.freeforall import draw_margin
from arena.schedule import plan
from benches.fairness.bots import EQUALS, FIELDS, pool
from benches.fairness.worlds import Simulation, World

Blocks = Sequence[Sequence[MatchResult]]

POOLS = Path(".cache/fairness")
BETAS = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
#: The table sizes whose results are predicted.
PREDICTED = (2, 3, 4)


def main() -> int:
    """Print the tables."""
    wanted = _arguments()
    print("| game | players | matches | equals tie | the cards' share | 95 % |")
    print("|---|---|---|---|---|---|")
    losses: dict[float, list[float]] = defaultdict(list)
    for game, seats in _tables(wanted):
        kept = {"folder": POOLS, "processes": wanted.processes}
        equals = pool(game, EQUALS[:seats], seats, wanted.matches // seats, **kept)
        draws = ties(equals)
        luck, low, high = measured_luck(equals, draws)
        shown = f"{draws:.2%} | {luck:.0%} | {low:.0%} to {high:.0%}"
        print(f"| {game} | {seats} | {seats * len(equals)} | {shown} |", flush=True)
        if seats in PREDICTED:
            blocks = pool(game, FIELDS[game], seats, wanted.predicted, **kept)
            for beta in BETAS:
                losses[beta].append(loss(blocks, beta * BETA, draws))
    print("\n| beta, in 25/6 | log loss a pair, mean over all tables | best for so many of them |")
    print("|---|---|---|")
    best = [min(BETAS, key=lambda beta: losses[beta][at]) for at in range(len(losses[BETAS[0]]))]
    for beta in BETAS:
        print(f"| {beta} | {fmean(losses[beta]):.4f} | {best.count(beta)} |")
    return 0


def ties(blocks: Blocks) -> float:
    """How often two at a table end level."""
    return fmean(
        one == other
        for block in blocks
        for match in block
        for one, other in itertools.combinations(match.ranks, 2)
    )


def loss(blocks: Blocks, beta: float, draws: float) -> float:
    """The mean logarithmic loss when each block is predicted from those before it, pair by pair."""
    rater = TrueSkillRater(draw_probability=draws, beta=beta)
    learner = ByMatch(rater)
    margin = draw_margin(max(draws, 0.001), beta)
    losses: list[float] = []
    for block in blocks:
        known = learner.ratings()
        for match in block:
            believed = [known.get(entry) or rater.new() for entry in match.entries]
            for one, other in itertools.combinations(range(len(match.ranks)), 2):
                chance = _chance(
                    believed[one],
                    believed[other],
                    match.ranks[other] - match.ranks[one],
                    beta,
                    margin,
                )
                losses.append(-math.log(max(chance, 1e-9)))
        # The whole block was predicted before any of it was learnt.
        for match in block:
            learner.learn(match)
    return fmean(losses)


def _chance(one: Rating, other: Rating, ahead: int, beta: float, margin: float) -> float:
    """How likely it was that the one comes in ahead, or level, or behind."""
    spread = math.sqrt(2 * beta**2 + one.sigma**2 + other.sigma**2)
    gap = NormalDist((one.mu - other.mu) / spread)
    if ahead == 0:
        return gap.cdf(margin / spread) - gap.cdf(-margin / spread)
    return 1 - gap.cdf(margin / spread) if ahead > 0 else gap.cdf(-margin / spread)


def measured_luck(equals: Blocks, draws: float) -> tuple[float, float, float]:
    """The cards' share of all chance, and the ends of its 95 % interval.

    It is the share with which simulated blocks of equals are as much alike as these.
    """
    seats = len(equals[0])
    schedule = plan(seats, seats, blocks=4000 // seats, seed=b"luck").blocks
    curve = []
    for step in range(11):
        field = Simulation((0.0,) * seats, World(step / 10, draws), seed="luck")
        curve.append((step / 10, likeness([field.block(block) for block in schedule])[0]))

    def share(alike: float) -> float:
        for (low, below), (high, above) in itertools.pairwise(curve):
            if below <= alike <= above:
                return low + (high - low) * (alike - below) / (above - below)
        return float(alike > curve[0][1])

    alike, error = likeness(equals)
    return share(alike), share(alike - 1.96 * error), share(alike + 1.96 * error)


def likeness(equals: Blocks) -> tuple[float, float]:
    """How much the ranks of two matches of a block in one seat are alike, 0 not at all, to 1; and
    the standard error of that, as blocks are independent."""
    sums = []
    for block in equals:
        alike, most = 0.0, 0.0
        for one, other in itertools.combinations(map(_scores, block), 2):
            alike += sum(a * b for a, b in zip(one, other, strict=True))
            most += sum(a * a + b * b for a, b in zip(one, other, strict=True)) / 2
        sums.append((alike, most))
    total = sum(most for _, most in sums)
    found = sum(alike for alike, _ in sums) / total
    return found, math.sqrt(sum((alike - found * most) ** 2 for alike, most in sums)) / total


def _scores(match: MatchResult) -> list[float]:
    """Ranks with mean 0, ties in the middle of the ranks that they share."""
    middle = (len(match.ranks) - 1) / 2
    return [
        middle - sum(other < rank for other in match.ranks) - (match.ranks.count(rank) - 1) / 2
        for rank in match.ranks
    ]


def _tables(wanted: argparse.Namespace) -> Iterator[tuple[str, int]]:
    for game in wanted.game or GAMES:
        for seats in GAMES[game].seats:
            if seats in (wanted.seats or GAMES[game].seats):
                yield game, seats


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benches.fairness.calibrate", description=__doc__)
    parser.add_argument("--matches", type=int, default=320, help="of equals at each table")
    parser.add_argument("--predicted", type=int, default=80, help="blocks of each field")
    parser.add_argument("--game", nargs="+", choices=GAMES)
    parser.add_argument("--seats", type=int, nargs="+")
    parser.add_argument("--processes", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
