"""Which errors are for a person to read, whatever room they come from.

Apart from ``errors``, since whoever only raises one need not load every room.
"""

from __future__ import annotations

from arena.app.errors import ArenaError, WrongCall
from arena.match.replay import ReplayError
from arena.sandbox.errors import SandboxError
from arena.schedule import ScheduleError
from arena.store import StoreError
from arena.submissions.errors import ImageError, SubmissionError
from arena.tournament.executor import ExecutorFailed
from arena.tournament.inprocess import NoBotFound
from arenabot.options import OptionError

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
