"""What becomes of what an author hands in: received, checked, built, qualifying, ready or rejected.

Each step begins with what the store says and ends with a write to it, so that whoever is killed
between two of them goes on from there. What goes wrong through us rejects nobody: `NotNow` is
raised, the submission stays where it is, and the same call later tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from arena.app.bots import building, contestants, qualifying
from arena.app.bots.contestants import Contestant
from arena.app.bots.qualifying import Tried
from arena.app.bots.quickplay import ATTEMPTS, Play, Spoilt
from arena.app.errors import ArenaError
from arena.app.troubles import in_public
from arena.match.setup import Provenance
from arena.sandbox.errors import SandboxError
from arena.sandbox.instance import Instance
from arena.store import (
    NewSubmission,
    NotFound,
    Request,
    Store,
    StoredSubmission,
    StoreError,
    SubmissionState,
)
from arena.submissions import (
    DEFAULT_LIMITS,
    Limits,
    Runtime,
    Severity,
    Submission,
    SubmissionError,
    examine_submission,
    read_archive,
    to_tar,
)
from arena.submissions.errors import ImageError
from arena.tournament.executor import ExecutorFailed
from arena.tournament.job import SeatJob

_MOST_SPOILT: Final = 3
"""How often the qualifying matches of one submission may be given up since we spoilt them.

Whoever finds out how to spoil a match could otherwise keep the arena busy with it for ever.
"""
_OURS: Final = (ArenaError, ExecutorFailed, ImageError, OSError, SandboxError, StoreError)
"""What goes wrong through us: later it may go well."""


class NotNow(ArenaError):
    """A step failed through us; the text says for the operator what to see to."""


def receive(
    store: Store,
    author: str,
    archive: bytes,
    *,
    limits: Limits = DEFAULT_LIMITS,
    most_unfinished: int | None = None,
    request: Request | None = None,
) -> StoredSubmission:
    """Keep what an author hands in, if it can be read: its files' names and sizes, its bot.toml.

    Nothing of it is run. When this returns, it is on the disk. The same files of the same bot are
    the same submission, unless that was rejected.
    Raises SubmissionError, NameTaken, TooManyUnfinished, AlreadyDone, RequestReused.
    """
    submission = read_archive(archive, limits)
    new = NewSubmission(submission.manifest.name, author, submission.digest)
    return store.submissions.receive(
        new, to_tar(submission), most_unfinished=most_unfinished, request=request
    )


def check(store: Store, found: StoredSubmission) -> StoredSubmission:
    """Do the checks of a submission that is received and no more; blocks for seconds at most.

    Raises SubmissionError if it can't be read any more.
    """
    if found.state is not SubmissionState.RECEIVED:
        return found
    submission = _read(store, found)
    report = examine_submission(submission)
    advice = [f.text for f in report.findings if f.severity is Severity.ADVICE]
    for finding in report.fatal:
        return store.submissions.reject(found.id, finding.text, advice=advice)
    if submission.manifest.runtime is not Runtime.PYTHON:
        reason = f'bot.toml: this arena has no runtime "{submission.manifest.runtime}"'
        return store.submissions.reject(found.id, f'{reason}: use "python"')
    return store.submissions.advance(found.id, SubmissionState.CHECKED, advice=advice)


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
    work = _Work(store, submission_id, member, play, on_change)
    try:
        return await work.go_on()
    except NotFound:
        raise
    except SubmissionError as refused:
        return await work.reject(str(refused))
    except Spoilt as spoilt:
        return await work.give_up(spoilt)
    except _OURS as error:
        await work.note(f"{in_public(error)}: the arena tries again by itself")
        raise NotNow(f"submission {submission_id} waits: {error}") from error


@dataclass(frozen=True, slots=True)
class _Work:
    """One submission being worked on."""

    store: Store
    id: str
    member: Instance
    play: Play
    on_change: Callable[[StoredSubmission], None]

    async def go_on(self) -> StoredSubmission:
        """Do step after step."""
        found = await asyncio.to_thread(self.store.submissions.get, self.id)
        if found.state is SubmissionState.RECEIVED:
            found = await asyncio.to_thread(check, self.store, found)
            self.on_change(found)
        if found.state.over:
            return found
        submission = await asyncio.to_thread(_read, self.store, found)
        rival = await asyncio.to_thread(qualifying.find_rival)
        bot = Contestant(submission, submission.digest[:8])
        # Also of one that was built before: its image may be gone, or its base image be older.
        seat, opponent = await building.build(self.member, [bot, rival])
        found = await self._advance(found, SubmissionState.BUILT)
        found = await self._advance(found, SubmissionState.QUALIFYING)
        trials = qualifying.trials(seat, opponent, submission.manifest.games)
        tried = await qualifying.try_out(trials, self.play)
        found = await asyncio.to_thread(self._end, found.author, submission, seat, tried)
        self.on_change(found)
        return found

    async def give_up(self, spoilt: Spoilt) -> StoredSubmission:
        """Let its matches be played again later, unless we have spoilt them too often."""
        times = await self.note(
            "the arena spoilt its qualifying matches, and plays them again by itself", spoilt=True
        )
        if times < _MOST_SPOILT:
            raise NotNow(f"submission {self.id} waits: {spoilt}") from spoilt
        reason = (
            f"its qualifying matches could not be played {times * ATTEMPTS} times, though no fault "
            f"of it was found: ask the arena's organiser ({spoilt})"
        )
        return await self.reject(reason)

    async def reject(self, reason: str) -> StoredSubmission:
        """End it."""
        found = await asyncio.to_thread(self.store.submissions.reject, self.id, reason)
        self.on_change(found)
        return found

    async def note(self, trouble: str, *, spoilt: bool = False) -> int:
        """Tell its author what keeps us, if the store takes it; how often we spoilt its matches."""
        try:
            times = await asyncio.to_thread(
                self.store.submissions.stuck, self.id, trouble, spoilt=spoilt
            )
            self.on_change(await asyncio.to_thread(self.store.submissions.get, self.id))
        except StoreError:
            # Then that is the trouble, and whoever hears of NotNow tells the operator.
            return 0
        return times

    async def _advance(self, found: StoredSubmission, state: SubmissionState) -> StoredSubmission:
        now = await asyncio.to_thread(self.store.submissions.advance, self.id, state)
        # One that was cut off has been there before: that is no news, and is not counted again.
        if now != found:
            self.on_change(now)
        return now

    def _end(
        self, author: str, submission: Submission, seat: SeatJob, tried: Tried
    ) -> StoredSubmission:
        advice = [f.text for f in tried.findings if f.severity is Severity.ADVICE]
        log = _log(seat.provenance, tried)
        if tried.fatal is not None:
            return self.store.submissions.reject(self.id, tried.fatal.text, advice=advice, log=log)
        return self.store.submissions.ready(
            self.id,
            contestants.new_version(submission, author),
            {} if seat.provenance is None else asdict(seat.provenance),
            advice=advice,
            log=log,
        )


def _read(store: Store, found: StoredSubmission) -> Submission:
    return contestants.read_kept(store.blob(found.archive))


def _log(provenance: Provenance | None, tried: Tried) -> bytes:
    """What its author may read: what it was built on, and what it printed in its matches."""
    lines = ["== its image"]
    if provenance is not None:
        lines.append(f"made on the base image {provenance.base_image}, arenabot {provenance.sdk}")
    return "\n".join([*lines, "", tried.log]).encode(errors="replace")
