"""What goes on in a server without being asked: played once, by turns, and gone on with."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from arena.app.bots import lodging
from arena.app.conducting.hub import tournament_topic
from arena.app.tournaments.live import TournamentNews
from arena.store import (
    AlreadyDone,
    Request,
    Store,
    StoreFull,
    StoreUnavailable,
    TournamentState,
)
from arena.store.running import Running
from arena.tournament.runner import Step
from tests.integration.server.conducting import (
    bot,
    conducting,
    cup,
    digests,
    held_bot,
    until,
    until_done,
)


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """Two bots that play at random from their seeds."""
    return [bot(tmp_path, "ann"), bot(tmp_path, "bob")]


async def test_a_wanted_tournament_is_played_to_its_end(store: Store, pair: list[str]) -> None:
    """Each match once, and whoever wants it again afterwards gets it as it is."""
    played = cup(store, pair, blocks=3)
    steps: list[Step] = []
    async with conducting(store) as conductor:
        conductor.on_step.append(steps.append)
        await conductor.want("cup")
        (progress,) = await until_done(conductor, store, played)
        await conductor.want("cup")
        await until_done(conductor, store, played)
    assert progress.state is TournamentState.FINISHED
    assert (progress.done, progress.voids) == (6, 0)
    assert len({step.match.id for step in steps}) == len(steps) == 6


@pytest.mark.parametrize("fate", ["caller gone", "answer lost"])
async def test_what_the_store_wants_is_played_whatever_became_of_the_call(
    store: Store, pair: list[str], monkeypatch: pytest.MonkeyPatch, fate: str
) -> None:
    """Given up by its caller it is begun all the same; the same request again begins it, too."""
    played = cup(store, pair, blocks=1)
    asked = Request("olga", "once", "TournamentService/RunTournament", "print")
    committed, want = threading.Event(), Running.want

    def wanted(running: Running, *told: Any) -> None:
        want(running, *told)
        if committed.is_set():
            return
        committed.set()
        if fate == "answer lost":
            raise StoreUnavailable("the connection ended")
        time.sleep(0.3)

    monkeypatch.setattr(Running, "want", wanted)
    async with conducting(store) as conductor:
        call = asyncio.create_task(conductor.want("cup", asked))
        await asyncio.to_thread(committed.wait)
        if fate == "caller gone":
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        else:
            with pytest.raises(StoreUnavailable):
                await call
            with pytest.raises(AlreadyDone):
                await conductor.want("cup", asked)
        await until(lambda: store.progress(played.id).state is TournamentState.FINISHED)


async def test_a_restarted_server_goes_on_with_what_was_wanted(
    store: Store, pair: list[str], tmp_path: Path
) -> None:
    """Nobody has to ask again; what was cut off is played again and ends as if undisturbed."""
    gate = tmp_path / "wait"
    bots = [held_bot(tmp_path, "held", gate), pair[0]]
    first, second = cup(store, bots), cup(store, bots, name="calm")
    gate.touch()
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: conductor.playing(first.id).in_play)
    assert store.progress(first.id).done == 0
    gate.unlink()
    async with conducting(store) as conductor:
        (progress,) = await until_done(conductor, store, first)
        await conductor.want("calm")
        await until_done(conductor, store, second)
    assert (progress.state, progress.voids) == (TournamentState.FINISHED, 0)
    assert digests(store, first) == digests(store, second)


async def test_tournaments_take_turns(store: Store, pair: list[str]) -> None:
    """A small one that comes later does not wait for the end of a large one."""
    large = cup(store, pair, name="large", blocks=30)
    small = cup(store, pair, name="small", blocks=1, seed=bytes(31) + b"x")
    order: list[str] = []
    async with conducting(store) as conductor:
        conductor.on_step.append(lambda step: order.append(step.match.id))
        await conductor.want("large")
        await until(lambda: order)
        await conductor.want("small")
        await until_done(conductor, store, small)
        assert conductor.playing(large.id).wanted
        before = store.progress(large.id).done
    assert before < 60
    assert store.progress(small.id).state is TournamentState.FINISHED


async def test_two_tournaments_of_one_seed_do_not_mix(store: Store, pair: list[str]) -> None:
    """Their matches have the same ids, and each gets its own results."""
    one, two = cup(store, pair, name="one"), cup(store, pair, name="two")
    async with conducting(store) as conductor:
        await conductor.want("one")
        await conductor.want("two")
        progress = await until_done(conductor, store, one, two)
    assert [each.done for each in progress] == [4, 4]
    assert digests(store, one) == digests(store, two)


async def test_an_adaptive_tournament_grows(store: Store, pair: list[str]) -> None:
    """Wave by wave, to its end."""
    grown = cup(store, pair, blocks=4, until_clear=0.999)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        (progress,) = await until_done(conductor, store, grown)
    assert progress.state is TournamentState.FINISHED
    assert progress.matches == progress.done > 2


async def test_a_killed_worker_costs_an_attempt_and_nothing_else(
    store: Store, pair: list[str], tmp_path: Path
) -> None:
    """Another one takes its place."""
    gate = tmp_path / "wait"
    played = cup(store, [held_bot(tmp_path, "held", gate), pair[0]])
    gate.touch()
    before = children()
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: conductor.playing(played.id).in_play)
        (worker,) = children() - before
        os.kill(worker, signal.SIGKILL)
        await until(lambda: store.progress(played.id).voids)
        gate.unlink()
        (progress,) = await until_done(conductor, store, played)
    assert (progress.done, progress.holes) == (4, 0)
    assert progress.voids in {1, 2}


async def test_a_cancelled_tournament_is_cut_off(
    store: Store, pair: list[str], tmp_path: Path
) -> None:
    """Its matches in play end at once, nothing of them is kept, and those who watch hear of it."""
    gate = tmp_path / "wait"
    played = cup(store, [held_bot(tmp_path, "held", gate), pair[0]])
    gate.touch()
    async with conducting(store) as conductor:
        with conductor.hub.feed(tournament_topic(played.id), after) as feed:
            await conductor.want("cup")
            await until(lambda: conductor.playing(played.id).in_play)
            store.cancel(played.id)
            await conductor.cancelled("cup")
            assert conductor.status().matches_in_play == 0
            news: TournamentNews = await anext(feed)
    assert news.progress.state is TournamentState.CANCELLED
    assert not news.playing.wanted
    assert store.progress(played.id).done == 0


async def test_a_drained_server_starts_nothing_and_goes_on_when_told(
    store: Store, pair: list[str]
) -> None:
    """What was in play has ended in order."""
    played = cup(store, pair, blocks=10)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: store.progress(played.id).done >= 2)
        await conductor.drain(60)
        still = store.progress(played.id).done
        assert conductor.status().draining
        assert conductor.status().matches_in_play == 0
        assert conductor.playing(played.id).wanted
        await asyncio.sleep(0.3)
        assert store.progress(played.id).done == still < 20
        conductor.resume()
        (progress,) = await until_done(conductor, store, played)
    assert (progress.done, progress.voids) == (20, 0)


async def test_a_drain_has_a_bound(store: Store, pair: list[str], tmp_path: Path) -> None:
    """A match that doesn't end in it is given back, as if it had never begun."""
    gate = tmp_path / "wait"
    played = cup(store, [held_bot(tmp_path, "held", gate), pair[0]])
    gate.touch()
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: conductor.playing(played.id).in_play)
        await conductor.drain(0.2)
        assert conductor.status().matches_in_play == 0
        gate.unlink()
        conductor.resume()
        (progress,) = await until_done(conductor, store, played)
    assert (progress.done, progress.voids) == (4, 0)


