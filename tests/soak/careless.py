"""Bots that play at random and answer with something illegal now and then, in every game."""

from __future__ import annotations

from typing import Any

from arenabot import (
    CLAIM,
    CLARO_CARDS,
    DECK,
    Bot,
    Burn,
    ClaimBot,
    ClaimsBot,
    ClaroBot,
    Discard,
    Draw,
    MatchInfo,
    Play,
)


class Careless:
    """What they have in common; some matches it survives, and in some it is put out."""

    rng: Any

    def match_started(self, match: MatchInfo) -> None:
        self.rate = self.rng.choice([1 / 5, 1 / 100])

    def turn(self, observation: Any) -> Any:
        if self.rng.random() < self.rate:
            return self.rng.choice(self.wrongs(observation))
        return self.rng.choice(observation.legal_actions())

    def wrongs(self, observation: Any) -> list[Any]:
        """Answers of which most are illegal here; some are right by chance."""
        raise NotImplementedError


class _CarelessBurn(Careless):
    def wrongs(self, observation: Any) -> list[Any]:
        held, absent = observation.hand[0], self.rng.choice(DECK)
        return [
            None,
            CLAIM,
            Burn(()),
            Burn((held, held)),
            Burn((held, absent)),
            Burn((absent,)),
            Burn((held,), Draw.PILE),
            Burn(tuple(observation.hand)),
            Discard(()),
            Play(CLARO_CARDS[0]),
        ]


class CarelessClaims(_CarelessBurn, ClaimsBot):
    pass


class CarelessClaim(_CarelessBurn, ClaimBot):
    pass


class CarelessClaro(Careless, ClaroBot):
    def play(self, observation: Any) -> Any:
        raise NotImplementedError

    def wrongs(self, observation: Any) -> list[Any]:
        held, absent = observation.hand[0], self.rng.choice(CLARO_CARDS)
        return [
            None,
            CLAIM,
            Play(held),
            Play(absent),
            Discard((held,)),
            Discard((held, held)),
            Discard((absent,)),
            Burn((DECK[0],)),
        ]


CARELESS: dict[str, type[Bot]] = {
    bot.game: bot for bot in (CarelessClaims, CarelessClaim, CarelessClaro)
}
