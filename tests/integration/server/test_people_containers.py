"""A person plays against bots in real containers, as on a server."""

from __future__ import annotations

import docker
import pytest

from arena.app.conducting.conductor import Conductor
from arena.app.conducting.inviting import Wish
from arena.games import GAMES
from arena.match.verify import verify
from arena.sandbox.instance import store_labels
from arena.store import PersonMatchState, Store
from tests.integration.server.test_people import SHORT, at_random, replay_of, whole_match

pytestmark = [pytest.mark.docker, pytest.mark.timeout(300)]


async def test_a_person_plays_against_bots_in_containers(
    image: None, store: Store, engine: docker.APIClient
) -> None:
    """A whole match of each game; nothing is left of it afterwards."""
    conductor = Conductor(store, workers=1)
    await conductor.start()
    try:
        for game, rules in GAMES.items():
            wish = Wish(game, ("sample/greedy",) * (rules.seats[0] - 1), SHORT[game])
            match, _, _ = await whole_match(conductor, store, wish, at_random())
            assert match.state is PersonMatchState.OVER, match.why
            assert match.result is not None
            assert sum(match.result.faults) == 0
            lines = replay_of(conductor, match)
            assert verify(lines).holds
            assert lines[0]["measured"]["provenance"]["base_image"].startswith("sha256:")
    finally:
        await conductor.close()
    wanted = [f"{key}={value}" for key, value in store_labels(store.run_folder, store.id).items()]
    assert engine.containers(all=True, filters={"label": wanted}) == []