async def test_a_drain_waits_for_one_bot_that_is_made_ready_and_not_for_all(
    store: Store, pair: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where many images have to be made, as after a new base image, that would take minutes."""
    played = cup(store, pair, blocks=1)
    ready: list[str] = []
    hold = threading.Event()
    unpacked = lodging._unpacked

    def slow(store: Store, bot: Any, *told: Any) -> Any:
        ready.append(bot.name)
        hold.wait(60)
        return unpacked(store, bot, *told)

    monkeypatch.setattr(lodging, "_unpacked", slow)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: ready)
        draining = asyncio.create_task(conductor.drain(0))
        await asyncio.sleep(0.5)
        hold.set()
        await draining
        assert len(ready) == 1
        conductor.resume()
        (progress,) = await until_done(conductor, store, played)
    assert (progress.state, len(ready)) == (TournamentState.FINISHED, 3)


async def test_a_tournament_that_another_program_plays_is_in_trouble_until_that_ends(
    store: Store, pair: list[str], tmp_path: Path
) -> None:
    """It is said why, and tried again."""
    played = cup(store, pair)
    with Store.open(tmp_path / "home") as other:
        async with conducting(store) as conductor:
            with other.run_lock(played):
                await conductor.want("cup")
                await until(lambda: conductor.playing(played.id).trouble)
                assert "another program plays" in conductor.playing(played.id).trouble
                assert conductor.status().tournaments_in_trouble == 1
            (progress,) = await until_done(conductor, store, played)
    assert progress.state is TournamentState.FINISHED


async def test_a_full_disk_costs_no_match(
    store: Store, pair: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can't be recorded is played again once there is room, and everybody is told why."""
    played = cup(store, pair)
    full = True
    record = store.record_result

    def as_long_as_there_is_room(*told: Any, **named: Any) -> Any:
        if full:
            raise StoreFull("no space is left at /somewhere/secret")
        return record(*told, **named)

    monkeypatch.setattr(store, "record_result", as_long_as_there_is_room)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: conductor.playing(played.id).trouble)
        trouble = conductor.playing(played.id).trouble
        full = False
        await conductor.want("cup")
        (progress,) = await until_done(conductor, store, played)
    assert trouble == "no space is left on the arena's disk"
    assert (progress.done, progress.voids) == (4, 0)


def after(older: TournamentNews, newer: TournamentNews) -> TournamentNews:
    """Merge as a slow watcher does."""
    return newer.after(older)


def children() -> set[int]:
    """The worker processes of this test's process."""
    return set(
        map(int, Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())
    )
