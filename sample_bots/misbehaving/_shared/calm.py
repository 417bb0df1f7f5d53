"""Bots that play any legal action, as a start for those that have something else in mind."""

from __future__ import annotations

from arenabot import Action, ClaimsBot, ClaimsObservation


class Calm(ClaimsBot):
    """Plays any legal action, each as likely as the others."""

    def turn(self, observation: ClaimsObservation) -> Action:
        return self.rng.choice(observation.legal_actions())


class CalmAtFirst(Calm):
    """Misbehaves in its third turn and in each one after that."""

    turns = 0

    def turn(self, observation: ClaimsObservation) -> Action:
        self.turns += 1
        if self.turns > 2:
            print(f"turn {self.turns}: misbehaving", flush=True)
            self.misbehave()
        return super().turn(observation)

    def misbehave(self) -> None:
        """Do wrong before the answer."""
