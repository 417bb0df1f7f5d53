"""People who play against bots: one match each at a time, by the rules and timers of all others.

Such a match is played by a match worker beside those of tournaments, and takes none of their
places. It is recorded for the person and counts for nothing. Since nobody could go on with it, one
that is cut off is not played again: it is interrupted, and the person is told why.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Any, Final, Protocol

import structlog

from arena.app.bots import building, lodging
from arena.app.bots.contestants import Contestant
from arena.app.conducting import inviting
from arena.app.conducting.conducted import Backstage
from arena.app.conducting.hub import DRAINING, Feed
from arena.app.conducting.inviting import Opponent, Wish
from arena.app.errors import ArenaError
from arena.app.failures import FOR_PEOPLE
from arena.app.options import fresh_seed
from arena.app.troubles import in_public
from arena.match.record import MatchRecord
from arena.match.replay import Line
from arena.match.setup import PERSON_BUDGET, Timers
from arena.store import (
    AtATable,
    NewPersonMatch,
    NotFound,
    PersonMatch,
    PersonMatchState,
    PersonResult,
    SeatedBot,
    Seeing,
    StoreError,
)
from arena.tournament.chair import Asked, Chair, NotTaken
from arena.tournament.job import PERSON, Lodging, MatchJob, Outcome, Played, SeatJob
from arena.tournament.uncut import uncut

log = structlog.get_logger()

_NOWHERE: Final = "there is no such match, or it is not for you to see"
_DRAINING: Final = "the arena begins no matches at the moment: try again later"
_FULL: Final = "{} people are playing, which is as many as can at a time: try again later"
_GOES_ON: Final = "the match that you left goes on without you: sit down again once it has ended"
_CLOSED: Final = "on this arena nobody plays against bots: its settings say so"
_CUT_OFF: Final = "the arena was stopped while it was being played"
_LEFT_EARLY: Final = "you left before it began"
_SPOILT: Final = "the arena failed while it was being played: nobody at the table is to blame"
_NOT_KEPT: Final = "it was played, but the arena could not keep it"


@dataclass(frozen=True, slots=True)
class HouseRules:
    """On which terms people play."""

    #: How many of their matches may be played at a time; 0: none.
    at_once: int = 8
    #: Whether they may meet every bot of the public ranking, or sample bots and their own only.
    ranked: bool = True
    lodging: Lodging = Lodging.DOCKER
    timers: Timers = Timers()
    #: Seconds that a person may take for all turns and readies of a match: each bot has a budget,
    #: too, so every match ends.
    budget: float = PERSON_BUDGET


@dataclass(frozen=True, slots=True)
class Draining:
    """No match begins any more; those in play may end, until they are cut off."""

    #: In seconds of the event loop's clock; infinite: never.
    until: float

    @property
    def left(self) -> float | None:
        """In so many seconds matches are cut off; None: never."""
        if math.isinf(self.until):
            return None
        return max(0.0, self.until - asyncio.get_running_loop().time())


class Host(Protocol):
    """An executor that plays matches with people in them."""

    async def play_with(self, job: MatchJob, chair: Chair) -> Outcome:
        """Play a job in which a person plays, who is served at `chair`."""


class LiveTable:
    """A match that somebody is about to play or plays."""

    def __init__(self, match: PersonMatch) -> None:
        """Use `People.sit_down` and `People.table`."""
        #: As the store holds it: its id, game, own seat, the bots by seat, its state.
        self.match = match
        self.chair = Chair()
        #: What is being done for it: making its bots ready, then playing.
        self.work: asyncio.Task[MatchRecord] | None = None

    @property
    def question(self) -> Asked | None:
        """What the person is asked at this moment; None: others are to act."""
        return self.chair.question

    def questions(self) -> AsyncGenerator[Asked | None, None]:
        """What is asked now, and again after each change, until the match ends."""
        return self.chair.questions()

    def watch(self) -> AsyncGenerator[Line, None]:
        """What this seat sees, line by line from the first one on, until the match ends.

        Raises Cut.
        """
        return self.chair.broadcast.watch()

    async def answer(self, number: int, said: Mapping[str, Any]) -> None:
        """Answer a question; see `arena.players.choices` for what can be said.

        Returns once the answer counts. Raises ArenaError: it came too late, or can't be given.
        """
        try:
            await self.chair.answer(number, said)
        except NotTaken as why:
            raise ArenaError(str(why)) from None

    def leave(self) -> None:
        """Play no more: default moves to the end, or no match if it has not begun."""
        begun = self.match.state is PersonMatchState.PLAYING
        self.chair.leave()
        if not begun and self.work is not None:
            self.work.cancel()


class People:
    """All matches of people on one server; to be used from its event loop."""

    #: Whether matches may only end.
    draining: Draining | None = None

    def __init__(self, back: Backstage, host: Host, house: HouseRules) -> None:
        """Work backstage, and have matches played by `host`."""
        self._back = back
        self._host = host
        self.house = house
        #: By the match's id.
        self._tables: dict[str, LiveTable] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        #: Through which they come in one by one, so that there are never too many.
        self._door = asyncio.Lock()

    @property
    def playing(self) -> int:
        """How many matches are being made ready or played."""
        return len(self._tables)

    async def clear(self) -> None:
        """What an earlier server was playing when it ended is interrupted."""
        await asyncio.to_thread(self._back.store.people.interrupt_all, _CUT_OFF)

    def opponents(
        self, game: str, author: str, among: Collection[str] | None = None
    ) -> list[Opponent]:
        """The bots that somebody may play a game against, see `inviting.opponents`.

        Blocks. Raises WrongCall if there is no such game.
        """
        return inviting.opponents(
            self._back.store, game, author, ranked=self.house.ranked, among=among
        )

    async def sit_down(self, wish: Wish, author: str) -> str:
        """Begin a match; returns its id at once, while its bots are being made ready.

        Raises WrongCall, OptionError for a wish that can't be, ArenaError and AtATable where it
        can't be now.
        """
        self._check()
        seats = await asyncio.to_thread(self._seated, wish, author)
        # Once it is noted it is also begun, whether or not whoever asked still waits.
        return await uncut(self._begin(wish, author, seats))

    async def _begin(self, wish: Wish, author: str, seats: Sequence[Contestant | None]) -> str:
        people = self._back.store.people
        async with self._door:
            self._check()
            if self.playing >= self.house.at_once:
                raise ArenaError(_FULL.format(self.house.at_once) if self.playing else _CLOSED)
            mine = self.at_table(author)
            if mine is not None and mine.chair.left:
                raise AtATable(_GOES_ON)
            if mine is None:
                # What this server could not record when it ended.
                await asyncio.to_thread(people.interrupt_all, _NOT_KEPT, author)
            new = self._new(wish, author, seats)
            table = self._tables[new.id] = LiveTable(await asyncio.to_thread(people.want, new))
        table.work = asyncio.create_task(self._played(table, seats), context=Context())
        task = asyncio.create_task(self._see_to(table, table.work), context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        log.info("person sat down", match=new.id, game=wish.game, author=author)
        return new.id

    @staticmethod
    def _new(wish: Wish, author: str, seats: Sequence[Contestant | None]) -> NewPersonMatch:
        bots = tuple(None if seat is None else _told(seat) for seat in seats)
        return NewPersonMatch(
            id=secrets.token_hex(8),
            author=author,
            game=wish.game,
            options=dict(wish.options),
            seat=seats.index(None),
            bots=bots,
        )

    def _check(self) -> None:
        if not self._back.open.is_set():
            raise ArenaError(_DRAINING)

    def table(self, id_: str, author: str) -> LiveTable:
        """A match of that person's that has not ended. Raises NotFound."""
        table = self._tables.get(id_)
        if table is None or table.match.author != author:
            raise NotFound(_NOWHERE)
        return table

    def at_table(self, author: str) -> LiveTable | None:
        """What somebody is playing, if anything."""
        mine = (table for table in self._tables.values() if table.match.author == author)
        return next(mine, None)

    def leave(self, author: str) -> None:
        """Have somebody leave whatever it is that is being played."""
        if (table := self.at_table(author)) is not None:
            table.leave()

    def mine(self, author: str, *, before: str | None = None, size: int) -> list[PersonMatch]:
        """A person's matches, the newest first: those before the one of that id. Blocks.

        Raises NotFound.
        """
        return self._back.store.people.page(author, before=before, size=size)

    def match(self, id_: str, who: Seeing) -> PersonMatch:
        """A match as it is recorded, for whoever plays or played it, and who may see all. Blocks.

        Raises NotFound.
        """
        match = self._back.store.people.get(id_)
        if not (who.all or match.author == who.author):
            raise NotFound(_NOWHERE)
        return match

    def replay(self, id_: str, who: Seeing) -> bytes:
        """The replay of a match that is over, for the same. Blocks.

        Raises NotFound, also if it has none or is not kept any more.
        """
        match = self.match(id_, who)
        if match.replay is None:
            raise NotFound(f"match {match.id} has no replay: it is {match.state.value}")
        return self._back.store.blob(match.replay)

    def drain(self, bound: float) -> None:
        """Tell all who play that no match begins any more, and is cut off after `bound` seconds."""
        self._drains(Draining(asyncio.get_running_loop().time() + bound))

    def resume(self) -> None:
        """Tell them that it goes on."""
        self._drains(None)

    def news(self) -> Feed[Draining | None]:
        """What becomes of `draining` from now on: `with people.news() as feed`."""
        return self._back.hub.feed(DRAINING)

    def _drains(self, draining: Draining | None) -> None:
        self.draining = draining
        self._back.hub.publish(DRAINING, draining)

    async def idle(self) -> None:
        """Wait until nobody plays any more."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def cut(self) -> None:
        """Interrupt all matches, and wait until that is recorded.

        Once nobody is let in any more: who is coming in at this moment comes in first.
        """
        async with self._door:
            for table in self._tables.values():
                if table.work is not None:
                    table.work.cancel()
        await self.idle()

    # --- one match

    def _seated(self, wish: Wish, author: str) -> list[Contestant | None]:
        """Who sits where: by seat the bot, None for the person."""
        names = [chosen.rpartition(":")[0] for chosen in wish.opponents]
        chosen = inviting.seats(wish, self.opponents(wish.game, author, names))
        bots = {each: self._find(each) for each in set(chosen) if each is not None}
        return [None if each is None else bots[each] for each in chosen]

    def _find(self, chosen: str) -> Contestant:
        return inviting.find(self._back.store, chosen)

    async def _see_to(self, table: LiveTable, work: asyncio.Task[MatchRecord]) -> None:
        """Record what becomes of a match, whatever that is."""
        await asyncio.wait({work})
        id_ = table.match.id
        try:
            table.match = await asyncio.to_thread(self._record, table, work)
        except StoreError as error:
            log.error("match of a person not recorded", match=id_, why=str(error))
        finally:
            del self._tables[id_]
            table.chair.broadcast.end()
            table.chair.end()
            log.info("person's match ended", match=id_, state=table.match.state.value)

    def _record(self, table: LiveTable, work: asyncio.Task[MatchRecord]) -> PersonMatch:
        people, id_ = self._back.store.people, table.match.id
        if work.cancelled():
            early = table.chair.left and table.match.state is PersonMatchState.WANTED
            return people.interrupt(id_, _LEFT_EARLY if early else _CUT_OFF)
        error = work.exception()
        if error is None:
            record = work.result()
            return people.end(id_, _result(record), record.replay)
        log.warning(
            "match of a person in trouble",
            match=id_,
            why=str(error) or type(error).__name__,
            exc_info=None if isinstance(error, FOR_PEOPLE) else error,
        )
        why = in_public(error) if isinstance(error, Exception) else _CUT_OFF
        return people.interrupt(id_, why)

    async def _played(self, table: LiveTable, seats: Sequence[Contestant | None]) -> MatchRecord:
        """Make the bots ready and play. Raises Spoilt, and what hinders."""
        match = table.match
        bots = [seat for seat in seats if seat is not None]
        ready = iter(await self._ready(match, bots))
        job = MatchJob(
            match_id=match.id,
            game=match.game,
            options=dict(match.options),
            seed=fresh_seed(),
            seats=tuple(PERSON if seat is None else next(ready) for seat in seats),
            timers=self.house.timers,
            person_budget=self.house.budget,
            lodging=self.house.lodging,
        )
        self._check()
        table.match = await asyncio.to_thread(self._back.store.people.begin, match.id)
        outcome = await self._host.play_with(job, table.chair)
        if isinstance(outcome, Played):
            return outcome.record
        log.warning("person's match spoilt", match=match.id, why=outcome.detail)
        raise ArenaError(_SPOILT)

    async def _ready(self, match: PersonMatch, bots: Sequence[Contestant]) -> list[SeatJob]:
        back = self._back
        if self.house.lodging is Lodging.DOCKER:
            return await building.build(back.member, bots)
        return await asyncio.to_thread(
            lodging.prepare,
            back.store,
            back.member,
            bots,
            lodging=self.house.lodging,
            game=match.game,
        )


def _told(bot: Contestant) -> SeatedBot:
    return SeatedBot(bot.name, bot.version, bot.digest)


def _result(record: MatchRecord) -> PersonResult:
    return PersonResult(
        reason=record.result.reason.value,
        rounds=record.rounds,
        totals=record.result.totals,
        ranks=record.result.ranks,
        faults=tuple(len(seat.faults) for seat in record.seats),
        out=tuple(None if seat.out is None else seat.out.kind.value for seat in record.seats),
    )
