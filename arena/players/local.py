"""A player whose bot lives in this process: for trusted bots, for tests, for fast trials."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence

from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.match.player import Answer, PlayerReport
from arena.players.blame import LATE
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.bots import Bot, MatchInfo
from arenabot.driver import Driver, NotAnAction, told
from arenabot.events import Result


class LocalPlayer:
    """Plays one match with a new object of a bot's class; see ``arena.match.player.Player``.

    A running turn cannot be interrupted: it comes to its end, and is late if it took longer than
    it may.  The bot's tracebacks are in the report's log.
    """

    def __init__(self, bot_class: type[Bot]) -> None:
        """Nothing of the bot's is called before the first question."""
        self._bot_class = bot_class
        self._info: MatchInfo | None = None
        self._driver: Driver | None = None
        self._gone: PlayerGone | None = None
        self._log: list[str] = []

    async def start(self, match_id: str, info: MatchInfo, seconds: float) -> None:  # noqa: ARG002
        """Keep the match's facts; the bot hears them in the time of its first question."""
        self._info = info

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        """Ask the bot to decide."""
        info, began = self._begin()
        malformed = None
        try:
            action = self._hearing(info, news).turn(prompt)
        except NotAnAction as error:
            malformed = str(error)
        except (Exception, SystemExit) as error:
            raise self._crashed(error, began) from None
        took = time.monotonic() - began
        if took > seconds:
            raise PlayerFault(FaultKind.TIMEOUT, LATE.format(seconds), took)
        if malformed is not None:
            self._log.append(f"{malformed}\n")
            raise PlayerFault(FaultKind.MALFORMED, malformed, took)
        return Answer(action, took)

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        """Show the bot the round's end; it is ready once it has looked."""
        info, began = self._begin()
        try:
            self._hearing(info, news)
        except (Exception, SystemExit) as error:
            raise self._crashed(error, began) from None
        return min(time.monotonic() - began, seconds)

    async def end(self, news: Sequence[AnyEvent], result: Result) -> None:
        """Tell the bot; an error of its own changes nothing any more."""
        if self._gone is not None:
            return
        info, _ = self._begin()
        try:
            self._hearing(info, news).end(result)
        except (Exception, SystemExit):
            self._log.append(traceback.format_exc())

    async def close(self) -> PlayerReport:
        """Let go of the bot."""
        self._driver = self._info = None
        # A bot's words may hold halves of characters, which no file and no pipe takes.
        return PlayerReport(log="".join(self._log).encode(errors="replace").decode())

    def _begin(self) -> tuple[MatchInfo, float]:
        """Give the match's facts and the time, before a question to a bot that is still there."""
        if self._info is None:
            raise RuntimeError("a player was asked before it was started or after it was closed")
        if self._gone is not None:
            raise self._gone
        return self._info, time.monotonic()

    def _hearing(self, info: MatchInfo, news: Sequence[AnyEvent]) -> Driver:
        """Let the bot hear the news, as its seat may see it, and give whoever drives it."""
        if self._driver is None:
            self._driver = Driver(self._bot_class(), info)
        self._driver.hear([event.seen_by(info.seat) for event in news])
        return self._driver

    def _crashed(self, error: BaseException, began: float) -> PlayerGone:
        self._log.append("".join(traceback.format_exception(error)))
        self._gone = PlayerGone(FaultKind.CRASHED, told(error), time.monotonic() - began)
        return self._gone
