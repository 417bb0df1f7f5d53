"""What keeps an arena from going on, in words for everybody: the log has the operator's."""

from __future__ import annotations

from typing import Final

from arena.app.errors import ArenaError
from arena.sandbox.errors import SandboxError
from arena.store import StoreError, StoreFull, TournamentBusy
from arena.submissions.errors import ImageError
from arena.tournament.executor import ExecutorFailed

_ENGINE: Final = "the container engine does not answer, or can't start bots"
_WHAT_ENGINES_SAY: Final = (ImageError, SandboxError)
_WORDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (TournamentBusy, "another program plays this tournament"),
    (StoreFull, "no space is left on the arena's disk"),
    (StoreError, "the arena's database can't be used at the moment"),
    (ExecutorFailed, "no match worker can be started"),
    (ImageError, _ENGINE),
    (SandboxError, _ENGINE),
    (OSError, "the arena's machine refuses something that it needs"),
)
"""Without paths and addresses, which are nobody else's business."""


def in_public(error: Exception) -> str:
    """What everybody may know of an error that something is tried again after, in one sentence."""
    if isinstance(error, ArenaError):
        if not isinstance(error.__cause__, _WHAT_ENGINES_SAY):
            return str(error)
        error = error.__cause__
    for kind, words in _WORDS:
        if isinstance(error, kind):
            return words
    return "a defect of the arena: its log has more"
