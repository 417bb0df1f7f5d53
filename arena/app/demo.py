"""A first tournament for whoever has just arrived: the sample bots, sandboxed, in a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from arena.app.bots import lodging
from arena.app.bots.lodging import Choice
from arena.app.bots.samples import GOOD, MISBEHAVING, sample_bot
from arena.app.errors import ArenaError
from arena.app.exports.export import export
from arena.app.home import instance
from arena.app.rankings.ranking import Overview, overview
from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Plan
from arena.match.setup import Timers
from arena.store import NameTaken, Store, Tournament

#: Short ones: the bots need milliseconds, and who sleeps must not keep everybody waiting.  Only
#: the start has time, since a busy machine may take long over a container.
_TIMERS = Timers(turn=0.5, ready=2.0, start=30.0, budget=60.0)
_OPTIONS = {"target": 150}


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo that was set up: run its tournament, then ``finish`` it."""

    tournament: Tournament
    choice: Choice


def begin(store: Store, tell: Callable[[str], None]) -> Demo:
    """Set up a round robin at tables of two; each demo is a tournament of its own."""
    with instance(store, containers=False) as member:
        choice = lodging.choose(member, tell)
    bots = [str(_sample(name)) for name in (*GOOD, *MISBEHAVING)]
    for number in count(1):
        wanted = Plan(
            name="demo" if number == 1 else f"demo-{number}",
            game="claims",
            options=_OPTIONS,
            timers=_TIMERS,
            lodging=choice.lodging,
            trusted=True,  # they come with the arena
        )
        try:
            return Demo(setting_up.create(store, wanted, bots).tournament, choice)
        except NameTaken:
            continue
    raise AssertionError("count() never ends")


def finish(store: Store, demo: Demo) -> tuple[Overview, Path]:
    """Look at a demo that was played, with its replays and results as files in a folder."""
    name = demo.tournament.name
    folder = store.folder / "exports" / name
    export(store, name, folder)
    return overview(store, name), folder


def _sample(name: str) -> Path:
    folder = sample_bot(name)
    if folder is None:
        raise ArenaError(f"the sample bot {name} is missing: install claim-arena again")
    return folder
