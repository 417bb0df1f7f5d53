"""A seat's news tell where its match is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.games import GAMES
from arena.match.player import Answer
from arena.tournament.places import Places
from arenabot.anygame import AnyEvent, AnyPrompt
from tests.unit.match.scripted import Scripted, play, setup


class Follower(Scripted):
    """Plays at random, and says where it thinks it is, and where it is."""

    def __init__(self) -> None:
        super().__init__(self._note)
        self.places = Places()
        self.named: list[str] = []
        self.true: list[str] = []

    def _note(self, _: int, observation: object) -> None:
        round_, turn = observation.round, observation.turn  # type: ignore[attr-defined]
        self.true.append(f"round {round_}, turn {turn}" if turn else f"round {round_}, its end")

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        self.named.append(self.places.follow(news))
        return await super().turn(news, prompt, seconds)

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        assert self.places.follow(news).endswith(", its end")
        return await super().ready(news, seconds)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_place_is_the_observations_round_and_turn(game_id: str) -> None:
    """At every question of a whole match, also where Claro asks after a round."""
    players = [Follower() for _ in range(3)]
    play(setup(3, game_id), *players)
    for player in players:
        assert player.named == player.true
        assert len(player.named) > 5
