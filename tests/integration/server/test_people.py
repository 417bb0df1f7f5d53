"""A person sits down with bots: a whole match through the seam that the pages use."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.app.conducting import people as module
from arena.app.conducting.conductor import Conductor
from arena.app.conducting.inviting import Wish
from arena.app.conducting.people import HouseRules, LiveTable
from arena.app.errors import ArenaError, WrongCall
from arena.app.rankings import ranking
from arena.games import GAMES
from arena.match import replay
from arena.match.replay import Line
from arena.match.setup import Timers
from arena.match.spectating import seen_by
from arena.match.verify import verify
from arena.players.choices import Choices, Kind
from arena.store import (
    AtATable,
    NewPersonMatch,
    NotFound,
    PersonMatch,
    PersonMatchState,
    SeatedBot,
    Seeing,
    Store,
    StoreFull,
)
from arena.store.people import People
from arena.store.testing import new_version
from arena.tournament.chair import Asked
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Lodging
from tests.integration.server.conducting import (
    PATIENCE,
    bot,
    cup,
    until,
    until_done,
)
from tests.integration.server.test_conductor import children

ANA = "ana"
#: What an answer of hers to a question is.
Answering = Callable[[Asked], dict[str, Any] | None]


def anything(choices: Choices, rng: random.Random) -> dict[str, Any]:
    """Some answer that can be given."""
    if choices.kind is Kind.READY:
        return {"ready": True}
    if choices.kind is Kind.DISCARD:
        return {"discard": rng.sample(choices.discard, rng.randint(0, len(choices.discard)))}
    if choices.play:
        return {"play": rng.choice(choices.play)}
    if choices.claim:
        return {"claim": True}
    cards = rng.choice(choices.burn)
    return {"burn": rng.sample(cards, rng.randint(1, len(cards))), "draw": rng.choice(choices.draw)}


def at_random(seed: int = 1) -> Answering:
    """Answers anything, at once."""
    rng = random.Random(seed)
    return lambda asked: anything(asked.choices, rng)


def never(_: Asked) -> None:
    """Lets all times run out."""


@asynccontextmanager
async def house(store: Store, **changes: Any) -> AsyncIterator[Conductor]:
    """A server in which people play against trusted bots in processes."""
    rules = replace(HouseRules(lodging=Lodging.PROCESS), **changes)
    conductor = Conductor(store, workers=1, house=rules)
    await conductor.start()
    try:
        yield conductor
    finally:
        await conductor.close()


async def answer_all(table: LiveTable, answering: Answering) -> list[Asked]:
    """Answer each question once, until the match ends; None lets the time run out."""
    asked: list[Asked] = []
    async for question in table.questions():
        if question is not None and (not asked or question.number > asked[-1].number):
            asked.append(question)
            said = answering(question)
            if said is not None:
                await table.answer(question.number, said)
    return asked


async def seen_of(table: LiveTable) -> list[Line]:
    """All that the seat is told."""
    return [line async for line in table.watch()]


async def until_ended(store: Store, id_: str) -> PersonMatch:
    """Wait until it is recorded how it ended."""
    await until(lambda: store.people.get(id_).state.ended)
    return store.people.get(id_)


async def whole_match(
    conductor: Conductor, store: Store, wish: Wish, answering: Answering
) -> tuple[PersonMatch, list[Line], list[Asked]]:
    """Sit down and play."""
    id_ = await conductor.people.sit_down(wish, ANA)
    table = conductor.people.table(id_, ANA)
    async with asyncio.timeout(PATIENCE):
        seen, asked = await asyncio.gather(seen_of(table), answer_all(table, answering))
    return await until_ended(store, id_), seen, asked


def replay_of(conductor: Conductor, match: PersonMatch) -> list[Line]:
    """The lines of its replay."""
    return list(replay.unpack(conductor.people.replay(match.id, Seeing(ANA))))


SHORT: dict[str, dict[str, Any]] = {
    "claims": {"target": 150, "max_rounds": 3},
    "claim": {"max_rounds": 3},
    "claro": {},
}


@pytest.mark.parametrize("game", GAMES)
async def test_a_person_plays_a_whole_match(store: Store, game: str) -> None:
    """Of each game; what was seen is what the replay tells this seat, and the replay holds."""
    others = ("sample/random",) * (GAMES[game].seats[0] - 1)
    async with house(store) as conductor:
        wish = Wish(game, others, SHORT[game], seat=1)
        match, seen, asked = await whole_match(conductor, store, wish, at_random())
        lines = replay_of(conductor, match)
    assert match.state is PersonMatchState.OVER
    assert match.result is not None
    assert match.result.faults == (0,) * (len(others) + 1)
    assert {question.choices.kind for question in asked} >= {Kind.TURN, Kind.READY}
    assert verify(lines).holds
    assert seen == [told for line in lines if (told := seen_by(line, 1)) is not None]
    assert lines[0]["seats"][1] == {"bot": "person", "version": "", "digest": "", "person": True}
    assert ANA not in json.dumps(lines)


DUEL = Wish("claims", ("sample/random",), SHORT["claims"], seat=0)
#: Nobody waits long for a turn that times out.
HURRIED = Timers(turn=0.5, ready=0.5)


async def sat_down(conductor: Conductor, wish: Wish = DUEL, who: str = ANA) -> LiveTable:
    """Begin a match, and wait until the first question."""
    table = conductor.people.table(await conductor.people.sit_down(wish, who), who)
    await until(lambda: table.question)
    return table


async def test_what_is_late_or_not_allowed_is_refused_and_a_silent_turn_is_played_for_her(
    store: Store,
) -> None:
    """As for everybody: one fault, the default move, and the match goes on."""
    silent: list[int] = []

    def once_silent(asked: Asked) -> dict[str, Any] | None:
        if asked.choices.kind is Kind.TURN and not silent:
            silent.append(asked.number)
            return None
        return anything(asked.choices, random.Random(asked.number))

    async with house(store, timers=Timers(turn=2.0)) as conductor:
        table = await sat_down(conductor)
        first = table.question
        assert first is not None
        assert first.choices.kind is Kind.TURN
        for wrong, why in (
            ({"burn": ["nonsense"], "draw": "deck"}, "not in your hand"),
            ({"ready": True}, "no answer to a turn"),
        ):
            with pytest.raises(ArenaError, match=why):
                await table.answer(first.number, wrong)
        assert table.question is not None
        assert table.question.left < first.left
        playing = asyncio.create_task(answer_all(table, once_silent))
        await until(lambda: table.question is None or table.question.number > first.number)
        with pytest.raises(ArenaError, match="asked any more"):
            await table.answer(first.number, anything(first.choices, random.Random(1)))
        await playing
        match = await until_ended(store, table.match.id)
        lines = replay_of(conductor, match)
    assert match.result is not None
    assert (match.result.faults, match.result.out) == ((1, 0), (None, None))
    faults = [line["fault"] for line in lines if line["type"] == "turn" and line["seat"] == 0]
    assert [fault for fault in faults if fault] == ["TIMEOUT"]
    assert verify(lines).holds


async def test_whoever_closed_the_page_is_out_after_too_many_faults(store: Store) -> None:
    """Then default moves are played at once; so nobody can hold a table for ever."""
    async with house(store, timers=HURRIED) as conductor:
        table = await sat_down(conductor, replace(DUEL, game="claim", options=SHORT["claim"]))
        match = await until_ended(store, table.match.id)
    assert match.result is not None
    assert match.result.out[0] in {None, "TOO_MANY_FAULTS"}
    assert match.result.faults[0] > 0


@pytest.mark.parametrize("game", GAMES)
async def test_whoever_leaves_plays_default_moves_to_the_end(store: Store, game: str) -> None:
    """At once: nobody waits, and it is said why."""
    others = ("sample/random",) * (GAMES[game].seats[0] - 1)
    async with house(store) as conductor:
        table = await sat_down(conductor, Wish(game, others, SHORT[game], seat=0))
        table.leave()
        table.leave()
        match = await until_ended(store, table.match.id)
        lines = replay_of(conductor, match)
    assert match.state is PersonMatchState.OVER
    assert match.result is not None
    assert (match.result.out[0], match.result.faults[0]) == ("LEFT", 1)
    assert verify(lines).holds


async def test_whoever_leaves_before_it_began_has_no_match(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And may sit down again at once."""
    held = asyncio.Event()

    async def held_up(*_: Any) -> Any:
        await held.wait()

    async with house(store) as conductor:
        monkeypatch.setattr(conductor.people, "_ready", held_up)
        id_ = await conductor.people.sit_down(DUEL, ANA)
        conductor.people.table(id_, ANA).leave()
        match = await until_ended(store, id_)
        await until(lambda: conductor.people.at_table(ANA) is None)
        await conductor.people.sit_down(DUEL, ANA)
    assert (match.state, match.why) == (PersonMatchState.INTERRUPTED, "you left before it began")


