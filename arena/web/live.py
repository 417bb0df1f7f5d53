"""What goes on, told to browsers while it does: server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sse_starlette import EventSourceResponse
from starlette.responses import Response

from arena.app.conducting.hub import Feed, submission_topic, tournament_topic
from arena.app.tournaments.live import Playing
from arena.store import NotFound, Progress, StoredSubmission, TournamentState
from arena.web import addresses, stopping
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.visits import Visit

_LOOKING: Final = 5.0
"""Seconds after which we look for ourselves, though nobody said anything."""

OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}


class Tournaments:
    """How far a tournament is."""

    def __init__(self, site: Site) -> None:
        """Tell what `site` has."""
        self._site = site

    async def events(self, visit: Visit) -> Response:
        """After each change, until it has ended."""
        self._site.streams.check(visit)
        tournament = await self._site.door.run(self._site.tournament, visit)
        return _answer(self._told(visit, tournament.id, tournament.name))

    async def _told(self, visit: Visit, id_: int, name: str) -> AsyncIterator[dict[str, str]]:
        site = self._site
        with site.streams.one_more(visit), _feed(site, tournament_topic(id_)) as feed:
            sent = None
            while True:
                at = await site.door.run(site.store.progress, id_)
                playing = Playing() if site.conductor is None else site.conductor.playing(id_)
                draining = stopping.tournament(stopping.now(site))
                if (at, playing, draining) != sent:
                    sent = (at, playing, draining)
                    told = {**_shown(name, at, playing), "draining": draining}
                    yield {"event": "progress", "data": json.dumps(told)}
                if at.state in OVER:
                    return
                if not await _news(feed):
                    return


def _shown(name: str, at: Progress, playing: Playing) -> dict[str, Any]:
    return {
        "state": at.state.value,
        "matches": at.matches,
        "ended": at.ended,
        "done": at.done,
        "holes": at.holes,
        "voids": at.voids,
        "wanted": playing.wanted,
        "trouble": playing.trouble,
        "playing": [
            {"match": match, "address": addresses.match(name, match)} for match in playing.in_play
        ],
    }


class Submissions:
    """How far a submission is."""

    def __init__(self, site: Site) -> None:
        """Tell what `site` has."""
        self._site = site

    async def events(self, visit: Visit) -> Response:
        """After each change, until it is over."""
        self._site.streams.check(visit)
        id_ = visit.part("id")
        await self._look(visit, id_)
        return _answer(self._told(visit, id_))

    async def _told(self, visit: Visit, id_: str) -> AsyncIterator[dict[str, str]]:
        site = self._site
        with site.streams.one_more(visit), _feed(site, submission_topic(id_)) as feed:
            sent = None
            while True:
                found = await self._look(visit, id_)
                if found != sent:
                    sent = found
                    told = {"state": found.state.value, "trouble": found.trouble}
                    yield {"event": "submission", "data": json.dumps(told)}
                if found.state.over or not await _news(feed):
                    return

    async def _look(self, visit: Visit, id_: str) -> StoredSubmission:
        try:
            found = await self._site.door.run(self._site.store.submissions.get, id_)
        except NotFound:
            raise Refused(404, NOWHERE) from None
        if not visit.visitor.owns(found.author):
            raise Refused(404, NOWHERE)
        return found


@contextmanager
def _feed(site: Site, topic: str) -> Iterator[Feed[Any] | None]:
    if site.conductor is None:
        yield None
        return
    with site.conductor.hub.feed(topic) as feed:
        yield feed


async def _news(feed: Feed[Any] | None) -> bool:
    """Wait for news, or for a while; False once there never will be any."""
    if feed is None:
        await asyncio.sleep(_LOOKING)
        return True
    try:
        async with asyncio.timeout(_LOOKING):
            await anext(feed)
    except TimeoutError:
        pass
    except StopAsyncIteration:
        return False
    return True


def _answer(told: AsyncIterator[dict[str, str]]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(told, ping=15, headers=headers)
