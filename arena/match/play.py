"""The match loop: asks the players, keeps their accounts, applies the rules, tells the replay."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from arena.games import IllegalAction, Phase, State, game
from arena.games.chance import bot_seed
from arena.games.luck import luck_of
from arena.match import replay
from arena.match.faults import Fault, FaultKind, PlayerFault, PlayerGone
from arena.match.measured import Measured
from arena.match.player import Player, PlayerReport
from arena.match.record import MatchRecord, SeatRecord
from arena.match.setup import MatchSetup
from arena.match.transcript import Transcript
from arenabot.anygame import AnyAction, AnyEvent
from arenabot.bots import MatchInfo
from arenabot.driver import brief

T = TypeVar("T")


async def play_match(
    setup: MatchSetup, players: Sequence[Player], transcript: Transcript | None = None
) -> MatchRecord:
    """Play a match to its end and return its record; the players are closed, come what may.

    Whoever hands in an empty ``transcript`` can follow the match in it.
    Raises ``MatchVoid`` where we spoilt it, ``ValueError`` for a setup that cannot be played.
    """
    if len(players) != len(setup.seats):
        raise ValueError(f"{len(setup.seats)} seats cannot be played by {len(players)} players")
    match = _Match(setup, players, transcript or Transcript())
    try:
        await match.play()
    finally:
        await match.close()
    return match.record()


@dataclass(slots=True)
class _Seat:
    """One seat's player and its account."""

    number: int
    player: Player
    #: Seconds for all of the match.
    budget: float
    #: How many of this round's events it has been told.
    told: int = 0
    #: Seconds of its own time so far, and the longest single turn.
    seconds: float = 0.0
    slowest: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    #: Why it plays default moves to the end, once it does.
    out: Fault | None = None
    #: What its player reported when it was closed.
    report: PlayerReport = field(default_factory=PlayerReport)
    closed: bool = False


class _Decision(NamedTuple):
    """What came of asking a seat: an action, or the fault for which a default move stands in."""

    action: AnyAction | None
    fault: FaultKind | None
    seconds: float
    measured: Measured | None = None


