"""What a question costs a seat: its own time, and nothing that others took from it. Pure.

Charged is the wall time from the question to the answer, less the time that the bot had something
to run while others held the CPUs, less the time by which we noticed late. Never less than the CPU
time that it used, since nobody can have kept it from running while it ran: waiting that a bot
brings on itself, in threads that wait for each other, buys it nothing. Sleep is charged in full.

Times are seconds on one monotonic clock, which the caller reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from arena.match.faults import MatchStalled
from arena.match.measured import Measured

#: We look for the first time so long after a question, or after a tenth of its time if that is
#: less, and then so often while it is open.
FIRST_BEAT: Final = 0.01
BEAT: Final = 0.02
#: A beat that comes so late that the time is not the bot's, whatever it did meanwhile.
STOOD_STILL: Final = 0.05
#: A beat that comes later than that may leave an answer unread, which is looked for once more.
ON_TIME: Final = 0.002
#: For how long we look, at most.
PATIENCE: Final = 0.1
#: How many times its time a question may take by the clock on the wall, and seconds beside.
MOST_TIMES, MOST_BESIDE = 10, 2.0
#: The same where the bot did not wait but we were busy: with whatever it sends, it may be.
MOST_TIMES_FOR_US: Final = 2
_MARKS: Final = 8
# Time that is too short to wait for.
_NOTHING: Final = 0.0005
# Less CPU time than a bot needs to send an answer.
_TO_SEND: Final = 0.00005


class Meter(Protocol):
    """Whoever can tell what a bot uses."""

    def cpu(self) -> float:
        """Seconds of CPU time so far, all threads together."""

    def mark(self) -> Any:
        """Begin to measure waiting; dear, beside ``cpu``."""

    def waited(self, mark: Any) -> float:
        """Seconds since then in which others kept it from running, not it itself."""

    def stopwatch(self) -> Callable[[float], float]:
        """Start one: it turns wall time since now into the bot's own."""

    def held(self) -> bool:
        """Whether somebody holds it still from outside."""


class OwnMeter(Protocol):
    """Whoever can tell what this very process uses."""

    def mark(self) -> Any:
        """Begin to measure."""

    def since(self, mark: Any) -> tuple[float, float, float]:
        """Seconds of CPU time, of waiting for a CPU in our thread, and in those that help it."""

    def behind(self) -> bool:
        """Whether a thread that helps us has something to do at this moment."""


class Charge(NamedTuple):
    """What a seat is charged for a question, and what was measured."""

    seconds: float
    measured: Measured


def own_time(wall: float, cpu: float, waited: float, lag: float) -> float:
    """The seconds of ``wall`` that are the bot's own."""
    return max(min(wall, cpu), wall - waited - lag)


class Ourselves:
    """Whether this very process ran: one for all questions that it asks."""

    def __init__(self, meter: OwnMeter | None = None) -> None:
        """Without a meter nothing is known, and all time is the bots'."""
        self.meter = meter
        #: When we measured lately, and what; the oldest first.
        self._marks: deque[tuple[float, Any]] = deque(maxlen=_MARKS)

    def note(self, now: float) -> None:
        """Measure, unless that was done less than a beat ago: it takes its time."""
        if self.meter is not None and (not self._marks or now >= self._marks[-1][0] + BEAT):
            self._marks.append((now, self.meter.mark()))

    def used(self, since: float) -> tuple[float, float, float]:
        """What we used since then, or since a beat earlier, or less if that is long ago."""
        if self.meter is None or not self._marks:
            return 0.0, 0.0, 0.0
        mark = next((mark for at, mark in reversed(self._marks) if at <= since), self._marks[0][1])
        return self.meter.since(mark)

    def stopped(self, since: float, now: float) -> bool:
        """Whether we neither ran nor waited for a CPU for most of the time since ``since``."""
        return self.meter is not None and sum(self.used(since)) < (now - since) / 2


