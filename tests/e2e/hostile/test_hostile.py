"""What comes of hostile and broken bots in real matches against an honest one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from arena.match.verify import verify
from arena.sandbox.logs import escaped
from arena.tournament.job import Lodging
from sample_bots.misbehaving.pack import HERE, names
from tests.e2e.hostile.bots import GIVEN_AWAY
from tests.e2e.hostile.expecting import PLAYS_ON, Expect, Setting, load
from tests.e2e.hostile.lane import Seen, Trial
from tests.e2e.hostile.lanes import Lanes

#: The tests wait for their turn on the lanes, and for the base image before that.
pytestmark = [pytest.mark.docker, pytest.mark.timeout(600)]

EXPECT = {name: load(HERE / name) for name in names()}


def trials() -> Iterator[ParameterSet]:
    """Every bot in a container, as it is by default; for the soak, some in processes, too."""
    for lodging, marks in ((Lodging.DOCKER, ()), (Lodging.PROCESS, (pytest.mark.soak,))):
        for name, expect in EXPECT.items():
            if lodging is Lodging.DOCKER or expect.process:
                trial = Trial(name, lodging, expect.setting)
                yield pytest.param(trial, id=f"{name}-{lodging.value}", marks=marks)


_LOG_BYTES = 256 << 10
#: A match may take this many times as long as expected: other tests run beside it.
_BUSY = 3
#: An honest move may take this many times the control's, or this many milliseconds.
_TIMES, _USUAL_MS, _SLOWEST_MS = 10, 60, 1500


@pytest.mark.parametrize("trial", list(trials()))
def test_it_gets_what_it_deserves_and_nobody_else_does(
    trial: Trial, lanes: Lanes, canary: str
) -> None:
    """The verdict and the author's sentence are right; opponent, worker and machine are unhurt."""
    seen, expect = lanes.seen(trial, 580), EXPECT[trial.name].where(trial.lodging)
    the_verdict_is_right(seen, expect)
    the_log_can_be_shown(seen, expect, canary)
    one_clock_decides(seen)
    the_opponent_is_unhurt(seen, lanes.controls)
    assert seen.grown_mib <= expect.memory_mib
    assert seen.seconds <= expect.seconds * _BUSY
    assert seen.left == []


@pytest.mark.parametrize(
    "trial", [Trial("searches_files" + GIVEN_AWAY, Lodging.DOCKER, Setting())], ids=["canary"]
)
def test_a_canary_within_reach_is_found(trial: Trial, lanes: Lanes) -> None:
    """So that to find none says something."""
    assert "files: ['/bot/canary.txt']" in lanes.seen(trial, 580).record.seats[0].log


def the_verdict_is_right(seen: Seen, expect: Expect) -> None:
    """The seat's end, its faults, and what its author is told."""
    seat = seen.record.seats[0]
    said = [f"{fault.kind.value}: {fault.detail}" for fault in seat.faults]
    verdict = PLAYS_ON if seat.out is None else seat.out.kind.value
    assert verdict == expect.verdict, said
    assert any(expect.says in sentence for sentence in said) or not expect.says, said
    assert all(sentence.isprintable() and len(sentence) < 300 for sentence in said), said
    kinds = {fault.kind.value for fault in seat.faults} - {verdict}
    assert expect.held in {None, seat.held}, f"thought for {seat.pondered} s on others' time"
    assert set(expect.faults) <= kinds <= {*expect.faults, *expect.perhaps}, said


def the_log_can_be_shown(seen: Seen, expect: Expect, canary: str) -> None:
    """It is capped, harmless once it is escaped, and holds what is expected but no canary."""
    log = seen.record.seats[0].log
    assert len(log) <= _LOG_BYTES
    assert all(char.isprintable() or char in "\n\t" for char in escaped(log))
    assert expect.log in log
    assert canary not in log


def one_clock_decides(seen: Seen) -> None:
    """A decision counts if it took less than there was, else it is late; the rules hold for all."""
    assert verify(seen.lines).holds
    allowed = seen.trial.setting.turn * 1000
    for line in seen.lines:
        if line["type"] == "turn" and line["fault"] in {None, "TIMEOUT"}:
            charged = line["measured"]["charged_ms"]
            assert charged == allowed if line["fault"] else charged <= allowed, line


def the_opponent_is_unhurt(seen: Seen, controls: list[Seen]) -> None:
    """It has no faults, plays on, and its moves take about as long as against an honest bot."""
    seat = seen.record.seats[seen.trial.opponent]
    assert (seat.faults, seat.out) == ((), None)
    usual, slowest = (
        max(getattr(control, what) for control in controls) for what in ("usual", "slowest")
    )
    assert seen.usual <= max(_TIMES * usual, _USUAL_MS)
    assert seen.slowest <= max(_TIMES * slowest, _SLOWEST_MS)
