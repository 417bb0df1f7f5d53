"""Bots that do what the test says: the bot seed is the number of a script.

Run as a program, it serves them, as any bot's file does.
"""

from __future__ import annotations

import enum
import os
import time
from pathlib import Path
from typing import Any

from arenabot import CLAIM, Burn, ClaimBot, ClaimsBot, ClaroBot, Play, serve
from arenabot.actions import Action
from arenabot.bots import Bot, MatchInfo
from arenabot.claro import ClaroObservation
from arenabot.events import Result, RoundEnded
from arenabot.observation import ClaimObservation, ClaimsObservation

#: Where the scripts ``TELL`` and ``SLEEP_IN_FIRST_TURN`` write what they hear.
DIARY = "TEST_DIARY"
#: How long the scripts that sleep do so, in seconds.
NAP = 0.5


class Script(enum.IntEnum):
    """What a bot does."""

    PLAY = 0
    SLEEP_IN_FIRST_TURN = 1
    SLEEP_IN_ROUND_ENDED = 2
    RAISE_IN_START = 3
    RAISE_IN_TURN = 4
    RAISE_IN_ROUND_ENDED = 5
    RAISE_IN_MATCH_ENDED = 6
    EXIT_IN_TURN = 7
    RETURN_NONE = 8
    BURN_NOTHING = 9
    CLAIM = 10
    TELL = 11


class Scripted(ClaimsBot):
    """Plays Claims: the last legal action, unless its script wants something else."""

    turns = 0

    def match_started(self, match: MatchInfo) -> None:
        """Hear the facts."""
        # In a real match the seed is some number, and no script.
        scripted = match.bot_seed < len(Script)
        self.script = Script(match.bot_seed) if scripted else Script.PLAY
        self.tell("match_started", match)
        if self.script is Script.RAISE_IN_START:
            raise ValueError("no start")

    def turn(self, observation: ClaimsObservation) -> Action:
        """Do what the script says."""
        self.turns += 1
        self.tell("turn", observation)
        if self.script is Script.SLEEP_IN_FIRST_TURN and self.turns == 1:
            time.sleep(NAP)
        answer: Any = observation.legal_actions()[-1]
        match self.script:
            case Script.RAISE_IN_TURN:
                raise ValueError("no idea\nat all")
            case Script.EXIT_IN_TURN:
                raise SystemExit(3)
            case Script.RETURN_NONE:
                answer = None
            case Script.BURN_NOTHING:
                answer = Burn(())
            case Script.CLAIM:
                answer = CLAIM
        return answer  # type: ignore[no-any-return]  # wrong on purpose

    def round_ended(self, end: RoundEnded) -> None:
        """Look."""
        self.tell("round_ended", end)
        if self.script is Script.SLEEP_IN_ROUND_ENDED:
            time.sleep(NAP)
        if self.script is Script.RAISE_IN_ROUND_ENDED:
            raise ValueError("no end")

    def match_ended(self, result: Result) -> None:
        """Hear."""
        self.tell("match_ended", result)
        if self.script is Script.RAISE_IN_MATCH_ENDED:
            raise ValueError("no result")

    def tell(self, what: str, heard: object) -> None:
        """Write down what was heard."""
        if self.script in {Script.TELL, Script.SLEEP_IN_FIRST_TURN} and DIARY in os.environ:
            with Path(os.environ[DIARY]).open("a") as diary:
                diary.write(f"{what} {heard!r}\n")


class PlainClaim(ClaimBot):
    """Plays Claim!."""

    def turn(self, observation: ClaimObservation) -> Action:
        """Take the last legal action."""
        return observation.legal_actions()[-1]


class PlainClaro(ClaroBot):
    """Plays Claro."""

    def play(self, observation: ClaroObservation) -> Play:
        """Take the first legal action."""
        (first, *_) = observation.legal_actions()
        assert isinstance(first, Play)
        return first


BOTS: dict[str, type[Bot]] = {"claims": Scripted, "claim": PlainClaim, "claro": PlainClaro}

if __name__ == "__main__":
    serve(*BOTS.values())
