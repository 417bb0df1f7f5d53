"""A person sits down with bots: a whole match through the seam that the pages use."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from arena.app.conductor import Conductor
from arena.app.people import HouseRules, LiveTable, Wish
from arena.games import GAMES
from arena.match import replay
from arena.match.replay import Line
from arena.match.spectating import seen_by
from arena.match.verify import verify
from arena.players.choices import Choices, Kind
from arena.store import (
    PersonMatch,
    PersonMatchState,
    Seeing,
    Store,
)
from arena.tournament.chair import Asked
from arena.tournament.job import Lodging
from tests.integration.server.conducting import PATIENCE, until

ANA = "ana"
#: What an answer of hers to a question is.
Answering = Callable[[Asked], dict[str, Any] | None]


def anything(choices: Choices, rng: random.Random) -> dict[str, Any]:
    """Some answer that can be given."""
    if choices.kind is Kind.READY:
        return {"ready": True}
    if choices.kind is Kind.DISCARD:
        return {"discard": rng.sample(choices.discard, rng.randint(0, len(choices.discard)))}
    if choices.play:
        return {"play": rng.choice(choices.play)}
    if choices.claim:
        return {"claim": True}
    cards = rng.choice(choices.burn)
    return {"burn": rng.sample(cards, rng.randint(1, len(cards))), "draw": rng.choice(choices.draw)}


def at_random(seed: int = 1) -> Answering:
    """Answers anything, at once."""
    rng = random.Random(seed)
    return lambda asked: anything(asked.choices, rng)


@asynccontextmanager
async def house(store: Store, **changes: Any) -> AsyncIterator[Conductor]:
    """A server in which people play against trusted bots in processes."""
    rules = replace(HouseRules(lodging=Lodging.PROCESS), **changes)
    conductor = Conductor(store, workers=1, house=rules)
    await conductor.start()
    try:
        yield conductor
    finally:
        await conductor.close()


async def answer_all(table: LiveTable, answering: Answering) -> list[Asked]:
    """Answer each question once, until the match ends; None lets the time run out."""
    asked: list[Asked] = []
    async for question in table.questions():
        if question is not None and (not asked or question.number > asked[-1].number):
            asked.append(question)
            said = answering(question)
            if said is not None:
                await table.answer(question.number, said)
    return asked


async def seen_of(table: LiveTable) -> list[Line]:
    """All that the seat is told."""
    return [line async for line in table.watch()]


async def until_ended(store: Store, id_: str) -> PersonMatch:
    """Wait until it is recorded how it ended."""
    await until(lambda: store.people.get(id_).state.ended)
    return store.people.get(id_)


async def whole_match(
    conductor: Conductor, store: Store, wish: Wish, answering: Answering
) -> tuple[PersonMatch, list[Line], list[Asked]]:
    """Sit down and play."""
    id_ = await conductor.people.sit_down(wish, ANA)
    table = conductor.people.table(id_, ANA)
    async with asyncio.timeout(PATIENCE):
        seen, asked = await asyncio.gather(seen_of(table), answer_all(table, answering))
    return await until_ended(store, id_), seen, asked


def replay_of(conductor: Conductor, match: PersonMatch) -> list[Line]:
    """The lines of its replay."""
    return list(replay.unpack(conductor.people.replay(match.id, Seeing(ANA))))


SHORT: dict[str, dict[str, Any]] = {
    "claims": {"target": 150, "max_rounds": 3},
    "claim": {"max_rounds": 3},
    "claro": {},
}


@pytest.mark.parametrize("game", GAMES)
async def test_a_person_plays_a_whole_match(store: Store, game: str) -> None:
    """Of each game; what was seen is what the replay tells this seat, and the replay holds."""
    others = ("sample/random",) * (GAMES[game].seats[0] - 1)
    async with house(store) as conductor:
        wish = Wish(game, others, SHORT[game], seat=1)
        match, seen, asked = await whole_match(conductor, store, wish, at_random())
        lines = replay_of(conductor, match)
    assert match.state is PersonMatchState.OVER
    assert match.result is not None
    assert match.result.faults == (0,) * (len(others) + 1)
    assert {question.choices.kind for question in asked} >= {Kind.TURN, Kind.READY}
    assert verify(lines).holds
    assert seen == [told for line in lines if (told := seen_by(line, 1)) is not None]
    assert lines[0]["seats"][1] == {"bot": "person", "version": "", "digest": "", "person": True}
    assert ANA not in json.dumps(lines)
