"""A match while it is being played: the viewer, fed with what a spectator may know."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, Final

from sse_starlette import EventSourceResponse
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.app.tournaments import seeing
from arena.match.replay import Line
from arena.store import NotFound, StoredMatch, Tournament
from arena.tournament.broadcast import Broadcast, Cut
from arena.web import addresses, stopping
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.viewer import picture
from arena.web.viewer.position import Position
from arena.web.viewer.steps import Stepper
from arena.web.viewer.words import words
from arena.web.viewing import LANGUAGES, language_of, viewer_address
from arena.web.visits import Visit

_PATH: Final = "/tournaments/{name:name}/matches/{match:name}/live"

_QUIET: Final = 1.0
"""Seconds without a line after which somebody without scripts is shown what there is."""

_PATIENCE: Final = 5.0
"""Seconds after which that is so in any case."""

_RECORDED: Final = 10.0
"""Seconds within which the result of a match that has ended is in the store."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """The page of a match in play, and its events."""
    watching = Watching(site)
    return [
        Route(_PATH, site.door.streams(watching.page)),
        Route(f"{_PATH}/events", site.door.streams(watching.events)),
    ]


class Watching:
    """Shows matches that are being played."""

    def __init__(self, site: Site) -> None:
        """Tell what `site` has."""
        self._site = site

    async def page(self, visit: Visit) -> Response:
        """The viewer; with `text` in the address, a table of what was played so far."""
        run = self._site.door.run
        tournament, match = await run(self._match, visit)
        broadcast = self._broadcast(tournament, match)
        if broadcast is None:
            return await run(self._not_in_play, tournament, match)
        language = language_of(visit, tournament.game)
        lines: list[Line] = []
        if visit.asked("text"):
            self._site.streams.check(visit)
            with self._site.streams.one_more(visit):
                lines = await so_far(broadcast)
        entries = {entry.position: entry.version.bot for entry in tournament.entries}
        return await run(
            lambda: self._site.page(
                visit,
                "live_match.html",
                title=f"Match {match.id}, live",
                language=language,
                languages=LANGUAGES.get(tournament.game, ()),
                tournament=tournament,
                match=match,
                names=[entries[position] for position in match.seating],
                rounds=list(picture.rounds(lines, language)) if lines else [],
                as_text=bool(visit.asked("text")),
                w=words(language, tournament.game),
                draining=stopping.match(stopping.now(self._site), words(language, tournament.game)),
                at=f"{addresses.match(tournament.name, match.id)}/live",
            )
        )

    async def events(self, visit: Visit) -> Response:
        """What happens, from the first deal on; at the end, where the replay is."""
        self._site.streams.check(visit)
        tournament, match = await self._site.door.run(self._match, visit)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return EventSourceResponse(self._told(visit, tournament, match), ping=15, headers=headers)

    async def _told(
        self, visit: Visit, tournament: Tournament, match: StoredMatch
    ) -> AsyncIterator[dict[str, str]]:
        with self._site.streams.one_more(visit):
            broadcast, conductor = self._broadcast(tournament, match), self._site.conductor
            if broadcast is not None and conductor is not None:
                language = language_of(visit, tournament.game)
                coming = stopping.between(conductor.people, shown(broadcast, language))
                says = partial(stopping.match, words=words(language, tournament.game))
                try:
                    async with aclosing(coming) as everything:
                        async for event, told in everything:
                            yield _event(event, says(told) if event == "draining" else told)
                except Cut as cut:
                    yield _event("cut", {"why": str(cut)})
                    return
            yield _event("over", await self._outcome(tournament, match, ended=bool(broadcast)))

    async def _outcome(
        self, tournament: Tournament, match: StoredMatch, *, ended: bool
    ) -> dict[str, Any]:
        """Whether a match that isn't in play has a result, and where its replay is by then."""
        until = asyncio.get_running_loop().time() + (_RECORDED if ended else 0)
        while True:
            done, replay = await self._site.door.run(self._recorded, tournament, match)
            if done or asyncio.get_running_loop().time() >= until:
                return {"done": done, "replay": replay}
            await asyncio.sleep(0.2)

    def _recorded(self, tournament: Tournament, match: StoredMatch) -> tuple[bool, str | None]:
        store = self._site.store
        try:
            store.result(tournament.id, match.id)
        except NotFound:
            return False, None
        released = seeing.is_released(store, tournament, match.id)
        return True, viewer_address(tournament.name, match.id) if released else None

    def _match(self, visit: Visit) -> tuple[Tournament, StoredMatch]:
        tournament = self._site.tournament(visit)
        try:
            return tournament, self._site.store.match(tournament.id, visit.part("match"))
        except NotFound:
            raise Refused(404, NOWHERE) from None

    def _broadcast(self, tournament: Tournament, match: StoredMatch) -> Broadcast | None:
        conductor = self._site.conductor
        return None if conductor is None else conductor.broadcast(tournament.id, match.id)

    def _not_in_play(self, tournament: Tournament, match: StoredMatch) -> Response:
        """To the replay if there is one to be seen, else to what is known of the match."""
        _, replay = self._recorded(tournament, match)
        to = replay or addresses.match(tournament.name, match.id)
        answer = RedirectResponse(to, status_code=303)
        answer.headers["Cache-Control"] = "no-store"
        return answer


async def shown(broadcast: Broadcast, language: str) -> AsyncGenerator[tuple[str, Any], None]:
    """A match's public lines as the viewer's script wants them: the table, then each step.

    Raises Cut.
    """
    stepper: Stepper | None = None
    before: Position | None = None
    async with aclosing(broadcast.watch()) as lines:
        async for line in lines:
            if stepper is None:
                stepper = Stepper(line, language)
                yield "table", picture.table(line, language)
                continue
            step = stepper.step(line)
            yield "step", step.as_json(before)
            before = step.position


async def so_far(broadcast: Broadcast) -> list[Line]:
    """The public lines that there are already."""
    lines: list[Line] = []
    with suppress(TimeoutError, StopAsyncIteration, Cut):
        async with asyncio.timeout(_PATIENCE), aclosing(broadcast.watch()) as coming:
            while True:
                async with asyncio.timeout(_QUIET):
                    lines.append(await anext(coming))
    return lines


def _event(name: str, told: Any) -> dict[str, str]:
    return {"event": name, "data": json.dumps(told, separators=(",", ":"))}