class _Match:
    """One match in play."""

    def __init__(
        self, setup: MatchSetup, players: Sequence[Player], transcript: Transcript
    ) -> None:
        self.setup = setup
        self.timers = setup.timers
        self.state: State = game(setup.game).new_match(
            seats=len(players), seed=setup.seed, options=setup.options
        )
        self.luck = luck_of(setup.options, len(players))
        self.seats = [
            _Seat(number, player, setup.person_budget if seated.person else self.timers.budget)
            for number, (player, seated) in enumerate(zip(players, setup.seats, strict=True))
        ]
        self.transcript = transcript
        transcript.add(replay.header(setup))
        #: How many of this round's events the replay holds.
        self.written = 0
        self.turns = 0
        #: By seat, its last decision and why a default move stood in for it, if one did.
        self.notes: dict[int, tuple[FaultKind | None, _Decision]] = {}
        self.began = time.monotonic()
        self.seconds = 0.0

    async def play(self) -> None:
        """Play from the first deal to the result."""
        await _together(self._start(seat) for seat in self.seats)
        self._write_events(0)
        while self.state.phase is not Phase.OVER:
            if self.state.phase is Phase.PLAYING:
                await self._play_turn()
            else:
                await _together(self._ready(seat) for seat in self._asked())
                self._next_round()
        result = self.state.result()
        await _together(seat.player.end(self._news(seat), result) for seat in self._asked())
        self.seconds = time.monotonic() - self.began

    async def close(self) -> None:
        """Close every player, also while being cancelled, and keep what they report."""
        await _together(self._close(seat) for seat in self.seats)

    def record(self) -> MatchRecord:
        """Put together what is left of the match, once its players are closed."""
        self.transcript.add(self._result_line())
        lines = self.transcript.lines
        return MatchRecord(
            match_id=self.setup.match_id,
            result=self.state.result(),
            rounds=self.state.round,
            turns=self.turns,
            seats=tuple(
                SeatRecord(
                    faults=tuple(seat.faults),
                    out=seat.out,
                    seconds=seat.seconds,
                    slowest=seat.slowest,
                    luck=round(self.luck.by_seat[seat.number], 6),
                    peak_memory=seat.report.peak_memory,
                    log=seat.report.log,
                    pondered=seat.report.pondered,
                    held=seat.report.held,
                )
                for seat in self.seats
            ),
            replay=replay.pack(lines),
            digest=replay.digest(lines),
            seconds=self.seconds,
        )

    # --- asking

    def _asked(self) -> list[_Seat]:
        """The seats that still play for themselves."""
        return [seat for seat in self.seats if seat.out is None]

    def _news(self, seat: _Seat) -> Sequence[AnyEvent]:
        news = self.state.events[seat.told :]
        seat.told = len(self.state.events)
        return news

    async def _start(self, seat: _Seat) -> None:
        info = MatchInfo(
            game=self.setup.game,
            options=self.setup.options,
            seat=seat.number,
            seats=len(self.seats),
            bot_seed=bot_seed(self.setup.seed, self.setup.game, seat.number),
            turn_time=self.timers.turn,
            ready_time=self.timers.ready,
            budget=self.timers.budget,
        )
        try:
            await seat.player.start(self.setup.match_id, info, self.timers.start)
        except PlayerGone as gone:
            await self._put_out(seat, gone.kind, gone.detail, before_the_deal=True)

    async def _ready(self, seat: _Seat) -> None:
        """Ask for "ready": a late one is no fault, but it is the seat's time (RULINGS X13)."""
        allowed = min(self.timers.ready, seat.budget - seat.seconds)
        if allowed <= 0:
            return
        try:
            seat.seconds += await seat.player.ready(self._news(seat), allowed)
        except PlayerGone as gone:
            await self._put_out(seat, gone.kind, gone.detail)
        except PlayerFault as fault:
            seat.seconds += fault.seconds
            await self._blame(seat, fault.kind, fault.detail)

    async def _play_turn(self) -> None:
        """Ask whoever is to act, all at once, then apply what they decided in seat order."""
        acting = [self.seats[number] for number in self.state.to_act]
        if len(acting) == 1:
            decisions = [await self._decide(acting[0])]
        else:
            decisions = await _together(self._decide(seat) for seat in acting)
        for seat, decision in zip(acting, decisions, strict=True):
            await self._apply(seat, decision)

    async def _decide(self, seat: _Seat) -> _Decision:
        left = seat.budget - seat.seconds
        if seat.out is None and left <= 0:
            await self._spent(seat)
        if seat.out is not None:
            return _Decision(None, seat.out.kind, 0.0)
        allowed = min(self.timers.turn, left)
        prompt = self.state.prompt(seat.number)
        try:
            answer = await seat.player.turn(self._news(seat), prompt, allowed)
        except PlayerGone as gone:
            self._charge(seat, gone.seconds)
            await self._put_out(seat, gone.kind, gone.detail)
            return _Decision(None, gone.kind, gone.seconds)
        except PlayerFault as fault:
            self._charge(seat, fault.seconds)
            if fault.kind is FaultKind.TIMEOUT and allowed < self.timers.turn:
                await self._spent(seat)
                return _Decision(None, FaultKind.BUDGET, fault.seconds, fault.measured)
            await self._blame(seat, fault.kind, fault.detail)
            return _Decision(None, fault.kind, fault.seconds, fault.measured)
        self._charge(seat, answer.seconds)
        return _Decision(answer.action, None, answer.seconds, answer.measured)

    async def _apply(self, seat: _Seat, decision: _Decision) -> None:
        number = self.state.turn
        fault = decision.fault
        if decision.action is not None:
            try:
                self.state.apply(decision.action, seat.number)
            except IllegalAction as illegal:
                fault = FaultKind.ILLEGAL
                await self._blame(seat, fault, brief(str(illegal)))
        if fault is not None:
            default = self.state.default_action(seat.number)
            self.state.apply(default, seat.number, default=True)
        self.turns += 1
        self.notes[seat.number] = (fault, decision)
        self._write_events(number)

    # --- accounts

    @staticmethod
    def _charge(seat: _Seat, seconds: float) -> None:
        seat.seconds += seconds
        seat.slowest = max(seat.slowest, seconds)

    async def _blame(self, seat: _Seat, kind: FaultKind, detail: str) -> None:
        """Note a fault, and put the seat out if that was one too many."""
        seat.faults.append(Fault(self.state.round, self.state.turn, kind, detail))
        if len(seat.faults) > self.setup.max_faults:
            text = f"{len(seat.faults)} faults in one match, where {self.setup.max_faults} may be"
            seat.out = Fault(self.state.round, self.state.turn, FaultKind.TOO_MANY_FAULTS, text)
            await self._close(seat)

    async def _spent(self, seat: _Seat) -> None:
        text = f"used {seat.seconds:.1f} s of the {seat.budget:g} s that a match allows"
        await self._put_out(seat, FaultKind.BUDGET, text)

    async def _put_out(
        self, seat: _Seat, kind: FaultKind, detail: str, *, before_the_deal: bool = False
    ) -> None:
        """Let the seat play default moves from here to the end; its bot is stopped at once."""
        at = (0, 0) if before_the_deal else (self.state.round, self.state.turn)
        seat.out = Fault(*at, kind, detail)
        seat.faults.append(seat.out)
        await self._close(seat)

    @staticmethod
    async def _close(seat: _Seat) -> None:
        if not seat.closed:
            seat.report = await seat.player.close()
            seat.closed = True

    # --- telling

    def _next_round(self) -> None:
        self.state.next_round()
        self.written = 0
        for seat in self.seats:
            seat.told = 0
        self._write_events(0)

    def _write_events(self, number: int) -> None:
        """Add the lines of what turn ``number`` brought; 0 is the deal.

        All that a seat is asked about stands in lines before it is asked.
        """
        for event in self.state.events[self.written :]:
            self.luck.see(event)
            line = replay.event_line(event, self.state.round, number)
            if isinstance(event, replay.DECISIONS):
                fault, decision = self.notes.pop(event.seat)
                line["fault"] = None if fault is None else fault.value
                line["measured"] = replay.time_shown(decision.seconds, decision.measured)
            self.transcript.add(line)
        self.written = len(self.state.events)

    def _result_line(self) -> replay.Line:
        line = replay.result_line(self.state.result(), (seat.faults for seat in self.seats))
        line["out"] = [None if seat.out is None else seat.out.kind.value for seat in self.seats]
        line["measured"] = {
            "seconds": round(self.seconds, 3),
            "charged": [round(seat.seconds, 3) for seat in self.seats],
            "pondered": [
                None if seat.report.pondered is None else round(seat.report.pondered, 3)
                for seat in self.seats
            ],
            "held": [seat.report.held for seat in self.seats],
        }
        return line


async def _together(steps: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run steps side by side; the first failure cancels the others and is raised alone."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(step) for step in steps]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
