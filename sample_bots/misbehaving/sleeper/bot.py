"""Falls asleep over one move in forty, for longer than a turn may take: the default move is played.

Awake it sheds its dearest cards and claims with a small hand.
"""

import time

from arenabot import CLAIM, Action, Burn, ClaimsBot, ClaimsObservation, serve


class SleepyClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        if self.rng.random() < 1 / 40:
            time.sleep(1.2 * self.match.turn_time)
        if observation.can_claim and observation.hand_points <= 5:
            return CLAIM
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return max(burns, key=lambda burn: sum(map(observation.points_of, burn.cards)))


if __name__ == "__main__":
    serve(SleepyClaims)
