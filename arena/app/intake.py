"""What becomes of what an author hands in: received, checked, built, qualifying, ready or rejected.

Each step begins with what the store says and ends with a write to it, so that whoever is killed
between two of them goes on from there. What goes wrong through us rejects nobody: `NotNow` is
raised, the submission stays where it is, and the same call later tries again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from arena.app.errors import ArenaError
from arena.sandbox.instance import Instance
from arena.store import Store, StoredSubmission
from arena.tournament.job import MatchJob, Outcome

Play = Callable[[MatchJob], Awaitable[Outcome]]
"""Plays a match somewhere: an executor's `play`."""


class NotNow(ArenaError):
    """A step failed through us; the text says for the operator what to see to."""


async def process(
    store: Store,
    submission_id: str,
    *,
    member: Instance,
    play: Play,
    on_change: Callable[[StoredSubmission], None] = lambda _: None,
) -> StoredSubmission:
    """Do all that is left of one submission; of one that is over, nothing.

    May be cancelled or killed at any moment: what was done stays, and the next call goes on.
    `on_change` hears of each change, in the event loop. Blocking work is done in threads.
    Only one process and one task may work on a submission at a time.
    Raises NotFound, and NotNow if it is to be called again later.
    """
    raise NotImplementedError
