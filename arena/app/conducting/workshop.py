"""Submissions that a server checks, builds and qualifies, several at a time."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import Context

import structlog

from arena.app.bots import intake
from arena.app.conducting.conducted import Backstage
from arena.app.conducting.hub import submission_topic
from arena.app.conducting.pauses import Pauses
from arena.app.failures import FOR_PEOPLE
from arena.store import NotFound, StoredSubmission
from arena.tournament.sharing import InPlay

log = structlog.get_logger()


class Workshop:
    """All submissions that are neither ready nor rejected, in the order in which they came.

    Their matches go before those of tournaments, so that no author waits for hours.
    """

    def __init__(self, backstage: Backstage) -> None:
        """Work backstage; `take` brings the work."""
        self._backstage = backstage
        self._lane = backstage.sharing.lane(first=True, on_change=self._match)
        self._places = asyncio.Semaphore(backstage.sharing.capacity)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: What of it is being worked on.
        self._steps: dict[str, asyncio.Task[StoredSubmission]] = {}

    @property
    def waiting(self) -> int:
        """How many submissions are neither ready nor rejected."""
        return len(self._tasks)

    def take(self, submission_id: str) -> None:
        """See to a submission; twice is the same as once."""
        if submission_id not in self._tasks:
            # It goes on after the call that brought it.
            task = asyncio.create_task(self._see_to(submission_id), context=Context())
            self._tasks[submission_id] = task

    def stop(self) -> None:
        """Cut off what is being worked on; it is begun again once that is allowed."""
        for step in self._steps.values():
            step.cancel()

    async def close(self) -> None:
        """Stop for good."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _see_to(self, id_: str) -> None:
        pauses = Pauses()
        try:
            while not await self._work_on(id_):
                if self._backstage.open.is_set():
                    await pauses.pause()
        finally:
            del self._tasks[id_]

    async def _work_on(self, id_: str) -> bool:
        """Do what is left of it; whether that is all."""
        async with self._places:
            await self._backstage.open.wait()
            step = self._steps[id_] = asyncio.create_task(self._process(id_))
            try:
                await asyncio.wait({step})
                # Cut off for a while, and not for good: then this here is cancelled, too.
                return not step.cancelled() and step.result().state.over
            except NotFound:
                return True
            except Exception as error:
                log.warning(
                    "submission in trouble",
                    submission=id_,
                    why=str(error) or type(error).__name__,
                    exc_info=None if isinstance(error, FOR_PEOPLE) else error,
                )
                return False
            finally:
                del self._steps[id_]
                step.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await step

    async def _process(self, id_: str) -> StoredSubmission:
        back = self._backstage
        return await intake.process(
            back.store, id_, member=back.member, play=self._lane.play, on_change=self._changed
        )

    def _changed(self, submission: StoredSubmission) -> None:
        log.info(
            submission.state.value,
            submission=submission.id,
            bot=submission.bot,
            reason=submission.reason,
        )
        self._backstage.hub.publish(submission_topic(submission.id), submission)
        if not self._backstage.open.is_set() and submission.id in self._steps:
            self._steps[submission.id].cancel()

    def _match(self, what: str, match: InPlay) -> None:
        log.info(what, match=match.match_id, qualifying=True)
