"""Counts every card it has seen, and claims when its count says that the claim will hold.

It deals the unseen cards to the others many times over, each hand with the cards that are known
to be in it, and counts how often nobody ends up at or below its own hand.  Players shed their
dear cards first, so a card is dealt to a hand the less likely the dearer it is.
"""

import math
from collections.abc import Sequence

from arenabot import CLAIM, Action, Burn, ClaimsBot, ClaimsObservation, Draw, serve

#: How many times the unseen cards are dealt for one decision.
DEALS = 80
#: How sure a claim must be at a table of two; each further player makes waiting riskier.
SURE = {2: 0.9, 3: 0.75}
SURE_ENOUGH = 0.6
#: By how much each point of a card lessens the chance that another player has kept it.
SHED = 0.12
#: What a card drawn blind costs on average, and what part of that a pairing card costs.
BLIND = 5.0
PAIR = 0.35


class CountingClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        if observation.can_claim and self.chance(observation) >= SURE.get(
            observation.seats, SURE_ENOUGH
        ):
            return CLAIM
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return min(burns, key=lambda burn: self.cost(observation, burn))

    def chance(self, observation: ClaimsObservation) -> float:
        """How likely it is that a claim holds now."""
        unseen = observation.unseen()
        costs = [observation.points_of(card) for card in unseen]
        # A card's key is -log(u) / weight: the smallest keys are a weighted draw without return.
        weights = [math.exp(-SHED * cost) for cost in costs]
        hidden, known = self.others(observation)
        held = sum(
            self.deal_holds(observation.hand_points, costs, weights, hidden, known)
            for _ in range(DEALS)
        )
        return held / DEALS

    def deal_holds(
        self,
        mine: int,
        costs: Sequence[int],
        weights: Sequence[float],
        hidden: Sequence[int],
        known: Sequence[int],
    ) -> bool:
        """Whether nobody is at or below `mine` in one deal of the unseen cards."""
        random = self.rng.random
        keys = [-math.log(1.0 - random()) / weight for weight in weights]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        at = 0
        for count, base in zip(hidden, known, strict=True):
            total = base + sum(costs[index] for index in order[at : at + count])
            if total <= mine:
                return False
            at += count
        return True

    def others(self, observation: ClaimsObservation) -> tuple[list[int], list[int]]:
        """For each other seat, how many of its cards are unknown and what the known ones cost."""
        hidden, known = [], []
        for seat, hand in enumerate(observation.known_hands()):
            if seat != observation.seat:
                hidden.append(observation.hand_sizes[seat] - len(hand))
                known.append(sum(map(observation.points_of, hand)))
        return hidden, known

    def cost(self, observation: ClaimsObservation, burn: Burn) -> float:
        """What the hand will cost after this burn and draw, as far as can be told."""
        kept = [card for card in observation.hand if card not in burn.cards]
        cost = float(sum(map(observation.points_of, kept)))
        drawn = observation.takeable
        if burn.draw is Draw.DECK or drawn is None:
            return cost + BLIND
        pairs = any(card.rank == drawn.rank for card in kept)
        return cost + observation.points_of(drawn) * (PAIR if pairs else 1)


if __name__ == "__main__":
    serve(CountingClaims)
