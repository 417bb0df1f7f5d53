"""Drives one bot through one match: the news goes in, its decisions come out; no network.

The server drives bots with it, and so does whoever plays them in their own process, so that a
bot meets the same order of calls everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arenabot.actions import Burn, Claim
from arenabot.anygame import AnyAction, AnyEvent, AnyPrompt, view
from arenabot.bots import Bot, MatchInfo
from arenabot.claro import ClaroRoundEnded, Discard, Play
from arenabot.events import Result, RoundEnded

#: Longer texts of errors are cut: they are for one line of a report.
MAX_ERROR: Final = 200


class NotAnAction(TypeError):
    """A bot returned something that is no action; the text says what, and what to return."""


class Driver:
    """One bot in one match.  Whatever the bot's own code raises comes through unchanged."""

    def __init__(self, bot: Bot, info: MatchInfo) -> None:
        """Tell the bot that its match starts."""
        self.bot = bot
        self._view = view(info.options, info.seat, info.seats)
        bot.begin(info)

    def hear(self, news: Iterable[AnyEvent]) -> None:
        """Take in what happened, as this seat saw it, and show the bot each round's end."""
        for event in news:
            self._view.see(event)
            if isinstance(event, (RoundEnded, ClaroRoundEnded)):
                self.bot.round_ended(event)

    def turn(self, prompt: AnyPrompt) -> AnyAction:
        """Ask the bot to decide; ``NotAnAction`` if it returns anything else."""
        action: object = self.bot.turn(self._view.observation(prompt))
        if not isinstance(action, (Burn, Claim, Play, Discard)):
            shown = brief(repr(action))
            raise NotAnAction(
                f"turn() returned {shown}, which is no action: return one of "
                "observation.legal_actions()"
            )
        return action

    def end(self, result: Result) -> None:
        """Tell the bot how the match came out."""
        self.bot.match_ended(result)


def told(error: BaseException) -> str:
    """An error in one short line, as a bot's fault names it: ``ValueError: no such card``."""
    try:
        text = str(error)
    except Exception:  # an error class of the bot's own may be broken, too
        text = ""
    return brief(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def brief(text: str) -> str:
    """``text`` on one line, cut, and with nothing in it that a terminal would obey."""
    line = "".join(char if char.isprintable() else " " for char in text[: 2 * MAX_ERROR]).strip()
    return line if len(line) <= MAX_ERROR else line[: MAX_ERROR - 3] + "..."
