"""Plays any legal action, each as likely as the others: the bot that every other should beat."""

from arenabot import Action, ClaimsBot, ClaimsObservation, serve


class RandomClaims(ClaimsBot):
    def turn(self, observation: ClaimsObservation) -> Action:
        return self.rng.choice(observation.legal_actions())


if __name__ == "__main__":
    serve(RandomClaims)
