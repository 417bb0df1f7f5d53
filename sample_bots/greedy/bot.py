"""Sheds as many points as it can each turn and claims as soon as its hand is small.

It looks no further than its own hand and the card that it may take.
"""

from arenabot import CLAIM, Action, Burn, ClaimsBot, ClaimsObservation, Draw, serve

#: A hand of this many points or less is claimed.
CLAIM_AT = 4
#: What a card drawn blind costs on average.
BLIND = 6.5
#: A card that pairs with one in hand goes out together with it later: it costs a part only.
PAIR = 0.4


class GreedyClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        if observation.can_claim and observation.hand_points <= CLAIM_AT:
            return CLAIM
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return min(burns, key=lambda burn: self.cost(observation, burn))

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
    serve(GreedyClaims)
