"""Searching for tables which, turned round the ring, level its distances."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from arena.schedule.chance import Chance
from arena.schedule.ring import Base, Ring, raised, spread

#: How many tables are found, and how many at most are then looked at more closely.
CANDIDATES = 6
#: How many more are searched for in a field of f, divided by f, while none levels the ring well.
MORE = 1000
#: How many found tables are kept in a field of f, divided by f, for their images to be tried.
KEPT = 20_000
#: How much less level than the best a candidate may leave the ring.
TOLERANCE = 1.2
#: Where the search's chance comes from. Any would do but for 57 entries at tables of 8, where only
#: one in thousands of tables is level: with this one it comes up.
SALT = b"1"


class Search:
    """Finds the cycles of a large field, one after the other."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._known: list[Base] = []
        self._number = 0

    def promising(self, levels: list[int], tables: int) -> list[Base]:
        """Some bases whose cycles leave the ring, with its levels after so many tables, level.

        Where a search alone doesn't find any, the images of all that have been found are tried,
        and pairs of them: the one raises less what the other raises more.
        """
        ring = self._ring
        chance = Chance(SALT, f"{ring.field}|{ring.size}|{self._number}")
        self._number += 1
        cost = _cost(ring, levels, tables)
        found = [_climb(ring, levels, cost, chance) for _ in range(CANDIDATES)]
        best = _most_level(found, levels, cost)
        if spread(raised(levels, best[0])) <= 1:
            return best
        found += [_climb(ring, levels, cost, chance) for _ in range(MORE // ring.field)]
        self._known = (self._known + found)[-KEPT // ring.field :]
        images = [image for base in self._known for image in ring.images(base)]
        best = _most_level(images, levels, cost)
        if spread(raised(levels, best[0])) <= 1:
            return best
        return self._halves_of_pairs(images, levels, tables)[:CANDIDATES] or best

    def take(self, base: Base) -> None:
        """One of the promising was taken: it may come again."""

    def _halves_of_pairs(self, bases: list[Base], levels: list[int], tables: int) -> list[Base]:
        """Those which another makes up for, so that after both the ring is perfectly level."""
        ring = self._ring
        mean, rest = divmod((tables + 2 * ring.field) * comb(ring.size, 2), comb(ring.field, 2))
        if rest:
            return []
        rises = {base.rises[1:] for base in bases}
        return [
            base
            for base in bases
            if tuple([mean - level for level in raised(levels, base)[1:]]) in rises
        ]


def _most_level(bases: list[Base], levels: list[int], cost: list[int]) -> list[Base]:
    """Those that leave the ring about as level as the best does."""
    judged = []
    for number, base in enumerate(bases):
        after = raised(levels, base)
        judged.append((spread(after), sum([cost[level] for level in after[1:]]), number))
    judged.sort()
    narrowest, cheapest, _ = judged[0]
    return [
        bases[number]
        for wide, paid, number in judged[:CANDIDATES]
        if wide == narrowest and paid <= TOLERANCE * cheapest
    ]


def _cost(ring: Ring, levels: Sequence[int], tables: int) -> list[int]:
    """What a level of 0, 1, 2, ... costs after one more cycle: the less, the nearer to the mean.

    Counted in halves, so that these are whole numbers, the same on every platform.
    """
    mean = 2 * (tables + ring.field) * comb(ring.size, 2) // comb(ring.field, 2)
    return [(2 * level - mean) ** 4 for level in range(max(levels) + 2 * ring.size + 1)]


def _climb(ring: Ring, levels: Sequence[int], cost: list[int], chance: Chance) -> Base:
    """A random table, place by place moved to where it costs least, until no move helps."""
    table = chance.shuffled(ring.field)[: ring.size]
    levels = list(levels)
    for one, other in combinations(table, 2):
        _raise(ring, levels, one, [other])
    better = True
    while better:
        better = False
        for number in chance.shuffled(ring.size):
            place, rest = table[number], table[:number] + table[number + 1 :]
            _raise(ring, levels, place, rest, -1)
            table[number] = _cheapest(ring, levels, cost, place, rest)
            _raise(ring, levels, table[number], rest)
            better |= table[number] != place
    return ring.base(tuple(sorted(table)))


def _raise(ring: Ring, levels: list[int], place: int, others: list[int], sign: int = 1) -> None:
    """Raise the levels by what a place meets others, or lower them with -1."""
    for other in others:
        distance = ring.apart[place - other]
        levels[distance] += sign * ring.rise[distance]


def _cheapest(ring: Ring, levels: list[int], cost: list[int], now: int, rest: list[int]) -> int:
    """The place that it costs least to seat with the rest of a table; `now` if none is better."""
    field, apart, rise = ring.field, ring.apart, ring.rise
    price = [cost[level + more] - cost[level] for level, more in zip(levels, rise, strict=True)]
    # Twice round, so that a slice of it is what each place in turn pays for one of the rest.
    paid = [price[distance] for distance in apart] * 2
    slices = [paid[field - other : 2 * field - other] for other in rest]
    total = list(map(sum, zip(*slices, strict=True)))
    # Half way between two of the rest a distance is paid for twice, the second time more.
    for one, other in combinations(rest, 2):
        for way in (one + other, one + other + field):
            if way % 2 == 0:
                middle = way // 2 % field
                distance = apart[middle - one]
                level = levels[distance]
                twice = cost[level + 2 * rise[distance]] - cost[level]
                total[middle] += twice - 2 * price[distance]
    free = [place for place in range(field) if place not in rest]
    best = min(free, key=total.__getitem__)
    return best if total[best] < total[now] else now
