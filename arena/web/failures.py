"""What went wrong, as a visitor is told it: a status and one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from arena.app.errors import ArenaError, WrongCall
from arena.app.rankings.cache import NotReady
from arena.match.replay import ReplayError
from arena.sandbox.errors import SandboxError
from arena.schedule import ScheduleError
from arena.store import (
    Conflict,
    InvalidRecord,
    NotFound,
    StoreError,
    StoreUnavailable,
)
from arena.submissions.errors import ImageError, SubmissionError
from arena.tournament.executor import ExecutorFailed
from arena.tournament.inprocess import NoBotFound
from arenabot.options import OptionError


class Refused(Exception):
    """A page that is not given; the text is one sentence for the visitor."""

    def __init__(self, status: int, sentence: str, *, again_in: float | None = None) -> None:
        """`again_in` is how many seconds to wait before trying again, where that helps."""
        super().__init__(sentence)
        self.status = status
        self.again_in = again_in


NOWHERE: Final = "There is no such page, or it is not for you to see."

_STATUS: Final[dict[type[Exception], int]] = {
    ArenaError: 409,
    WrongCall: 400,
    OptionError: 400,
    ScheduleError: 400,
    ReplayError: 400,
    SubmissionError: 400,
    NoBotFound: 404,
    NotFound: 404,
    InvalidRecord: 400,
    Conflict: 409,
    StoreError: 500,
    StoreUnavailable: 503,
    SandboxError: 503,
    ImageError: 503,
    ExecutorFailed: 503,
}
"""For each family of errors; the nearest one counts. Anything else is a defect of ours."""

_LEAST_OURS: Final = 500


BESIDE_A_FORM: Final = (
    ArenaError, Conflict, InvalidRecord, NotFound, OptionError, ScheduleError, Refused,
)  # fmt: skip
"""What is told beside the form that was filled in, which then isn't lost."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What a visitor is told; `ours` if the operator should look into it."""

    #: From which status on an answer is one.
    LEAST: ClassVar[int] = 400

    status: int
    sentence: str
    ours: bool = False


def failure(error: Exception, entry: str) -> Failure:
    """Tell an error to a visitor; `entry` is what the log calls it."""
    if isinstance(error, Refused):
        return Failure(error.status, str(error))
    if isinstance(error, NotReady):
        return Failure(503, str(error))
    status = next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)
    if status < _LEAST_OURS:
        return Failure(status, str(error))
    if status > _LEAST_OURS:
        sentence = f"The arena cannot do this just now: try again later. Its log has more: {entry}."
        return Failure(status, sentence, ours=True)
    return Failure(status, f"This is a defect of the arena. Report it with {entry}.", ours=True)
