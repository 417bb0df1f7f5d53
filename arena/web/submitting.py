"""Handing in a bot from the browser, and following what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import UploadFile
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.bots import intake
from arena.app.conducting.hub import submission_topic
from arena.store import Conflict, InvalidRecord, Role, StoredSubmission
from arena.submissions.errors import SubmissionError
from arena.web import addresses, live, tables
from arena.web.bots import as_log
from arena.web.door import FORM_BYTES
from arena.web.failures import NOWHERE, Refused, failure
from arena.web.site import Site, onward
from arena.web.visits import Visit

_PER_PAGE: Final = 20

_CHECKS: Final = 2
"""How many are looked at at a time, since an archive can be unpleasant."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """These pages."""
    pages = _Submitting(site)
    door, at = site.door, "/submissions/{id:name}"
    return [
        Route("/submissions", door.shows(pages.all, role=Role.AUTHOR)),
        Route(
            "/submissions",
            door.changes(
                pages.submit, "Pages/SubmitBot", about="name", most=site.upload_bytes + FORM_BYTES
            ),
            methods=["POST"],
        ),
        Route(at, door.shows(pages.one, role=Role.AUTHOR)),
        Route(f"{at}/log", door.shows(pages.log, role=Role.AUTHOR)),
        Route(f"{at}/events", door.streams(live.Submissions(site).events, role=Role.AUTHOR)),
    ]


class _Submitting:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store
        self._checks = asyncio.Semaphore(_CHECKS)

    def all(self, visit: Visit) -> Response:
        """One's own submissions, and a form for another one."""
        return self._all(visit)

    def _all(self, visit: Visit, *, status: int = 200, wrong: str = "") -> Response:
        before = visit.asked("before") or None
        found = self._store.submissions.page(
            visit.visitor.author, before=before, size=_PER_PAGE + 1
        )
        shown = found[:_PER_PAGE]
        more = shown[-1].id if len(found) > _PER_PAGE else None
        return self._site.page(
            visit,
            "submissions.html",
            title="Your submissions",
            status=status,
            wrong=wrong,
            shown=shown,
            upload_bytes=self._site.upload_bytes,
            pager=tables.Pager(
                tables.same_with(visit, before=None) if before else None,
                tables.same_with(visit, before=more) if more else None,
                "The newest first",
            ),
        )

    async def submit(self, visit: Visit) -> Response:
        """Take a bot in and check it; building and qualifying go on behind it."""
        file = visit.form.get("archive")
        if not isinstance(file, UploadFile) or not file.filename:
            return await self._again(
                visit, 400, "Choose a file: a .zip or .tar of your bot's folder."
            )
        archive = await file.read()
        if len(archive) > self._site.upload_bytes:
            return await self._again(
                visit, 413, f"An archive has {self._site.upload_bytes} bytes at most."
            )
        # Once all has come, a visitor who goes away must not leave it half done.
        try:
            found = await asyncio.shield(self._taken_in(visit.visitor.author or "", archive))
        except (Conflict, InvalidRecord, SubmissionError) as error:
            told = failure(error, "")
            return await self._again(visit, told.status, told.sentence)
        return onward(addresses.submission(found.id))

    async def _again(self, visit: Visit, status: int, wrong: str) -> Response:
        return await self._site.door.run(lambda: self._all(visit, status=status, wrong=wrong))

    async def _taken_in(self, author: str, archive: bytes) -> StoredSubmission:
        run, conductor = self._site.door.run, self._site.conductor
        async with self._checks:
            found = await run(
                lambda: intake.receive(
                    self._store, author, archive, most_unfinished=self._site.unfinished
                )
            )
            try:
                found = await run(intake.check, self._store, found)
            finally:
                if conductor is not None:
                    conductor.hub.publish(submission_topic(found.id), found)
                    if not found.state.over:
                        conductor.submission_arrived(found.id)
        return found

    def one(self, visit: Visit) -> Response:
        """One of them, and how far it is."""
        found = self._own(visit)
        return self._site.page(
            visit, "submission.html", title=f"Submission of {found.bot}", found=found
        )

    def log(self, visit: Visit) -> Response:
        """What building and qualifying it printed."""
        found = self._own(visit)
        return as_log(b"" if found.log is None else self._store.blob(found.log))

    def _own(self, visit: Visit) -> StoredSubmission:
        found = self._store.submissions.get(visit.part("id"))
        if not visit.visitor.owns(found.author):
            raise Refused(404, NOWHERE)
        return found
