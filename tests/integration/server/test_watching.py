"""What spectators are sent: a tournament's state as it changes, a match's public lines as they
come, in order and whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.match import replay
from arena.match.spectating import public
from arena.server.arena import Arena
from arena.server.caller import Caller, current
from arena.server.refusals import Refused
from arena.server.settings import Settings
from arena.server.tournaments import Tournaments
from arena.store import NotFound, Role, Store, Tournament
from arena.wire import matches as wire
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.conducting import (
    bot,
    conducting,
    cup,
    held_bot,
    let_go,
    until,
    until_done,
)


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """While this file is there, the held bot makes no move."""
    gate = tmp_path / "wait"
    gate.touch()
    return gate


@pytest.fixture
def tournament(store: Store, tmp_path: Path, gate: Path) -> Tournament:
    """A tournament in which one bot is held."""
    return cup(store, [held_bot(tmp_path, "held", gate), bot(tmp_path, "bob")])


@asynccontextmanager
async def served(store: Store) -> AsyncIterator[Tournaments]:
    """The service, called by the organiser."""
    current.set(Caller(author="local", role=Role.ORGANISER))
    async with conducting(store) as conductor:
        yield Tournaments(Arena(store, Settings(), conductor))


async def in_play(service: Tournaments, tournament: Tournament) -> list[str]:
    """Have it played, and wait until matches are in play."""
    await service._arena.conductor.want(tournament.name)
    conductor = service._arena.conductor
    await until(lambda: len(conductor.playing(tournament.id).in_play) == 2)
    return list(conductor.playing(tournament.id).in_play)


def watch_match(service: Tournaments, match_id: str) -> AsyncIterator[pb.WatchMatchResponse]:
    """Watch a match of the cup."""
    return service.WatchMatch(pb.WatchMatchRequest(tournament="cup", match_id=match_id), nobody())


def nobody() -> Any:
    """The methods don't look at gRPC's context."""
    return None


async def all_of(answers: AsyncIterator[Any]) -> list[Any]:
    """Everything that comes."""
    return [answer async for answer in answers]


async def test_a_match_is_watched_from_its_first_line_to_its_result(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """By any number, who came at any time: all see what the replay says, less what is hidden."""
    async with served(store) as service:
        match = (await in_play(service, tournament))[0]
        early = [asyncio.create_task(all_of(watch_match(service, match))) for _ in range(3)]
        await asyncio.sleep(0.2)
        let_go(gate)
        late = asyncio.create_task(all_of(watch_match(service, match)))
        seen = [*await asyncio.gather(*early), await late]
        await until_done(service._arena.conductor, store, tournament)
    written = list(replay.unpack(store.blob(store.result(tournament.id, match).replay)))
    wanted = [shown for line in written if (shown := public(line)) is not None]
    assert len(wanted) > 5
    for answers in seen:
        assert [wire.line_record(answer.line) for answer in answers[:-1]] == wanted
        over = wire.match_record(answers[-1].over.match)
        assert over.match.status.value == "done"
        assert over.result is not None
        assert over.result.replay_digest == replay.digest(written)


async def test_who_leaves_and_comes_again_sees_all_of_it(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """The worker stops telling when the last watcher has left, and begins anew."""
    async with served(store) as service:
        match = (await in_play(service, tournament))[0]
        for _ in range(3):
            first = watch_match(service, match)
            assert (await anext(first)).line["type"] == "header"
            await first.aclose()  # type: ignore[attr-defined]
        again = asyncio.create_task(all_of(watch_match(service, match)))
        await asyncio.sleep(0.2)
        let_go(gate)
        answers = await again
        await until_done(service._arena.conductor, store, tournament)
    written = list(replay.unpack(store.blob(store.result(tournament.id, match).replay)))
    assert [wire.line_record(answer.line) for answer in answers[:-1]] == [
        shown for line in written if (shown := public(line)) is not None
    ]


async def test_only_what_is_played_can_be_watched(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """A match that is over says so at once; one that isn't begun is refused, as is an unknown."""
    pending = store.matches(tournament.id)[-1].id
    async with served(store) as service:
        with pytest.raises(Refused) as refused:
            await anext(watch_match(service, pending))
        assert refused.value.reason == pb.REASON_WRONG_STATE
        let_go(gate)
        await service._arena.conductor.want("cup")
        await until_done(service._arena.conductor, store, tournament)
        (over,) = await all_of(watch_match(service, pending))
        assert over.over.match.status == pb.MATCH_STATUS_DONE
        for tournament_, match in (("nothing", pending), ("cup", "nothing")):
            unknown = pb.WatchMatchRequest(tournament=tournament_, match_id=match)
            with pytest.raises(NotFound):
                await anext(service.WatchMatch(unknown, nobody()))


