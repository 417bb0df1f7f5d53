"""News by topic, from whoever makes it to all who watch, within one event loop.

Nobody who reads slowly makes it grow: a feed keeps one piece of news at a time, into which what
comes meanwhile is merged. By default the newest takes the older one's place, as is right for a
state. Whoever joins hears only what comes afterwards, so: join first, then look at what is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

DRAINING: Final = "draining"
"""Whether matches of people may only end: news of `people.Draining` beside this, or None."""


def submission_topic(submission_id: str) -> str:
    """News of a submission: what the store now holds of it."""
    return f"submission/{submission_id}"


def tournament_topic(tournament_id: int) -> str:
    """News of a tournament: `arena.app.tournaments.live.TournamentNews`."""
    return f"tournament/{tournament_id}"


def newest(_: T, new: T) -> T:
    """Merge by forgetting what is older."""
    return new


class Feed(AsyncIterator[T]):
    """What one watcher has still to hear; ends when the hub is closed. For one task at a time."""

    def __init__(self, hub: Hub, topic: str, merge: Callable[[T, T], T]) -> None:
        """Use `Hub.feed`."""
        self._hub = hub
        self._topic = topic
        self._merge = merge
        self._waiting: list[T] = []
        self._ended = False
        self._woken = asyncio.Event()

    def put(self, news: T) -> None:
        """Add news; the hub does."""
        self._waiting = [self._merge(self._waiting[0], news) if self._waiting else news]
        self._woken.set()

    def end(self) -> None:
        """Let the feed end once what waits was heard."""
        self._ended = True
        self._woken.set()

    async def __anext__(self) -> T:
        while not self._waiting:
            if self._ended:
                raise StopAsyncIteration
            self._woken.clear()
            await self._woken.wait()
        return self._waiting.pop()

    def __enter__(self) -> Self:
        self._hub.join(self._topic, self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._hub.leave(self._topic, self)


class Hub:
    """Where news is published; to be used from the event loop's own thread."""

    def __init__(self) -> None:
        self._feeds: dict[str, set[Feed[Any]]] = {}
        #: Who hears whatever is published, as it is published.
        self.overhear: list[Callable[[object], None]] = []
        self._closed = False

    def feed(self, topic: str, merge: Callable[[Any, Any], Any] = newest) -> Feed[Any]:
        """What is published on a topic from now on: `with hub.feed(topic) as feed`."""
        return Feed(self, topic, merge)

    def watched(self, topic: str) -> bool:
        """Whether anybody would hear; else the news need not be made."""
        return topic in self._feeds

    def publish(self, topic: str, news: object) -> None:
        """Tell everyone who watches the topic; nobody is waited for."""
        for hear in self.overhear:
            hear(news)
        for feed in self._feeds.get(topic, ()):
            feed.put(news)

    def close(self) -> None:
        """End every feed, also those to come."""
        self._closed = True
        for feeds in self._feeds.values():
            for feed in feeds:
                feed.end()

    def join(self, topic: str, feed: Feed[Any]) -> None:
        """Let a feed hear; `with feed` does."""
        self._feeds.setdefault(topic, set()).add(feed)
        if self._closed:
            feed.end()

    def leave(self, topic: str, feed: Feed[Any]) -> None:
        """Let a feed hear no more; `with feed` does."""
        feeds = self._feeds[topic]
        feeds.discard(feed)
        if not feeds:
            del self._feeds[topic]
