"""Takes most of the time in each turn, which it may, until its match's budget is used up."""

import time

from calm import Calm

from arenabot import Action, ClaimsObservation, serve


class Dawdler(Calm):
    def turn(self, observation: ClaimsObservation) -> Action:
        time.sleep(0.6 * self.match.turn_time)
        return super().turn(observation)


if __name__ == "__main__":
    serve(Dawdler)