async def test_a_tournament_is_watched_to_its_end(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """Its state at once, then each change; every match that has ended is told once."""
    let_go(gate)
    async with served(store) as service:
        request = pb.WatchTournamentRequest(name="cup")
        answers = service.WatchTournament(request, nobody())
        first = await anext(answers)
        assert first.progress.state == pb.TOURNAMENT_STATE_CREATED
        assert not first.progress.wanted
        await service.RunTournament(pb.RunTournamentRequest(tournament="cup"), nobody())
        rest = await all_of(answers)
    assert rest[-1].progress.state == pb.TOURNAMENT_STATE_FINISHED
    assert not rest[-1].progress.wanted
    assert any(answer.progress.in_play for answer in rest)
    done = [answer.progress.done for answer in rest]
    assert done == sorted(done)
    ended = [match.id for answer in rest for match in answer.ended]
    assert sorted(ended) == sorted(match.id for match in store.matches(tournament.id))
    assert all(match.HasField("result") for answer in rest for match in answer.ended)


async def test_a_slow_watcher_gets_the_newest_state(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """One message for all that happened while nobody read, with every match that has ended."""
    let_go(gate)
    async with served(store) as service:
        answers = service.WatchTournament(pb.WatchTournamentRequest(name="cup"), nobody())
        await anext(answers)
        await service._arena.conductor.want("cup")
        await until_done(service._arena.conductor, store, tournament)
        (last,) = await all_of(answers)
    assert last.progress.state == pb.TOURNAMENT_STATE_FINISHED
    assert len(last.ended) == 4


async def test_a_private_tournament_is_watched_by_those_in_it(store: Store, tmp_path: Path) -> None:
    """For everybody else it isn't there."""
    hidden = cup(store, [bot(tmp_path, "ann"), bot(tmp_path, "bob")], private=True)
    async with served(store) as service:
        current.set(Caller(author="ana", role=Role.ORGANISER))
        match = pb.WatchMatchRequest(tournament="cup", match_id=store.matches(hidden.id)[0].id)
        with pytest.raises(NotFound):
            await anext(service.WatchMatch(match, nobody()))
        request = pb.WatchTournamentRequest(name="cup")
        with pytest.raises(NotFound):
            await anext(service.WatchTournament(request, nobody()))
        current.set(Caller(author="local", role=Role.AUTHOR))
        answers = service.WatchTournament(request, nobody())
        assert (await anext(answers)).progress.matches == 4


async def test_streams_end_when_the_arena_does(
    store: Store, tournament: Tournament, gate: Path
) -> None:
    """With a status that says to come again."""
    async with served(store) as service:
        match = (await in_play(service, tournament))[0]
        watching = [
            asyncio.create_task(all_of(watch_match(service, match))),
            asyncio.create_task(
                all_of(service.WatchTournament(pb.WatchTournamentRequest(name="cup"), nobody()))
            ),
        ]
        await asyncio.sleep(0.2)
        await service._arena.conductor.drain(0)
        await service._arena.conductor.close()
        for outcome in await asyncio.gather(*watching, return_exceptions=True):
            assert isinstance(outcome, Refused)
            assert outcome.reason == pb.REASON_DRAINING
