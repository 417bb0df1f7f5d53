"""Which errors are for a person to read: each is one line that says what to do.

ArenaError               what was asked cannot be done
  WrongCall              ... by nobody, ever: it was asked wrongly
"""

from __future__ import annotations

from arena.match.replay import ReplayError
from arena.sandbox.errors import SandboxError
from arena.schedule import ScheduleError
from arena.store import StoreError
from arena.submissions.errors import ImageError, SubmissionError
from arena.tournament.executor import ExecutorFailed
from arena.tournament.inprocess import NoBotFound
from arenabot.options import OptionError


class ArenaError(Exception):
    """What was asked cannot be done; the text says why and what to do."""


class WrongCall(ArenaError):
    """What was asked makes no sense, whatever there is on this machine."""


#: Everything that the rooms raise for a person; anything else is a defect of ours.
FOR_PEOPLE = (
    ArenaError,
    ExecutorFailed,
    ImageError,
    NoBotFound,
    OptionError,
    ReplayError,
    SandboxError,
    ScheduleError,
    StoreError,
    SubmissionError,
)

#: Those of them that say that the call itself was wrong.
WRONG_CALLS = (WrongCall, OptionError, ScheduleError)
