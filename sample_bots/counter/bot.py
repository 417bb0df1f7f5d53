"""Counts cards: where every card it has seen is now, and what that makes of those it has not.

Two ideas carry it, and both are arithmetic on the unseen cards, without any chance of its own:

- A hand is worth what it will cost after the next turns, when its dearest sets are gone, not what
  it costs now (``prospect``). A blind draw is worth the average over every unseen card.
- What others hold can be told from what they burn. Whoever has just burned a five had, most
  likely, nothing dearer then: all but the card drawn since is cheap. So the chance that a claim
  holds is counted over every way to fill their hands (``chance_to_hold``).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from arenabot import (
    CLAIM,
    Action,
    Burn,
    ClaimBot,
    ClaimObservation,
    ClaimsBot,
    ClaimsObservation,
    Draw,
    Turn,
    serve,
)

Observation: TypeAlias = ClaimsObservation | ClaimObservation

#: How likely a claim must be to hold, by the number of players: the more of them there are, the
#: sooner somebody else claims. These numbers, as all the others, were found by trying.
SURE = {2: 0.87, 3: 0.75, 4: 0.70, 5: 0.60, 6: 0.55, 7: 0.45, 8: 0.45}
#: A dearer hand is never claimed, so its chance need not be counted.
DEAREST_CLAIM = 15
#: With each point that a card costs it gets less likely that somebody has kept it, ...
SHED = 0.2
#: ... and less likely yet if it is dearer than what that player burned instead.
DEARER = 0.15
#: How much it counts what a hand costs now, beside what it will cost in one and in two turns.
NOW = 0.2


class CountingClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        return decide(observation)


class CountingClaim(ClaimBot):
    def turn(self, observation: ClaimObservation) -> Action:
        return decide(observation)


def decide(observation: Observation) -> Action:
    """Claim if that is likely enough to hold; else burn and draw with the best prospect."""
    may_claim = observation.can_claim and observation.hand_points <= DEAREST_CLAIM
    if may_claim and chance_to_hold(observation) >= SURE[observation.seats]:
        return CLAIM
    return best_burn(observation)


# --- burning and drawing


def best_burn(observation: Observation) -> Burn:
    """The burn and draw after which the hand has the best prospect."""
    # How many unseen cards there are of each rank: any of them may be the next one drawn blind.
    unseen = Counter((card.rank, observation.points_of(card)) for card in observation.unseen())
    taken = observation.takeable
    choices: list[tuple[float, Burn]] = []
    for rank in sorted({card.rank for card in observation.hand}):
        # A part of a set is never burned: what stays of it would only cost more.
        burned = tuple(card for card in observation.hand if card.rank == rank)
        kept: Counter[int] = Counter()
        for card in observation.hand:
            if card.rank != rank:
                kept[card.rank] += observation.points_of(card)
        blind = sum(count * prospect(kept, *drawn) for drawn, count in unseen.items())
        choices.append((blind / unseen.total(), Burn(burned)))
        if taken:
            seen = prospect(kept, taken.rank, observation.points_of(taken))
            choices.append((seen, Burn(burned, Draw.PILE)))
    return min(choices, key=itemgetter(0))[1]


def prospect(kept: Mapping[int, int], rank: int, cost: int) -> float:
    """What a hand will cost over the next turns, in which its dearest sets go: less is better.

    ``kept`` is what its sets cost, by rank; a card of ``rank`` that costs ``cost`` comes in.
    """
    sets = sorted({**kept, rank: kept.get(rank, 0) + cost}.values(), reverse=True)
    now = sum(sets)
    in_one_turn = now - sets[0]
    in_two_turns = sum(sets[2:])
    return NOW * now + in_one_turn + in_two_turns


# --- claiming


def chance_to_hold(observation: Observation) -> float:
    """How likely it is that every other hand costs more than one's own."""
    costs = [observation.points_of(card) for card in observation.unseen()]
    burns = {
        turn.seat: turn.action
        for turn in observation.history
        if isinstance(turn, Turn) and isinstance(turn.action, Burn)
    }
    chance = 1.0
    for seat, known in enumerate(observation.known_hands()):
        room = observation.hand_points - sum(map(observation.points_of, known))
        if seat == observation.seat or room < 0:
            continue
        hidden = observation.hand_sizes[seat] - len(known)
        latest = burns.get(seat)
        # A card drawn blind in its last turn was not among those that it chose from.
        fresh = 1 if latest and latest.draw is Draw.DECK else 0
        burned = sum(map(observation.points_of, latest.cards)) if latest else math.inf
        weights = [math.exp(-SHED * cost) * (DEARER if cost > burned else 1.0) for cost in costs]
        chance *= 1 - chance_at_most(room, hidden - fresh, fresh, costs, weights)
    return chance


def chance_at_most(
    room: int, kept: int, fresh: int, costs: Sequence[int], weights: Sequence[float]
) -> float:
    """How likely ``kept`` + ``fresh`` unseen cards cost at most ``room`` together.

    A set of kept cards is as likely as the product of its cards' weights; a fresh card may be
    any. All sets of a size are counted at once, card by card, by their number and their cost.
    """
    #: By size, the weight of all sets, and by size and cost, of those that cost at most ``room``.
    every = [1.0] + [0.0] * kept
    cheap = [[0.0] * (room + 1) for _ in range(kept + 1)]
    cheap[0][0] = 1.0
    for cost, weight in zip(costs, weights, strict=True):
        for size in range(kept, 0, -1):
            every[size] += every[size - 1] * weight
            for total in range(cost, room + 1):
                cheap[size][total] += cheap[size - 1][total - cost] * weight
    if not fresh:
        return sum(cheap[kept]) / every[kept]
    fits = [sum(cost <= room - total for cost in costs) for total in range(room + 1)]
    both = sum(weight * count for weight, count in zip(cheap[kept], fits, strict=True))
    return both / every[kept] / len(costs)


if __name__ == "__main__":
    serve(CountingClaims, CountingClaim)
