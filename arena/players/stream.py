"""One match's stream to a bot: questions with a deadline go out, their answers come in.

One task reads.  It stamps each message on arrival and hands it to whoever waits for exactly this
answer; everything else is dropped and counted.  A bare timer handle looks at the question's clock:
cancelling a read would cancel the whole stream, and other time-outs cost several times as much.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

import grpc
from google.protobuf.message import DecodeError

from arena.match.clock import Meter, Ourselves, QuestionClock
from arena.match.faults import FaultKind, MatchStalled
from arena.match.measured import Measured
from arena.players.blame import FLOOD, GARBAGE, OUTLIVED, UNREAD, Ending, StreamEnded, ending_of
from arenabot.v1 import player_pb2 as player

T = TypeVar("T")

_METHOD: Final = f"/{player.DESCRIPTOR.services_by_name['PlayerService'].full_name}/Play"

#: More messages than this that nobody asked for, and the stream is closed.  Late answers are not
#: among them: a slow bot owes us those.
MAX_UNASKED: Final = 64
# How long handing over a message may take at least, in seconds, whatever the timer of its answer.
_HANDOVER: Final = 1.0
# What sums of seconds may be off by.
_ROUNDING: Final = 1e-6
# How long a bot that was told the end gets to hear it.
_LAST_WORDS: Final = 0.1


class Reply(NamedTuple):
    """What came of a question, and what it cost."""

    #: ``None`` if no answer came in time.
    message: player.PlayResponse | None
    #: The bot's own time from just before the question was sent to the arrival, if it came.
    seconds: float
    measured: Measured


class Stream:
    """The one stream of a match, and its channel with it.

    ``ask`` and ``tell`` raise ``StreamEnded`` once it is over.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        seconds: float,
        meter: Meter | None = None,
        ours: Ourselves | None = None,
    ) -> None:
        """Open it for ``seconds`` at most; ``meter`` is the bot's, if it has one."""
        self._channel = channel
        self._meter = meter
        self._ours = ours or Ourselves()
        # Answers come as bytes, so that what cannot be read is ours to judge.
        play: grpc.aio.StreamStreamMultiCallable[player.PlayRequest, bytes]
        play = channel.stream_stream(
            _METHOD, request_serializer=player.PlayRequest.SerializeToString
        )
        self._until = monotonic() + seconds
        self._call = play(timeout=seconds)
        self._loop = asyncio.get_running_loop()
        self._ending: Ending | None = None
        self._status: tuple[grpc.StatusCode, str | None] = (grpc.StatusCode.UNKNOWN, None)
        self._call.add_done_callback(self._note_status)
        self._over = False
        # The open question: its number, its time, its clock, and who waits for the answer.
        self._seq = 0
        self._seconds = 0.0
        self._clock: QuestionClock
        self._waiter: asyncio.Future[Reply | None] | None = None
        # Who is handing a message over, while somebody is, and whether that is hopeless.
        self._writer: asyncio.Task[Any] | None = None
        self._stuck = False
        self._timer: asyncio.TimerHandle
        # Questions that timed out and may still be answered.
        self._owed: set[int] = set()
        #: Answers that came too late, and messages that nobody asked for: all dropped.
        self.late = 0
        self.unasked = 0
        self._reader = self._loop.create_task(self._read())

    async def ask(self, question: player.PlayRequest, seconds: float) -> Reply:
        """Send a question and wait for its answer for ``seconds`` of the bot's own time.

        Raises ``MatchStalled`` where nobody can say whether that time is over.
        """
        self._check()
        self._seq = question.seq
        self._seconds = seconds
        waiter: asyncio.Future[Reply | None] = self._loop.create_future()
        self._waiter = waiter
        self._clock = QuestionClock(seconds, self._loop.time(), self._meter, self._ours)
        self._timer = self._loop.call_at(self._clock.due, self._beat)
        try:
            await self._write(question)
            reply = await waiter
        except StreamEnded:
            if waiter.done() and (stalled := waiter.exception()) is not None:
                raise stalled from None  # before the write was given up
            raise
        finally:
            self._timer.cancel()
            self._waiter = None
        if reply is None:
            self._check()
            raise RuntimeError("a question came to nothing on a stream that is open")
        return reply

    async def tell(self, message: player.PlayRequest, *, last: bool = False) -> None:
        """Hand over a message that has no answer; after the ``last`` one our side is closed."""
        self._check()
        self._timer = self._loop.call_later(_HANDOVER, self._hang_up)
        try:
            await self._write(message, last=last)
            self._over = last
        finally:
            self._timer.cancel()

    async def close(self) -> None:
        """Hang up and leave nothing behind; a bot that heard the end may end its side first."""
        try:
            if self._over:
                await asyncio.wait({self._reader}, timeout=_LAST_WORDS)
        finally:
            self._reader.cancel()
            self._call.cancel()
            await self._channel.close()
        await asyncio.wait({self._reader})
        # It ends by itself, whatever the bot does; what it raises is a mistake of ours.
        self._reader.result()

    # --- the deadline

    def _beat(self) -> None:
        """Look at the clock, and end the wait for an answer when the bot's time is over."""
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            try:
                over = self._clock.beat(self._loop.time())
            except MatchStalled as stalled:
                waiter.set_exception(stalled)
            else:
                if over is None:
                    self._timer = self._loop.call_at(self._clock.due, self._beat)
                    return
                self._owed.add(self._seq)
                waiter.set_result(Reply(None, *over))
        if self._writer is not None:
            # With a short timer it may be gRPC that has not come to it.
            self._timer = self._loop.call_later(_HANDOVER, self._hang_up)

    def _hang_up(self) -> None:
        """Give a write up that will not come to its end."""
        if self._writer is not None:
            self._ending = Ending(FaultKind.PROTOCOL, UNREAD)
            self._stuck = True
            self._call.cancel()
            # Not even that ends a write while gRPC waits for room in the bot's socket.
            self._writer.cancel()

    # --- the two directions

    async def _write(self, message: player.PlayRequest, *, last: bool = False) -> None:
        writer = self._writer = asyncio.current_task()
        try:
            await self._call.write(message)
            if last:
                await self._call.done_writing()
        except asyncio.CancelledError:
            if writer is not None and (writer.uncancel() if self._stuck else writer.cancelling()):
                raise
            await self._give_up()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self._give_up()
        finally:
            self._writer = None

    async def _give_up(self) -> NoReturn:
        """Nothing can be written any more: the reader learns why."""
        await asyncio.wait({self._reader})
        self._check()
        raise RuntimeError("a stream was used after it was closed")

    def _check(self) -> None:
        # A new error each time: one that is kept would keep alive whatever it passed through, and
        # with that the connection.
        if self._ending is not None:
            raise StreamEnded(self._ending)

    async def _read(self) -> None:
        """Take messages until the stream is over, and then hang up, whoever ended it."""
        try:
            ending = await self._read_on()
        except asyncio.CancelledError:
            # We hung up: in `close`, or because a write got stuck, and then the reason is known.
            ending = None
        self._ending = self._ending or ending
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        self._call.cancel()
        await self._channel.close()

    async def _read_on(self) -> Ending:
        try:
            while isinstance(raw := await self._call.read(), bytes):
                now = self._loop.time()
                try:
                    message = player.PlayResponse.FromString(raw)
                except DecodeError:
                    return Ending(FaultKind.PROTOCOL, GARBAGE)
                self._take(message, now)
                if self.unasked > MAX_UNASKED:
                    return Ending(FaultKind.PROTOCOL, FLOOD.format(self.unasked))
        except grpc.aio.AioRpcError:
            return self._judged()
        return ending_of(grpc.StatusCode.OK, None)

    def _take(self, message: player.PlayResponse, now: float) -> None:
        waiter = self._waiter
        if waiter is not None and message.seq == self._seq and not waiter.done():
            seconds, measured = self._clock.answered(now)
            in_time = seconds <= self._seconds + _ROUNDING
            self.late += not in_time
            waiter.set_result(
                Reply(message if in_time else None, min(seconds, self._seconds), measured)
            )
        elif message.seq in self._owed:
            self._owed.remove(message.seq)
            self.late += 1
        else:
            self.unasked += 1

    def _note_status(self, call: grpc.aio.StreamStreamCall[player.PlayRequest, bytes]) -> None:
        """Keep the status of the stream's end the moment that it comes.

        Later would be too late: a write that finds the stream closed puts one of gRPC's own in
        the place of what the bot said.
        """
        self._status = _at_once(call.code()), _at_once(call.details())

    def _judged(self) -> Ending:
        """Say how a stream failed."""
        code, details = self._status
        if code is grpc.StatusCode.DEADLINE_EXCEEDED and monotonic() >= self._until:
            return Ending(None, OUTLIVED)
        return ending_of(code, details)


def _at_once(ready: Coroutine[Any, Any, T]) -> T:
    """The result of something that has no need to wait."""
    try:
        ready.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise RuntimeError("it had to wait")
