"""How often what is said beside the ratings is right: intervals, stars, trends, luck taken out.

    python -m benches.fairness.statements              simulated fields: some minutes
    python -m benches.fairness.statements luck         sample bots, `--blocks N` a line: longer

Simulated entries perform as their strength, plus what their seat's cards are worth, plus chance of
their own; each block draws its table anew.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from statistics import fmean

from arena.rating import Direction, Ladder, Meetings, bouts, head_to_head
from arena.rating.intervals import interval
from arena.rating.luck import gifts
from arena.schedule import Block, plan
from benches.fairness.bots import EQUALS, FIELDS, play_block
from benches.fairness.worlds import Simulation, World, field_of

#: Table sizes, in how many standard deviations of one match's chance an entry is better than its
#: opponents' average, and numbers of blocks.
SIZES, EDGES, BLOCKS = (2, 4, 8), (0.0, 1.0, 2.5), (6, 10, 25, 100)
#: Games and numbers of players that the sample bots are asked for.
TABLES = (("claims", 2), ("claims", 4), ("claim", 2), ("claim", 4), ("claro", 3), ("claro", 5))
WORLD = World(luck=0.4, draws=0.01)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure how often statements are right.")
    parser.add_argument("what", nargs="*", metavar="WHAT", help="intervals, stars, trends, luck")
    parser.add_argument("--runs", type=int, default=1000, help="simulated fields a line")
    parser.add_argument("--blocks", type=int, default=200, help="sample bots: blocks a line")
    wanted = parser.parse_args()
    parts = {
        "intervals": lambda: intervals(wanted.runs),
        "stars": lambda: stars(wanted.runs),
        "trends": lambda: trends(wanted.runs),
        "luck": lambda: luck(wanted.blocks),
    }
    if not set(wanted.what) <= set(parts):
        parser.error(f"there are: {', '.join(parts)}")
    for name in wanted.what or ("intervals", "stars", "trends"):
        for line in parts[name]():
            print(line, flush=True)
        print()
    return 0


def intervals(runs: int) -> Iterator[str]:
    """How often a 95 % interval holds the share that an entry has in the long run."""
    yield "| players | beaten in the long run | blocks | interval holds it | mean width |"
    yield "|---|---|---|---|---|"
    for size in SIZES:
        for edge in EDGES:
            truth = _share(_first(size, edge, 10_000, "truth"))
            for blocks in BLOCKS:
                found = [interval(_first(size, edge, blocks, f"{run}")) for run in range(runs)]
                made = [one for one in found if one is not None]
                held = fmean(one.low <= truth <= one.high for one in made)
                width = fmean(one.high - one.low for one in made)
                yield f"| {size} | {truth:.1%} | {blocks} | {held:.1%} | {width:.3f} |"


def _first(size: int, edge: float, blocks: int, seed: str) -> list[tuple[float, float]]:
    """By block, what entry 0 won and of how many, against a field of eleven others."""
    strengths = (edge, *field_of(11, 0.15, seed="intervals"))
    mean = fmean(strengths[1:])
    field = Simulation([edge, *(one - mean for one in strengths[1:])], WORLD, seed)
    won = []
    for number in range(blocks):
        others = [1 + (number * (size - 1) + step) % 11 for step in range(size - 1)]
        pairs = bouts(field.block(Block(number, (0, *others))))
        mine = [bout for pair, (bout,) in pairs.items() if pair[0] == 0]
        won.append((sum(bout.won for bout in mine), float(sum(bout.met for bout in mine))))
    return won


def _share(blocks: Sequence[tuple[float, float]]) -> float:
    return sum(won for won, _ in blocks) / sum(met for _, met in blocks)


def stars(runs: int) -> Iterator[str]:
    """How often equals get a star somewhere in their table, and how many that differ get one."""
    yield "| bots | players | blocks | equals: tables with a star | gap 0.5: neighbours with one |"
    yield "|---|---|---|---|---|"
    for bots, size, blocks in ((2, 2, 8), (4, 2, 60), (6, 3, 60), (6, 6, 15), (12, 4, 150)):
        schedule = plan(bots, size, blocks=blocks, seed=b"stars")
        wrong, right = 0, []
        for run in range(runs):
            for gap in (0.0, 0.5):
                field = Simulation([gap * bot for bot in range(bots)], WORLD, f"{run}")
                pairs = bouts(one for block in schedule.blocks for one in field.block(block))
                starred = {
                    (one.one, one.other) for one in head_to_head(pairs) if one.p_of_all < 0.05
                }
                if gap:
                    right.append(sum(two - one == 1 for one, two in starred) / (bots - 1))
                else:
                    wrong += bool(starred)
        yield f"| {bots} | {size} | {blocks} | {wrong / runs:.1%} | {fmean(right):.1%} |"


def trends(runs: int) -> Iterator[str]:
    """How often there is an arrow where nobody has changed, and where one has got better."""
    yield "| bots | players | blocks | apart | nobody changed | one better by 0.5, by 1 |"
    yield "|---|---|---|---|---|---|"
    for bots, size, blocks in ((4, 2, 60), (6, 3, 60), (12, 4, 150), (12, 4, 600)):
        schedule = plan(bots, size, blocks=blocks, seed=b"trends").blocks
        for gap in (0.0, 0.3, 1.0):
            strengths = [gap * bot for bot in range(bots)]
            found = [
                [_trends(schedule, strengths, better, str(run)) for run in range(runs)]
                for better in (0.0, 0.5, 1.0)
            ]
            wrong = fmean(one in {Direction.UP, Direction.DOWN} for run in found[0] for one in run)
            right = [fmean(run[0] is Direction.UP for run in changed) for changed in found[1:]]
            told = ", ".join(f"{part:.1%}" for part in right)
            yield f"| {bots} | {size} | {blocks} | {gap} | {wrong:.1%} | {told} |"


def _trends(
    schedule: Sequence[Block], strengths: Sequence[float], better: float, seed: str
) -> list[Direction]:
    """By entry, where it has moved; entry 0 is better in the last quarter of the blocks."""
    before = Simulation(strengths, WORLD, seed)
    after = Simulation([strengths[0] + better, *strengths[1:]], WORLD, seed)
    ladder = Ladder(entries=range(len(strengths)))
    for number, block in enumerate(schedule):
        changed = number >= len(schedule) * 3 // 4
        ladder.extend((after if changed else before).block(block))
    found = {one.entry: one.trend for one in ladder.standings()}
    return [trend.direction for _, trend in sorted(found.items()) if trend is not None]


def luck(blocks: int) -> Iterator[str]:
    """What part of the variance of a share goes with luck, in real matches."""
    yield "| game | players | field | blocks | one match a block | half a block | whole blocks |"
    yield "|---|---|---|---|---|---|---|"
    for game, size in TABLES:
        for field, names in (("equals", EQUALS[:size]), ("mixed", FIELDS[game])):
            schedule = plan(len(names), size, blocks=blocks, seed=bytes(32)).blocks
            played = [play_block(game, names, block) for block in schedule]
            saved = [
                _saved(bouts(match for block in played for match in block[:matches]))
                for matches in (1, size // 2, size)
            ]
            told = " | ".join(f"{part:.1%}" for part in saved)
            yield f"| {game} | {size} | {field} | {blocks} | {told} |"


def _saved(met: Meetings) -> float:
    """By how much the variance of what an entry wins in a block falls, given whom it meets."""
    given = gifts(met) or [math.nan] * met.bouts
    shares = {
        pair: sum(bout.won for bout in bouts) / sum(bout.met for bout in bouts)
        for pair, bouts in met.items()
    }
    plain: dict[tuple[int, int], float] = {}
    fair: dict[tuple[int, int], float] = {}
    for at, (pair, gift) in enumerate(
        zip(zip(met.one, met.other, strict=True), given, strict=True)
    ):
        bout = met.bout(at)
        over = bout.won - shares[pair] * bout.met
        for entry, sign in ((pair[0], 1), (pair[1], -1)):
            place = (entry, bout.block)
            plain[place] = plain.get(place, 0.0) + sign * over
            left = over if math.isnan(gift) else over - gift
            fair[place] = fair.get(place, 0.0) + sign * left
    total = sum(over**2 for over in plain.values())
    return 1 - sum(over**2 for over in fair.values()) / total if total > 1e-9 else 0.0
