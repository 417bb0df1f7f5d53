"""Bots that want time that is not theirs, in real containers: they gain nothing by it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from arena.app.bots import contestants, lodging
from arena.app.bots.samples import sample_bot
from arena.match import replay
from arena.match.record import MatchRecord
from arena.match.setup import Timers
from arena.sandbox.instance import Instance
from arena.store import Store
from arena.tournament.job import Lodging, Outcome, Played
from arena.tournament.pondering import FREE, FREE_EACH, Ponder
from arena.tournament.worker import Worker
from sample_bots.misbehaving.pack import pack
from tests.unit.tournament.jobs import job

pytestmark = [
    pytest.mark.docker,
    pytest.mark.timeout(300),
    pytest.mark.usefixtures("image"),
]


SLOW = """
import time
from arenabot import ClaimsBot, serve

class Slow(ClaimsBot):
    def turn(self, observation):
        time.sleep(0.02)
        return self.rng.choice(observation.legal_actions())

serve(Slow)
"""


def play(
    store: Store,
    member: Instance,
    folder: Path,
    name: str,
    *,
    ponder: Ponder = Ponder.FREEZE,
    timers: Timers | None = None,
) -> Outcome:
    """A match of a misbehaving bot, or an honest one, against a bot that takes 20 ms a turn."""
    honest = sample_bot("random")
    assert honest is not None
    tried = honest if name == "random" else pack(name, folder / name)
    slow = folder / f"slow-{name}"
    slow.mkdir(parents=True)
    (slow / "bot.toml").write_text('name = "slow"\ngame = "claims"\n')
    (slow / "bot.py").write_text(SLOW)
    bots = [contestants.from_path(path) for path in (tried, slow)]
    seats = lodging.prepare(store, member, bots, lodging=Lodging.DOCKER, game="claims")
    wanted = replace(
        job(folder, lodging=Lodging.DOCKER),
        seats=tuple(seats),
        options={"max_rounds": 4},
        timers=timers or Timers(),
        max_faults=3,
        ponder=ponder,
    )

    async def once() -> Outcome:
        worker = Worker(member)
        try:
            return await worker.play(wanted)
        finally:
            await worker.close()

    return asyncio.run(once())


def stood(outcome: Outcome) -> MatchRecord:
    """The match, which must stand."""
    assert isinstance(outcome, Played), outcome
    return outcome.record


def opponents_move(record: MatchRecord) -> float:
    """The median time that the other bot was charged, in milliseconds."""
    lines = replay.unpack(record.replay)
    return median(
        float(line["measured"]["charged_ms"])
        for line in lines
        if line["type"] == "turn" and line["seat"] == 1
    )


def test_who_thinks_on_others_time_is_held_still(
    store: Store, member: Instance, tmp_path: Path
) -> None:
    """It plays on, little was gained, and its opponent's moves take as long as usual."""
    control = opponents_move(stood(play(store, member, tmp_path, "random")))
    record = stood(play(store, member, tmp_path, "ponderer"))
    seat, other = record.seats
    assert seat.out is None
    assert seat.held
    assert not other.held
    assert seat.pondered is not None
    # It is found out when we look: at most 50 ms after it used up what is free, and its next turn.
    assert FREE < seat.pondered < 2 * FREE + FREE_EACH * record.turns + 0.5
    assert opponents_move(record) <= 2 * control
    *_, result = replay.unpack(record.replay)
    assert result["measured"]["held"] == [True, False]
    assert result["measured"]["pondered"][0] == pytest.approx(seat.pondered, abs=0.001)


def test_an_honest_bot_is_not_held(store: Store, member: Instance, tmp_path: Path) -> None:
    """What gRPC does after its answers is free."""
    for seat in stood(play(store, member, tmp_path, "random")).seats:
        assert seat.pondered is not None
        assert not seat.held


def test_it_can_be_measured_only_or_allowed(store: Store, member: Instance, tmp_path: Path) -> None:
    """As the organiser says."""
    measured = stood(play(store, member, tmp_path, "ponderer", ponder=Ponder.MEASURE)).seats[0]
    assert measured.pondered is not None
    assert measured.pondered > FREE
    assert not measured.held
    allowed = stood(play(store, member, tmp_path / "again", "ponderer", ponder=Ponder.ALLOW))
    assert (allowed.seats[0].pondered, allowed.seats[0].held) == (None, False)


@pytest.mark.parametrize("name", ["contends_with_itself", "provokes_stalls"])
def test_what_a_bot_does_itself_buys_neither_time_nor_another_match(
    store: Store, member: Instance, tmp_path: Path, name: str
) -> None:
    """Its threads wait for each other, it loads the machine: it is late, and the match stands."""
    record = stood(play(store, member, tmp_path, name, timers=Timers(turn=0.5)))
    seat, other = record.seats
    assert {fault.kind.value for fault in seat.faults} == {"TIMEOUT"}
    assert seat.out is not None
    assert seat.out.kind.value == "TOO_MANY_FAULTS"
    assert other.faults == ()
