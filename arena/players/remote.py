"""A player whose bot listens at an address and speaks the protocol of docs/2-protocol.md."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Final, TypeAlias

import grpc

from arena.match.clock import MOST_TIMES, Meter, Ourselves
from arena.match.faults import FaultKind, MatchStalled, MatchVoid, PlayerFault, PlayerGone
from arena.match.measured import Measured
from arena.match.player import Answer, PlayerReport
from arena.players.blame import LATE, Ending, StreamEnded
from arena.players.channel import ask_health, connect
from arena.players.stream import Reply, Stream
from arenabot import wire
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import MatchInfo
from arenabot.events import Result
from arenabot.v1 import player_pb2 as player

Diagnose: TypeAlias = Callable[[], Awaitable[PlayerGone | None]]
"""Whoever runs the bot says why it is gone: the fault; ``None`` where it knows of nothing, since
the bot still runs or because nobody can tell; ``MatchVoid`` raised where the host itself failed.
It answers at once: a bot may still be dying, so it is asked more than once."""

# Pauses before each time that the host is asked about a connection that broke: it may take a
# moment to learn how a process ended, on a busy machine more than one.
_PATIENCE: Final = (0.0, 0.05, 0.2, 0.75, 1.0)
# Between two looks whether a bot is ready, and between two questions to its host meanwhile.
_PAUSE: Final = 0.02
_HOST_PAUSE: Final = 0.25
# What a stream may last, in times of all that its seats are allowed together, and beside that. Each
# question has a bound of its own; this one is for what nobody thought of.  A match also waits while
# its worker's other one has the core.  A person's seat has no part in it, but may not outlast it:
# the server's settings see to that.
_TIMES, _MARGIN = 10, 600.0


class RemotePlayer:
    """Plays one match through a bot's server; see ``arena.match.player.Player``."""

    def __init__(
        self,
        address: str,
        *,
        diagnose: Diagnose | None = None,
        meter: Meter | None = None,
        ours: Ourselves | None = None,
    ) -> None:
        """Talk to ``address``, a gRPC target; ``diagnose`` is asked before the bot is blamed.

        ``meter`` is the bot's, ``ours`` watches this process; without them all time is the bot's.
        """
        self._address = address
        self._diagnose = diagnose
        self._meter = meter
        self._ours = ours
        self._channel: grpc.aio.Channel | None = None
        self._stream: Stream | None = None
        self._lost: tuple[FaultKind, str] | None = None
        self._seat = 0
        self._seq = 0

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:
        """Wait until the bot says that it is ready, open its stream, tell it of the match."""
        self._seat = info.seat
        self._channel = connect(self._address)
        await self._until_serving(self._channel, seconds)
        lifetime = _TIMES * info.seats * info.budget + _MARGIN
        self._stream = Stream(self._channel, lifetime, self._meter, self._ours)
        try:
            await self._stream.tell(wire.match_started(self._next(), match_id, info))
        except StreamEnded as ended:
            ending = ended.ending
        else:
            return
        raise await self._blame(ending)

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        """Ask for an action."""
        question = wire.your_turn(self._next(), news, self._seat, prompt, seconds)
        message, took, measured = await self._ask(question, seconds)
        if message is None:
            detail = LATE.format(seconds)
            raise PlayerFault(FaultKind.TIMEOUT, detail, seconds, measured)
        action = _read(message, took, measured)
        if action is wire.READY:
            detail = "answered a turn with ready"
            raise PlayerFault(FaultKind.MALFORMED, detail, took, measured)
        return Answer(action, took, measured)

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        """Ask for "ready"; a late one is waited for no longer."""
        question = wire.ready_check(self._next(), news, self._seat, seconds)
        message, took, measured = await self._ask(question, seconds)
        if message is not None and _read(message, took, measured) is not wire.READY:
            raise PlayerFault(FaultKind.MALFORMED, "answered a ready check with an action", took)
        return took

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        """Tell the result; a bot that is gone by now misses it, which changes nothing."""
        if self._lost is None:
            message = wire.match_ended(self._next(), news, self._seat, result)
            with contextlib.suppress(StreamEnded):
                await self._opened().tell(message, last=True)

    async def close(self) -> PlayerReport:
        """Hang up.  What the bot printed is known to whoever runs it."""
        stream, self._stream = self._stream, None
        channel, self._channel = self._channel, None
        if stream is not None:
            await stream.close()
        elif channel is not None:
            await channel.close()
        return PlayerReport()

    # --- getting ready

    async def _until_serving(self, channel: grpc.aio.Channel, seconds: float) -> None:
        began = host_asked = monotonic()
        until = began + seconds
        own_time = float if self._meter is None else self._meter.stopwatch()
        said = ""
        while (problem := await ask_health(channel, until - monotonic())) is not None:
            now = monotonic()
            # The timer cuts the last question short, which says less than the answers before it.
            said = said if said and problem.silent else problem.detail
            if problem.final:
                raise await self._blame(Ending(FaultKind.PROTOCOL, problem.detail))
            if now + _PAUSE >= until:
                until = now + seconds - own_time(now - began)
                if now - began > seconds * MOST_TIMES:
                    raise MatchStalled(
                        f"a bot that has {seconds:g} s to get ready got less CPU time than that "
                        f"in {now - began:.1f} s: this machine has too much to do"
                    )
            if now + _PAUSE >= until:
                detail = f"was not ready after {round(seconds, 2):g} s: {said}"
                raise await self._blame(Ending(FaultKind.NEVER_STARTED, detail))
            if problem.unreachable and now >= host_asked + _HOST_PAUSE:
                # It may have died, and then there is no need to wait for the timer.
                host_asked = now
                if (known := await self._ask_host()) is not None:
                    raise self._lose(known.kind, known.detail)
            await asyncio.sleep(_PAUSE)

    # --- the stream

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _opened(self) -> Stream:
        if self._stream is None:
            raise RuntimeError("a player was asked before it was started or after it was closed")
        return self._stream

    async def _ask(self, question: player.PlayRequest, seconds: float) -> Reply:
        if self._lost is not None:
            raise PlayerGone(*self._lost)
        asked = monotonic()
        try:
            return await self._opened().ask(question, seconds)
        except StreamEnded as ended:
            ending = ended.ending
        # Outside of the handler: an error chained to another keeps that one's stream alive.
        raise await self._blame(ending, min(monotonic() - asked, seconds))

    # --- its end

    async def _ask_host(self) -> PlayerGone | None:
        return None if self._diagnose is None else await self._diagnose()

    async def _blame(self, ending: Ending, seconds: float = 0.0) -> PlayerGone:
        """Find out why the bot is gone: its host's word counts more than what the stream shows."""
        for pause in _PATIENCE if ending.broke and self._diagnose else _PATIENCE[:1]:
            await asyncio.sleep(pause)
            if (known := await self._ask_host()) is not None:
                return self._lose(known.kind, known.detail, seconds)
        if ending.kind is None:
            raise MatchVoid(ending.detail)
        return self._lose(ending.kind, ending.detail, seconds)

    def _lose(self, kind: FaultKind, detail: str, seconds: float = 0.0) -> PlayerGone:
        self._lost = (kind, detail)
        return PlayerGone(kind, detail, seconds)


def _read(answer: player.PlayResponse, seconds: float, measured: Measured) -> wire.Answered:
    try:
        return wire.read_answer(answer)
    except wire.WireError as error:
        raise PlayerFault(FaultKind.MALFORMED, str(error), seconds, measured) from None
