"""News reaches all who watch, costs nothing where nobody does, and never piles up."""

from __future__ import annotations

import asyncio

import pytest

from arena.app.conducting.hub import Hub


async def test_everyone_who_watches_a_topic_hears_its_news() -> None:
    """And nothing of other topics, nor of what was before they came."""
    hub = Hub()
    hub.publish("cup", "before")
    with hub.feed("cup") as one, hub.feed("cup") as two, hub.feed("other") as other:
        assert hub.watched("cup")
        hub.publish("cup", "now")
        assert [await anext(one), await anext(two)] == ["now", "now"]
        hub.close()
        assert await anext(other, None) is None
    assert not hub.watched("cup")


async def test_a_slow_watcher_finds_the_newest() -> None:
    """However much has come meanwhile, one piece waits."""
    hub = Hub()
    with hub.feed("cup") as feed:
        for number in range(1000):
            hub.publish("cup", number)
        assert await anext(feed) == 999
        hub.publish("cup", 1000)
        assert await anext(feed) == 1000


async def test_what_must_not_be_lost_is_merged() -> None:
    """As whoever watches says."""
    hub = Hub()
    with hub.feed("cup", lambda older, newer: (older + newer)[-3:]) as feed:
        for number in range(5):
            hub.publish("cup", [number])
        assert await anext(feed) == [2, 3, 4]


async def test_a_watcher_that_waits_is_woken() -> None:
    """By news, and by the end."""
    hub = Hub()
    with hub.feed("cup") as feed:
        waiting = asyncio.ensure_future(anext(feed))
        await asyncio.sleep(0)
        hub.publish("cup", "now")
        assert await waiting == "now"
        waiting = asyncio.ensure_future(anext(feed))
        await asyncio.sleep(0)
        hub.close()
        with pytest.raises(StopAsyncIteration):
            await waiting


async def test_news_from_before_the_end_is_still_heard() -> None:
    """And a feed that begins after the end has ended."""
    hub = Hub()
    with hub.feed("cup") as feed:
        hub.publish("cup", "last")
        hub.close()
        assert [news async for news in feed] == ["last"]
    with hub.feed("cup") as late:
        assert [news async for news in late] == []


async def test_giving_up_waiting_loses_no_news() -> None:
    """Whoever looks up after a while may wait again."""
    hub = Hub()
    with hub.feed("cup") as feed:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await anext(feed)
        hub.publish("cup", "now")
        assert await anext(feed) == "now"
