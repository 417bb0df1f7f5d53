"""What pages that go on are told when the arena is drained or stops: no match begins any more."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

from arena.app.conducting.people import Draining, People
from arena.web.site import Site

T = TypeVar("T")
U = TypeVar("U")


def now(site: Site) -> Draining | None:
    """Whether no match begins any more; never where nothing plays."""
    return None if site.conductor is None else site.conductor.people.draining


def tournament(draining: Draining | None) -> str:
    """What whoever looks at a tournament that isn't over is told; empty if there is nothing."""
    if draining is None:
        return ""
    if math.isinf(draining.until):
        return (
            "The arena begins no more matches for now: those in play are played to their end, "
            "the others later."
        )
    return (
        "The arena is being stopped: matches that are not over soon are broken off, and played "
        "again once it is back."
    )


def match(draining: Draining | None, words: Mapping[str, str]) -> str:
    """What whoever watches a match is told, in the viewer's words; empty if there is nothing."""
    if draining is None:
        return ""
    return words["drained live" if math.isinf(draining.until) else "stopped live"]


async def between(
    people: People, coming: AsyncGenerator[tuple[str, Any], None]
) -> AsyncGenerator[tuple[str, Any], None]:
    """What comes, and between that, as `draining`, what becomes of that; raises what `coming` does.

    Told at first if it is so, then whenever it changes; None: matches begin again.
    """
    with people.news() as feed:
        if people.draining is not None:
            yield "draining", people.draining
        async with aclosing(beside(coming, feed)) as both:
            async for told in both:
                yield ("draining", told) if told is None or isinstance(told, Draining) else told


async def beside(
    coming: AsyncGenerator[T, None], feed: AsyncIterator[U]
) -> AsyncGenerator[T | U, None]:
    """Both as they come; ends with `coming`, and raises what that does."""
    told, news = next_of(coming), next_of(feed)
    try:
        while True:
            both: set[asyncio.Future[Any]] = {told, news}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if news.done():
                if isinstance(heard := news.result(), End):
                    news = asyncio.get_running_loop().create_future()
                else:
                    yield heard
                    news = next_of(feed)
            elif isinstance(each := told.result(), End):
                return
            else:
                yield each
                told = next_of(coming)
    finally:
        for waiting in (told, news):
            waiting.cancel()
        await asyncio.gather(told, news, return_exceptions=True)
        await coming.aclose()


class End:
    """What comes behind the last one."""


def next_of(source: AsyncIterator[T]) -> asyncio.Future[T | End]:
    return asyncio.ensure_future(anext(source, End()))