async def test_a_killed_worker_interrupts_the_match(store: Store) -> None:
    """It can't be played again, and the person is told; the next one is played as ever."""
    before = children()
    async with house(store) as conductor:
        table = await sat_down(conductor)
        watching = asyncio.create_task(seen_of(table))
        answering = asyncio.create_task(answer_all(table, never))
        (worker,) = children() - before
        os.kill(worker, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(watching, answering)
        match = await until_ended(store, table.match.id)
        await until(lambda: conductor.people.at_table(ANA) is None)
        again, _, _ = await whole_match(conductor, store, DUEL, at_random())
    assert match.state is PersonMatchState.INTERRUPTED
    assert "nobody at the table is to blame" in match.why
    assert (match.result, match.replay) == (None, None)
    assert again.state is PersonMatchState.OVER


async def test_no_ranking_knows_of_it(store: Store, tmp_path: Path) -> None:
    """Of a bot that she meets and that has played tournaments: all numbers are as before."""
    tournament = cup(store, [bot(tmp_path, "ann"), bot(tmp_path, "bob")])
    async with house(store) as conductor:
        await conductor.want("cup")
        await until_done(conductor, store, tournament)
        before = ranking.ranking(store, "claims").ranked
        assert [one.id for one in conductor.people.opponents("claims", "eve")] == [
            "sample/random",
            "sample/greedy",
            "sample/counter",
            "ann:1",
            "bob:1",
        ]
        wish = Wish("claims", ("ann:1",), SHORT["claims"], seat=1)
        match, _, _ = await whole_match(conductor, store, wish, at_random())
    assert match.state is PersonMatchState.OVER
    assert match.bots[0] is not None
    assert match.bots[0].bot == "ann"
    assert ranking.ranking(store, "claims").ranked == before
    assert len(store.results(tournament.id)) == 4


async def test_a_person_who_thinks_holds_nobody_up(store: Store, tmp_path: Path) -> None:
    """A tournament is played on the same worker meanwhile, in all of its places."""
    tournament = cup(store, [bot(tmp_path, "ann"), bot(tmp_path, "bob")])
    async with house(store) as conductor:
        tables = [await sat_down(conductor, who=who) for who in ("ana", "eve", "ivo")]
        assert conductor.status().people_playing == 3
        await conductor.want("cup")
        (progress,) = await until_done(conductor, store, tournament)
        assert progress.done == 4
        assert conductor.status().matches_in_play == 0
        assert all(table.question for table in tables)


async def test_what_was_left_is_played_to_its_end_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever left isn't told to leave."""

    async def slowly(*_: Any) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(LocalExecutor, "play_with", slowly)
    async with house(store) as conductor:
        table = conductor.people.table(await conductor.people.sit_down(DUEL, ANA), ANA)
        await until(lambda: table.match.state is PersonMatchState.PLAYING)
        table.leave()
        with pytest.raises(AtATable, match="goes on without you"):
            await conductor.people.sit_down(DUEL, ANA)


async def test_there_are_only_so_many_and_one_each(store: Store) -> None:
    """Who can't sit down is told why in one sentence."""
    async with house(store, at_once=2) as conductor:
        await sat_down(conductor)
        with pytest.raises(AtATable, match="leave it"):
            await conductor.people.sit_down(DUEL, ANA)
        bob = await sat_down(conductor, who="bob")
        with pytest.raises(ArenaError, match="as many as can"):
            await conductor.people.sit_down(DUEL, "cleo")
        bob.leave()
        await until(lambda: conductor.people.at_table("bob") is None)
        await sat_down(conductor, who="cleo")
    async with house(store, at_once=0) as conductor:
        with pytest.raises(ArenaError, match="its settings"):
            await conductor.people.sit_down(DUEL, ANA)


async def test_a_table_is_for_the_person_alone(store: Store) -> None:
    """Another one is told that there is none; an admin may see what is recorded."""
    async with house(store) as conductor:
        table = await sat_down(conductor)
        people, id_ = conductor.people, table.match.id
        with pytest.raises(NotFound):
            people.table(id_, "bob")
        with pytest.raises(NotFound, match="no replay"):
            people.replay(id_, Seeing(ANA))
        table.leave()
        await until_ended(store, id_)
        for nobody in (Seeing("bob"), Seeing()):
            for look in (people.match, people.replay):
                with pytest.raises(NotFound):
                    look(id_, nobody)
        assert people.replay(id_, Seeing("root", all=True)) == people.replay(id_, Seeing(ANA))
        await until(lambda: people.at_table(ANA) is None)
        with pytest.raises(NotFound):
            people.table(id_, ANA)
        assert [match.id for match in people.mine(ANA, size=10)] == [id_]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "chess"}, "no game"),
        ({"options": {"target": 7}}, "target"),
        ({"opponents": ()}, "choose 1 to 6 bots"),
        ({"opponents": ("sample/random",) * 7}, "choose 1 to 6 bots"),
        ({"opponents": ("sample/misbehaving/cheat",)}, "no bot that you can play against"),
        ({"opponents": ("sample/sampler",)}, "no bot that you can play against"),
        ({"opponents": ("nobody:1",)}, "no bot that you can play against"),
        ({"opponents": ("/etc",)}, "no bot that you can play against"),
        ({"seat": 2}, "no seat 2"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused(
    store: Store, changes: dict[str, Any], why: str
) -> None:
    """Before anything is begun or noted."""
    async with house(store) as conductor:
        with pytest.raises((WrongCall, ValueError), match=why):
            await conductor.people.sit_down(replace(DUEL, **changes), ANA)
    assert store.people.page(ANA, size=1) == []


async def test_a_house_may_keep_ranked_bots_to_itself(store: Store) -> None:
    """Then people meet sample bots and their own, though not what they have retired."""
    store.add_version(new_version("mine", author=ANA), b"archive")
    store.add_version(new_version("hers", author="eve"), b"archive")
    store.add_version(new_version("old", author=ANA), b"archive")
    store.roster.retire("old")
    async with house(store, ranked=False) as conductor:
        found = conductor.people.opponents("claims", ANA)
    assert [(one.bot, one.own) for one in found if one.author] == [("mine", True)]


async def test_a_drain_begins_none_and_interrupts_what_does_not_end_in_its_bound(
    store: Store,
) -> None:
    """What can't be given back is not played again."""
    async with house(store) as conductor:
        table = await sat_down(conductor)
        draining = asyncio.create_task(conductor.drain(0.5))
        await asyncio.sleep(0)
        with pytest.raises(ArenaError, match="try again later"):
            await conductor.people.sit_down(DUEL, "bob")
        told = conductor.people.draining
        await draining
        match = store.people.get(table.match.id)
        conductor.resume()
        assert conductor.people.draining is None
        await sat_down(conductor)
    assert told is not None
    assert told.left is not None
    assert match.state is PersonMatchState.INTERRUPTED
    assert match.why == "the arena was stopped while it was being played"


async def test_what_is_made_ready_when_the_arena_drains_does_not_begin(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told to come again."""
    hold = asyncio.Event()

    async def held_up(people: module.People, *told: Any) -> Any:
        await hold.wait()
        return await ready(people, *told)

    ready = module.People._ready
    monkeypatch.setattr(module.People, "_ready", held_up)
    async with house(store) as conductor:
        id_ = await conductor.people.sit_down(DUEL, ANA)
        draining = asyncio.create_task(conductor.drain(PATIENCE))
        await asyncio.sleep(0.05)
        hold.set()
        await draining
    match = store.people.get(id_)
    assert match.state is PersonMatchState.INTERRUPTED
    assert "try again later" in match.why


async def test_who_is_locked_out_has_left(store: Store) -> None:
    """The match goes on without, and its place is free at its end."""
    async with house(store) as conductor:
        table = await sat_down(conductor)
        conductor.locked_out("bob")
        assert not table.chair.left
        assert conductor.status().people_playing == 1
        conductor.locked_out(ANA)
        match = await until_ended(store, table.match.id)
        assert match.result is not None
        assert match.result.out[match.seat] == "LEFT"
        await until(lambda: conductor.status().people_playing == 0)


async def test_who_comes_in_while_the_arena_is_stopped_is_recorded_before_it_has(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wish was on its way into the store: nothing is left behind that nobody plays."""
    noted, go_on = threading.Event(), threading.Event()
    want = People.want

    def slowly(people: People, new: NewPersonMatch) -> PersonMatch:
        made = want(people, new)
        noted.set()
        assert go_on.wait(PATIENCE)
        return made

    monkeypatch.setattr(People, "want", slowly)
    conductor = Conductor(store, workers=1, house=HouseRules(lodging=Lodging.PROCESS))
    await conductor.start()
    sitting = asyncio.create_task(conductor.people.sit_down(DUEL, ANA))
    await asyncio.to_thread(noted.wait, PATIENCE)
    closing = asyncio.create_task(conductor.close())
    await asyncio.wait({closing}, timeout=0.5)
    go_on.set()
    await closing
    (match,) = store.people.page(ANA, size=2)
    assert match.state is PersonMatchState.INTERRUPTED
    assert conductor.people.playing == 0
    assert await sitting == match.id


async def test_a_drain_waits_for_a_person_as_for_all_others(store: Store) -> None:
    """Within its bound."""
    async with house(store) as conductor:
        table = await sat_down(conductor)
        draining = asyncio.create_task(conductor.drain(PATIENCE))
        await answer_all(table, at_random())
        await draining
        assert store.people.get(table.match.id).state is PersonMatchState.OVER


async def test_what_a_killed_server_was_playing_is_interrupted_by_the_next(store: Store) -> None:
    """And its person can sit down."""
    bots = (None, SeatedBot("random", "sample", "ab" * 32))
    store.people.want(NewPersonMatch("left", ANA, "claims", {}, 0, bots))
    store.people.begin("left")
    async with house(store) as conductor:
        left = store.people.get("left")
        await sat_down(conductor)
    assert left.state is PersonMatchState.INTERRUPTED
    assert left.why == "the arena was stopped while it was being played"


async def test_what_could_not_be_recorded_keeps_nobody_from_the_next_match(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is interrupted as soon as that can be written down."""

    def no_room(*_: Any) -> Any:
        raise StoreFull("no space is left")

    async with house(store) as conductor:
        table = await sat_down(conductor)
        with monkeypatch.context() as full:
            full.setattr(People, "end", no_room)
            table.leave()
            await until(lambda: conductor.people.at_table(ANA) is None)
        assert not store.people.get(table.match.id).state.ended
        await sat_down(conductor)
    assert "could not keep it" in store.people.get(table.match.id).why


async def test_each_match_has_deals_of_its_own_and_seats_go_clockwise(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the person's left on; who names no seat gets one by chance."""
    monkeypatch.setattr(secrets, "randbelow", lambda size: size - 1)
    wish = Wish("claims", ("sample/random", "sample/greedy", "sample/random"), SHORT["claims"])
    seeds = set[str]()
    async with house(store) as conductor:
        for seat, names in (
            (None, ["random", "greedy", "random", None]),
            (1, ["random", None, "random", "greedy"]),
        ):
            table = await sat_down(conductor, replace(wish, seat=seat))
            table.leave()
            match = await until_ended(store, table.match.id)
            await until(lambda: conductor.people.at_table(ANA) is None)
            assert [bot and bot.bot for bot in match.bots] == names
            lines = replay_of(conductor, match)
            assert [told["bot"] for told in lines[0]["seats"]] == [n or "person" for n in names]
            seeds.add(lines[0]["seed"])
    assert len(seeds) == 2
