"""Burns a card that it doesn't hold in one move in twenty: the default move is played instead.

Otherwise it sheds its dearest cards and claims with a small hand.
"""

from arenabot import CLAIM, DECK, Action, Burn, ClaimsBot, ClaimsObservation, burn, serve


class CheatingClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        if self.rng.random() < 1 / 20:
            return burn(self.rng.choice([card for card in DECK if card not in observation.hand]))
        if observation.can_claim and observation.hand_points <= 5:
            return CLAIM
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return max(burns, key=lambda action: sum(map(observation.points_of, action.cards)))


if __name__ == "__main__":
    serve(CheatingClaims)
