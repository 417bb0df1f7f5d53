"""One match of a bot as the protocol's messages tell it; knows the messages, but no server."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping

from arenabot import wire
from arenabot.bots import Bot
from arenabot.driver import Driver, NotAnAction
from arenabot.v1 import player_pb2 as player

_LOG = logging.getLogger("arenabot")


class Conversation:
    """Takes the arena's messages of one match in order and gives what to answer."""

    def __init__(self, bots: Mapping[str, type[Bot]]) -> None:
        """Wait for the message that says which of ``bots``, by game, plays."""
        self._bots = bots
        self._driver: Driver | None = None
        self._seat = self._seats = 0
        #: Whether the bot was too slow and has not caught up, so that there may be newer messages.
        self.behind = False

    def answer(
        self, request: player.PlayRequest, *, stale: bool = False
    ) -> player.PlayResponse | None:
        """Do what a message asks for.  A ``stale`` question is heard, but needs no answer.

        Raises ``WireError`` for a message that cannot come here, and whatever the bot raises.
        """
        began = time.monotonic()
        if self._driver is None:
            response, allowed = None, self._begin(request)
        else:
            seat, seats = self._seat, self._seats
            self._driver.hear([wire.read_event(event, seat, seats) for event in request.events])
            response, allowed = self._reply(self._driver, request, stale)
        took = time.monotonic() - began
        late = took > allowed
        # Whoever left a question out may have to leave out the next one, too.
        self.behind = late or stale
        if late:
            _LOG.warning("message %d took %.3f s of %.3f s", request.seq, took, allowed)
        return response

    def _begin(self, request: player.PlayRequest) -> float:
        if request.WhichOneof("message") != "match_started":
            raise wire.WireError("a match that does not begin with match_started")
        info = wire.read_match_started(request.match_started)
        bot_class = self._bots.get(info.game)
        if bot_class is None:
            raise wire.WireError(
                f"a match of {info.game!r}, but this bot plays: {', '.join(self._bots)}"
            )
        self._seat, self._seats = info.seat, info.seats
        self._driver = Driver(bot_class(), info)
        return info.turn_time

    def _reply(
        self, driver: Driver, request: player.PlayRequest, stale: bool
    ) -> tuple[player.PlayResponse | None, float]:
        """Give the answer, if one is due, and the seconds that there were for it."""
        kind = request.WhichOneof("message")
        if kind == "your_turn":
            turn = request.your_turn
            return None if stale else _turn(driver, request.seq, turn), turn.time_ms / 1000
        if kind == "ready_check":
            response = None if stale else wire.ready(request.seq)
            return response, request.ready_check.time_ms / 1000
        if kind == "match_ended":
            driver.end(wire.read_match_ended(request.match_ended))
            return None, math.inf
        raise wire.WireError("a message of an unknown kind: is this SDK older than the arena?")


def _turn(driver: Driver, seq: int, message: player.YourTurn) -> player.PlayResponse:
    try:
        return wire.answer(seq, driver.turn(wire.read_prompt(message)))
    except NotAnAction as error:
        _LOG.error("%s", error)
        # The arena calls an answer without an action malformed, and plays the default move.
        return player.PlayResponse(seq=seq)
