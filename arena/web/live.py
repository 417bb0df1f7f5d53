"""What goes on, told to browsers while it does: server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any, Final

from sse_starlette import EventSourceResponse
from starlette.responses import Response

from arena.app.conducting.hub import Feed, submission_topic, tournament_topic
from arena.app.tournaments.live import Playing
from arena.store import NotFound, Progress, StoredSubmission, TournamentState
from arena.web import addresses
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.visits import Visit

_LOOKING: Final = 5.0
"""Seconds after which we look for ourselves, though nobody said anything."""

_MOST: Final = 500
_MOST_EACH: Final = 10
"""How many may be followed at once, by all and by one person or, not signed in, from an address."""

_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}


class Streams:
    """How many are open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def check(self, visit: Visit) -> None:
        """Raises Refused if there are too many."""
        if self._open.total() >= _MOST or self._open[_who(visit)] >= _MOST_EACH:
            raise Refused(429, "Too many pages follow what happens already.", again_in=30)

    @contextmanager
    def one_more(self, visit: Visit) -> Iterator[None]:
        """While one is open."""
        who = _who(visit)
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            self._open += Counter()  # forgets who has none open


def _who(visit: Visit) -> str:
    author = visit.visitor.author
    return visit.place if author is None else f"author {author}"


_streams: Final = Streams()


class Tournaments:
    """How far a tournament is."""

    def __init__(self, site: Site) -> None:
        """Tell what `site` has."""
        self._site = site

    async def events(self, visit: Visit) -> Response:
        """After each change, until it has ended."""
        _streams.check(visit)
        tournament = await self._site.door.run(self._site.tournament, visit)
        return _answer(self._told(visit, tournament.id, tournament.name))

    async def _told(self, visit: Visit, id_: int, name: str) -> AsyncIterator[dict[str, str]]:
        site = self._site
        with _streams.one_more(visit), _feed(site, tournament_topic(id_)) as feed:
            sent = None
            while True:
                at = await site.door.run(site.store.progress, id_)
                playing = Playing() if site.conductor is None else site.conductor.playing(id_)
                if (at, playing) != sent:
                    sent = (at, playing)
                    yield {"event": "progress", "data": json.dumps(_shown(name, at, playing))}
                if at.state in _OVER:
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
        _streams.check(visit)
        id_ = visit.part("id")
        await self._look(visit, id_)
        return _answer(self._told(visit, id_))

    async def _told(self, visit: Visit, id_: str) -> AsyncIterator[dict[str, str]]:
        with _streams.one_more(visit), _feed(self._site, submission_topic(id_)) as feed:
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
