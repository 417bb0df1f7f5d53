"""Whole matches of real bots, some of which fail, in a store: for the viewer to show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.games import GAMES
from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.play import play_match
from arena.match.player import Answer
from arena.match.record import MatchRecord
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.local import LocalPlayer
from arena.store import (
    NewResult,
    SeatFault,
    SeatResult,
    Store,
    StoredMatch,
    Tournament,
)
from arena.tournament.inprocess import bot_class
from arenabot.anygame import AnyEvent, AnyPrompt

ROOT = Path(__file__).parents[4]
TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.seats]
#: A name that is longer than any seat is wide, and tries to be markup.
WILD = "<b onclick=alert(1)>wild</b>-with-a-name-that-does-not-end"


class Late(LocalPlayer):
    """Does not answer every seventh turn, and leaves for good at the thirtieth."""

    turns = 0

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        answer = await super().turn(news, prompt, seconds)
        self.turns += 1
        if self.turns == 30:
            raise PlayerGone(FaultKind.CRASHED, "it stopped", 0.1)
        if self.turns % 7 == 0:
            raise PlayerFault(FaultKind.TIMEOUT, "no answer", 20.0)
        return answer


def played(game: str, seats: int, *, faults: bool = True) -> MatchRecord:
    """Play a match; the last seat's bot fails if `faults`."""
    names = [("greedy", "random")[seat % 3 == 2] for seat in range(seats)]
    kinds = [bot_class(ROOT / "sample_bots" / name, "bot.py", game) for name in names]
    players = [LocalPlayer(kind) for kind in kinds]
    if faults:
        players[-1] = Late(kinds[-1])
    shown = [f"{name}-{seat}" for seat, name in enumerate(names)]
    if faults:
        shown[-1] = WILD
    setup = MatchSetup(
        match_id=f"{game}{seats}",
        game=game,
        options=GAMES[game].options(),
        seed=bytes([seats]) * 32,
        seats=tuple(SeatInfo(name, "1", "0" * 64) for name in shown),
    )
    # The browser of the tests has an event loop in this thread.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, play_match(setup, players)).result()


def kept(store: Store, record: MatchRecord, tournament: Tournament) -> None:
    """Keep a played match as every match of a tournament's first block."""
    for match in store.matches(tournament.id):
        if match.key.block == 0:
            store.record_result(tournament.id, _result(match, record), record.replay)


def _result(match: StoredMatch, record: MatchRecord) -> NewResult:
    result = record.result
    seats = tuple(
        SeatResult(
            seat=seat,
            entry=entry,
            rank=result.ranks[seat],
            total=result.totals[seat],
            faults=tuple(
                SeatFault(fault.round, fault.turn, fault.kind.value)
                for fault in record.seats[seat].faults
            ),
            outcome="PLAYED",
            detail="Your bot played to the end.",
            charged_ms=1000 * record.seats[seat].seconds,
            peak_memory=None,
        )
        for seat, entry in enumerate(match.seating)
    )
    return NewResult(
        match_id=match.id,
        reason=result.reason.value,
        rounds=record.rounds,
        turns=record.turns,
        replay_digest=record.digest,
        seats=seats,
        measured={},
    )
