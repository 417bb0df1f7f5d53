"""The base classes: what a bot is told, and the chance of its own."""

from __future__ import annotations

from typing import Any

import pytest

from arenabot import ClaimBot, ClaimsBot, ClaimsOptions, ClaroBot, MatchInfo
from arenabot.bots import Bot


class First(ClaimsBot):
    """The least that is a bot."""

    def turn(self, observation: Any) -> Any:
        return observation.legal_actions()[0]


def info(bot_seed: int = 7) -> MatchInfo:
    """What a bot is told at the start."""
    return MatchInfo("claims", ClaimsOptions(), 1, 2, bot_seed, 20.0, 60.0, 600.0)


@pytest.mark.parametrize("base", [Bot, ClaimsBot, ClaimBot, ClaroBot])
def test_a_bot_without_its_one_method_cannot_be_made(base: type[Bot]) -> None:
    """Python says which method is missing."""
    with pytest.raises(TypeError, match=r"abstract.*(turn|play)"):
        base()


def test_each_base_class_names_its_game() -> None:
    """As the registry of games does."""
    assert (ClaimsBot.game, ClaimBot.game, ClaroBot.game) == ("claims", "claim", "claro")


def test_the_match_and_its_chance_are_there_when_match_started_is_called() -> None:
    """So that a bot can prepare with them."""

    class Preparing(First):
        def match_started(self, match: MatchInfo) -> None:
            self.prepared = (self.match is match, self.rng.random())

    bots = [Preparing() for _ in range(2)]
    for bot in bots:
        bot.begin(info())
    assert bots[0].prepared[0]
    assert bots[0].prepared == bots[1].prepared


def test_another_bot_seed_gives_other_chance() -> None:
    """And equal ones equal chance, whatever else is random."""
    draws = []
    for seed in (7, 7, 8):
        bot = First()
        bot.begin(info(seed))
        draws.append(bot.rng.random())
    assert draws[0] == draws[1] != draws[2]


def test_the_optional_methods_do_nothing() -> None:
    """A bot that leaves them out is told everything all the same."""
    bot = First()
    bot.begin(info())
    for told in (bot.round_ended, bot.match_ended):
        tell: Any = told
        assert tell(None) is None


def test_a_claro_bot_discards_nothing_unless_it_says_otherwise() -> None:
    """The default of the method is an empty choice."""

    class Playing(ClaroBot):
        def play(self, observation: Any) -> Any:
            raise NotImplementedError

    nothing: Any = None
    assert tuple(Playing().discard(nothing)) == ()
