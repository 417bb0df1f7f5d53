"""Plays anything that is legal, each choice as likely as the others: the bot to beat first.

All its chance comes from ``self.rng``, so that a match can be played again move by move.
"""

from collections.abc import Iterable

from arenabot import (
    Action,
    ClaimBot,
    ClaimObservation,
    ClaimsBot,
    ClaimsObservation,
    ClaroBot,
    ClaroCard,
    ClaroObservation,
    Play,
    serve,
)


class RandomClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        return self.rng.choice(observation.legal_actions())


class RandomClaim(ClaimBot):
    def turn(self, observation: ClaimObservation) -> Action:
        return self.rng.choice(observation.legal_actions())


class RandomClaro(ClaroBot):
    def play(self, observation: ClaroObservation) -> Play:
        return Play(self.rng.choice(observation.fitting()))

    def discard(self, observation: ClaroObservation) -> Iterable[ClaroCard]:
        return [card for card in observation.hand if self.rng.random() < 1 / 2]


if __name__ == "__main__":
    serve(RandomClaims, RandomClaim, RandomClaro)
