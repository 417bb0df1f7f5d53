"""Answers 5 ms before each deadline: whether that is in time, one clock decides for all."""

import time

from calm import Calm

from arenabot import Action, ClaimsObservation, serve


class LastMoment(Calm):
    def turn(self, observation: ClaimsObservation) -> Action:
        time.sleep(self.match.turn_time - 0.005)
        return super().turn(observation)


if __name__ == "__main__":
    serve(LastMoment)
