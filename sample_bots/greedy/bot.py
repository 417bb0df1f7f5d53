"""Takes what looks best right now, and looks at nothing but its own hand and the open card.

Claims and Claim!: it sheds as many points as it can each turn and claims with a small hand.
Claro: it puts down the lowest card that fits, so that the high ones last, and keeps those.
"""

from collections.abc import Iterable

from arenabot import (
    CLAIM,
    Action,
    Burn,
    ClaimBot,
    ClaimObservation,
    ClaimsBot,
    ClaimsObservation,
    ClaroBot,
    ClaroCard,
    ClaroObservation,
    Draw,
    Play,
    serve,
)

#: A hand of this many points or less is claimed.
CLAIM_AT = 4
#: What a card drawn blind costs on average.
BLIND = 6.5
#: A card that pairs with one in hand goes out together with it later: it costs a part only.
PAIR = 0.4
#: Claro: a card with a lower number than this is not worth keeping for the next round.
KEEP_FROM = 34


class GreedyClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        return decide(observation)


class GreedyClaim(ClaimBot):
    def turn(self, observation: ClaimObservation) -> Action:
        return decide(observation)


def decide(observation: ClaimsObservation | ClaimObservation) -> Action:
    """Claim with a small hand; else burn and draw so that the hand gets as small as can be."""
    if observation.can_claim and observation.hand_points <= CLAIM_AT:
        return CLAIM
    burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
    return min(burns, key=lambda burn: cost_after(observation, burn))


def cost_after(observation: ClaimsObservation | ClaimObservation, burn: Burn) -> float:
    """What the hand will cost after this burn and draw, as far as can be told."""
    kept = [card for card in observation.hand if card not in burn.cards]
    cost = float(sum(map(observation.points_of, kept)))
    taken = observation.takeable
    if burn.draw is Draw.DECK or taken is None:
        return cost + BLIND
    pairs = any(card.rank == taken.rank for card in kept)
    return cost + observation.points_of(taken) * (PAIR if pairs else 1)


class GreedyClaro(ClaroBot):
    def play(self, observation: ClaroObservation) -> Play:
        return Play(observation.fitting()[0])

    def discard(self, observation: ClaroObservation) -> Iterable[ClaroCard]:
        # Jokers have no number and are kept.
        return [card for card in observation.hand if card.number and card.number < KEEP_FROM]


if __name__ == "__main__":
    serve(GreedyClaims, GreedyClaim, GreedyClaro)