class QuestionClock:
    """One question's time: says when to look next, and in the end what to charge."""

    def __init__(self, seconds: float, now: float, bot: Meter | None, ours: Ourselves) -> None:
        """Ask now; ``bot`` is the bot's meter, if it has one."""
        ours.note(now)
        self._ours = ours
        self._bot = bot
        self._began_with = 0.0 if bot is None else bot.cpu()
        #: Waiting is measured from the first beat on: most answers come before, and it would cost
        #: them too much.
        self._noted = False
        self._bot_mark: Any = None
        self._our_mark: Any = None
        self._allowed = seconds
        self._asked = self._beat = now
        self._deadline = now + seconds
        #: When to call ``beat`` next.
        self._first_beat = self.due = now + min(FIRST_BEAT, seconds / 10)
        #: Seconds in which this process stood still, and of those the ones in which it neither
        #: ran nor waited for a CPU.
        self._stalled = self._stopped = 0.0
        #: Seconds of that in which nobody knows whether the bot waited, and we did not work.
        self._unseen = 0.0
        #: When the time was over, once we only look whether an answer lies there unread.
        self._ended: float | None = None
        self._cpu_at_end = 0.0

    def beat(self, now: float) -> Charge | None:
        """Look, at ``due`` or later: what to charge if the time is over, else ``None``.

        Raises ``MatchStalled`` if it is over and nobody can say that the bot had it.
        """
        late = now - self.due
        if late > STOOD_STILL:
            if not self._noted:
                self._unseen = max(0.0, now - self._beat - self._ours.used(self._beat)[0])
            self._note_stall(now)
        elif not self._noted:
            # What the bot waited until now is not known, but that we were late ourselves is.
            self._stalled += late
        self._note(now)
        if now >= self._deadline:
            so_far = self._charge(now)
            left = self._allowed - so_far.seconds
            if self._may_keep_us_busy(now, so_far.measured):
                left = 0.0  # else a bot that floods us would get its matches voided
            if left < _NOTHING and not self._may_lie_unread(now, late):
                return self._over(so_far)
            self._check_bound(now)
            self._deadline = now + max(left, ON_TIME)
        self.due = min(now + BEAT, self._deadline)
        return None

    def answered(self, now: float) -> Charge:
        """Say what an answer costs that was read ``now``: too late if more than was allowed."""
        if now <= self._first_beat:  # as most are
            cpu = None if self._bot is None else self._cpu()
            return Charge(now - self._asked, Measured(cpu, 0.0, 0.0))
        lag = 0.0
        if self._ended is None:
            # It may lie there since we had no CPU after our last look, or came to none when due.
            lag = max(min(self._ours.used(self._beat)[1], now - self._beat), now - self.due)
        elif self._bot_was_done():
            lag = now - self._ended
        return self._charge(now, lag)

    def _bot_was_done(self) -> bool:
        """Whether an answer that was read after the end was sent before it: that takes some CPU."""
        return self._cpu() < self._cpu_at_end + _TO_SEND

    def _note(self, now: float) -> None:
        self._beat = now
        self._ours.note(now)
        if not self._noted:
            self._noted = True
            self._bot_mark = None if self._bot is None else self._bot.mark()
            self._our_mark = None if self._ours.meter is None else self._ours.meter.mark()

    def _note_stall(self, now: float) -> None:
        # What we missed may have begun right after the last beat.
        self._stalled += now - self._beat
        if self._ours.stopped(self._beat, now):
            self._stopped += now - self._beat

    def _may_lie_unread(self, now: float, late: float) -> bool:
        """Whether an answer may have come in time that we have not read: then we look again.

        For a while only, since a bot may keep us busy.
        """
        if self._ended is None:
            self._ended = self._deadline
            self._cpu_at_end = self._cpu()
            if late > ON_TIME:
                return True
        behind = self._ours.meter is not None and self._ours.meter.behind()
        return behind and now < self._ended + PATIENCE

    def _charge(self, now: float, lag: float = 0.0) -> Charge:
        wall = now - self._asked
        lag += self._stalled
        if self._our_mark is not None and self._ours.meter is not None:
            lag += self._ours.meter.since(self._our_mark)[2]
        cpu, waited = self._cpu(), 0.0
        if self._bot_mark is not None and self._bot is not None:
            waited = self._bot.waited(self._bot_mark)
        seconds = own_time(wall, cpu, waited, lag)
        delay = min(waited, wall - seconds)
        known = None if self._bot is None else cpu
        return Charge(seconds, Measured(known, delay, wall - seconds - delay))

    def _cpu(self) -> float:
        return 0.0 if self._bot is None else self._bot.cpu() - self._began_with

    def _over(self, so_far: Charge) -> Charge:
        if self._stopped:
            raise MatchStalled(
                f"this machine, or the arena on it, stood still for {self._stopped:.2f} s"
            )
        if self._bot is not None and self._bot.held():
            raise MatchStalled("somebody held a bot's container still from outside")
        return Charge(self._allowed, so_far.measured)

    def _may_keep_us_busy(self, now: float, measured: Measured) -> bool:
        """Whether it took too long for our being busy, to which a bot may have brought us.

        Either we were late for longer than the bot waited, or by the very end we have used more
        CPU time than the bot, though it hardly waited: one that thinks uses more than those who
        look at it.
        """
        wall, lag = now - self._asked, measured.lag - self._unseen
        if wall > self._allowed * MOST_TIMES_FOR_US + MOST_BESIDE and lag > measured.delay:
            return True
        if wall <= self._bound or self._our_mark is None or self._ours.meter is None:
            return False
        if measured.delay > wall / 2:
            return False
        return bool(self._ours.meter.since(self._our_mark)[0] > (measured.cpu or 0.0))

    @property
    def _bound(self) -> float:
        return self._allowed * MOST_TIMES + MOST_BESIDE

    def _check_bound(self, now: float) -> None:
        wall = now - self._asked
        if wall > self._bound:
            raise MatchStalled(
                f"a bot had {self._allowed:g} s for an answer and got less CPU time than that "
                f"in {wall:.1f} s: this machine has too much to do"
            )
