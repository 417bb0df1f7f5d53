"""Matches beside four programs that take all CPU time they get, with a turn timer of 100 ms.

Two honest bots, one of which computes for 5 ms in each turn, play with one that sleeps for 120 ms
in each turn from its second on, until it has too many faults.  Who is charged what shows whether
the clock can tell the machine's time from a bot's.  By hand, with a number of matches, or the
numbers of the first and of the one after the last:

    python -m tests.soak.stress 500
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.app.bots import contestants, lodging
from arena.app.home import instance, open_store
from arena.match import replay
from arena.match.setup import Timers
from arena.sandbox.instance import Instance
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import (
    Lodging,
    MatchJob,
    Played,
    SeatJob,
    Voided,
    match_id,
    match_seed,
)

SEED: Final = bytes(range(32))
HOGS: Final = 4
TURN: Final = 0.1
#: A match that was void so often is given up, as the store does it.
ATTEMPTS: Final = 3

_SHOWN: Final = ("charged_ms", "delay_ms", "lag_ms")
_BOTS: Final = {
    "honest": "self.rng.choice(observation.legal_actions())",
    "worker": "work(0.005) or self.rng.choice(observation.legal_actions())",
    "sleeper": "doze(self) or self.rng.choice(observation.legal_actions())",
}
_CODE: Final = '''
import time
from arenabot import ClaimsBot, serve

def work(seconds):
    """Use so much CPU time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass

def doze(bot):
    """Sleep 120 ms, but for the first turn."""
    if getattr(bot, "dozes", False):
        time.sleep(0.12)
    bot.dozes = True

class Bot(ClaimsBot):
    def turn(self, observation):
        return {decide}

if __name__ == "__main__":
    serve(Bot)
'''


@dataclass
class Tally:
    """What came of it."""

    stood: int = 0
    given_up: int = 0
    turns: int = 0
    voids: Counter[str] = field(default_factory=Counter)
    #: By bot, its faults by kind.
    faults: dict[str, Counter[str]] = field(default_factory=lambda: {n: Counter() for n in _BOTS})
    #: Matches in which the sleeper was never charged.
    unpunished: int = 0
    #: Honest turns that a plain clock on the wall would have called late.
    saved: int = 0
    #: The longest times of honest bots in milliseconds: charged, waited, lagged.
    longest: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_SHOWN, 0.0))
    #: How long it took.
    seconds: float = 0.0

    def count(self, match: Played, seats: tuple[SeatJob, ...]) -> None:
        """Take a match in."""
        self.stood += 1
        self.turns += match.record.turns
        for seat, fared in zip(seats, match.record.seats, strict=True):
            kinds = [fault.kind.value for fault in fared.faults]
            self.faults[seat.bot].update(kinds)
            if seat.bot == "sleeper" and "TIMEOUT" not in kinds:
                self.unpunished += 1
        for line in replay.unpack(match.record.replay):
            if line["type"] == "turn" and seats[line["seat"]].bot != "sleeper":
                self._see(line["measured"])

    def _see(self, measured: dict[str, float]) -> None:
        wall = sum(measured.get(name, 0.0) for name in _SHOWN)
        self.saved += wall > TURN * 1000
        for name in _SHOWN:
            self.longest[name] = max(self.longest[name], measured.get(name, 0.0))

    def __str__(self) -> str:
        """All of it in a few lines."""
        faults = {bot: dict(kinds) for bot, kinds in self.faults.items()}
        void = f"{sum(self.voids.values())} {dict(self.voids)}"
        longest = ", ".join(f"{name} {value:.0f}" for name, value in self.longest.items())
        return (
            f"{self.stood} matches stand, {self.turns} turns, in {self.seconds:.0f} s; "
            f"void {void}, given up {self.given_up}; seed {SEED.hex()[:8]}...\n"
            f"faults {faults}; the sleeper got away in {self.unpunished} matches\n"
            f"honest turns beyond {TURN * 1000:.0f} ms of wall time: {self.saved}; "
            f"longest: {longest}"
        )


@contextmanager
def hogs(count: int = HOGS) -> Iterator[None]:
    """Keep every core busy."""
    command = [sys.executable, "-I", "-S", "-c", "while True: pass"]
    running = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


def stress(home: Path, matches: range, *, lodged: Lodging = Lodging.DOCKER) -> Tally:
    """Play the matches of these numbers beside the hogs."""
    for name, decide in _BOTS.items():
        folder = home / "bots" / name
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(f'name = "{name}"\ngame = "claims"\n')
        (folder / "bot.py").write_text(_CODE.format(decide=decide))
    with open_store(home / "arena") as store, instance(store, containers=True) as member:
        bots = contestants.find_all(store, [str(home / "bots" / name) for name in _BOTS], "claims")
        seats = tuple(lodging.prepare(store, member, bots, lodging=lodged, game="claims"))
        began = time.monotonic()
        with hogs():
            tally = asyncio.run(_play(member, seats, lodged, matches))
        tally.seconds = time.monotonic() - began
    return tally


async def _play(
    member: Instance, seats: tuple[SeatJob, ...], lodged: Lodging, matches: range
) -> Tally:
    tally = Tally()

    async def one(number: int) -> None:
        block, rotation = divmod(number, len(seats))
        seated = seats[rotation:] + seats[:rotation]
        job = MatchJob(
            match_id=match_id(SEED, block, rotation),
            game="claims",
            options={"target": 150, "max_rounds": 3},
            seed=match_seed(SEED, block),
            seats=seated,
            timers=Timers(turn=TURN, start=20),
            lodging=lodged,
        )
        for _ in range(ATTEMPTS):
            outcome = await executor.play(job)
            if isinstance(outcome, Played):
                tally.count(outcome, seated)
                return
            assert isinstance(outcome, Voided)
            print("void:", outcome.reason.name, outcome.detail, flush=True)
            tally.voids[outcome.reason.name] += 1
        tally.given_up += 1

    async with LocalExecutor(member) as executor:
        await asyncio.gather(*(one(number) for number in matches))
    return tally


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="arena-stress-") as folder:
        numbers = [int(number) for number in sys.argv[1:]]
        print(stress(Path(folder), range(*numbers)))
