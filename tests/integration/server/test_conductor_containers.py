"""Real containers: what a server does when its engine goes away, and that authors come first."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import docker
import pytest
from docker.errors import APIError

from arena.app.bots import intake, lodging
from arena.app.conducting.hub import submission_topic
from arena.app.errors import ArenaError
from arena.app.home import instance
from arena.sandbox.instance import store_labels
from arena.store import Store, StoredSubmission, SubmissionState, TournamentState
from arena.submissions import check, to_tar
from arena.tournament.job import Lodging, SeatJob
from tests.integration.server.conducting import bot, conducting, cup, until, until_done
from tests.wire import Wire

pytestmark = [pytest.mark.docker, pytest.mark.timeout(300)]


async def test_an_engine_that_goes_away_costs_no_match(
    image: None, store: Store, tmp_path: Path, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tournament waits in trouble and goes on when the engine is back; nothing is given up."""
    monkeypatch.setenv("DOCKER_HOST", wire.host)
    pair = [bot(tmp_path, "ann"), bot(tmp_path, "bob")]
    played = cup(store, pair, blocks=6, lodging=Lodging.DOCKER)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: store.progress(played.id).done >= 2)
        wire.cut()
        await until(lambda: conductor.playing(played.id).trouble)
        assert "container engine" in conductor.playing(played.id).trouble
        before = store.progress(played.id)
        wire.mend()
        (progress,) = await until_done(conductor, store, played)
    assert before.done < progress.done == 12
    assert (progress.holes, progress.voids) == (0, 0)
    assert progress.state is TournamentState.FINISHED


async def test_images_that_were_removed_are_made_again(
    image: None, store: Store, tmp_path: Path, engine: docker.APIClient
) -> None:
    """And after the end no container of the run is left."""
    pair = [bot(tmp_path, "ann"), bot(tmp_path, "bob")]
    played = cup(store, pair, blocks=4, lodging=Lodging.DOCKER)
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: store.progress(played.id).done >= 2)
        await conductor.drain(60)
        remove_bots(engine, [entry.version.digest for entry in played.entries])
        conductor.resume()
        (progress,) = await until_done(conductor, store, played)
    assert (progress.done, progress.holes) == (8, 0)
    wanted = [f"{key}={value}" for key, value in store_labels(store.run_folder, store.id).items()]
    assert engine.containers(all=True, filters={"label": wanted}) == []


async def test_without_its_image_no_match_of_a_bot_can_be_played(
    base_image: str, store: Store
) -> None:
    """That is found out before matches are given up for it."""
    there = SeatJob("there", "1", "", base_image, ())
    gone = SeatJob("gone", "1", "", "sha256:" + "0" * 64, ())
    with instance(store, containers=True) as member:
        await asyncio.to_thread(lodging.require, member, [there])
        with pytest.raises(ArenaError, match="lost the image of gone"):
            await asyncio.to_thread(lodging.require, member, [there, gone])


async def test_a_submission_is_qualified_while_a_tournament_is_played(
    image: None, store: Store, tmp_path: Path
) -> None:
    """Its matches come before the tournament's, and those who watch hear of each step."""
    pair = [bot(tmp_path, "ann"), bot(tmp_path, "bob")]
    played = cup(store, pair, blocks=50, lodging=Lodging.DOCKER)
    new = check(Path(bot(tmp_path, "cleo")))
    seen: list[SubmissionState] = []
    async with conducting(store) as conductor:
        await conductor.want("cup")
        await until(lambda: store.progress(played.id).done >= 1)
        found = intake.receive(store, "ana", to_tar(new))
        with conductor.hub.feed(submission_topic(found.id)) as feed:
            conductor.submission_arrived(found.id)
            assert conductor.status().submissions_waiting == 1
            news: StoredSubmission
            async for news in feed:
                seen.append(news.state)
                if news.state.over:
                    break
        await until(lambda: not conductor.status().submissions_waiting)
        assert store.progress(played.id).pending
    assert news.state is SubmissionState.READY, news.reason
    assert seen == sorted(seen, key=list(SubmissionState).index)
    assert store.find_version("cleo").author == "ana"


async def test_a_restarted_server_goes_on_with_submissions(
    image: None, store: Store, tmp_path: Path
) -> None:
    """Also with one that was cut off in the middle."""
    found = intake.receive(store, "ana", to_tar(check(Path(bot(tmp_path, "cleo")))))
    async with conducting(store):
        await until(lambda: store.submissions.get(found.id).state is not SubmissionState.RECEIVED)
    assert not store.submissions.get(found.id).state.over
    async with conducting(store) as conductor:
        await until(lambda: not conductor.status().submissions_waiting)
    assert store.submissions.get(found.id).state is SubmissionState.READY


def remove_bots(engine: docker.APIClient, digests: list[str]) -> None:
    """Remove the images of some bots, as somebody who cleans up does."""
    for found in engine.images("claim-arena/bot"):
        for name in found["RepoTags"] or ():
            if any(digest[:32] in name for digest in digests):
                with suppress(APIError):
                    engine.remove_image(name, force=True)
