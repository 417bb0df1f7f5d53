"""Creating and running tournaments on the local store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

from arena.app import contestants, lodging, waves
from arena.app.errors import ArenaError, WrongCall
from arena.app.home import instance
from arena.app.logs import run_log
from arena.app.options import fresh_seed, game_of
from arena.app.waves import Clarity, Growth
from arena.match.replay import ENGINE
from arena.match.setup import Timers
from arena.rating import RatingError, check_confidence
from arena.sandbox.instance import Instance
from arena.schedule import Figures, Schedule, first_wave, plan
from arena.store import (
    NewTournament,
    Progress,
    Sandbox,
    Store,
    Tournament,
    TournamentState,
)
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Isolation, Lodging, SeatJob
from arena.tournament.pondering import Ponder
from arena.tournament.runner import Runner, Step

#: Nobody has played so many blocks to the end yet.
MOST_BLOCKS = 100_000
#: How a tournament's bots may run, as the store says it: never inside the arena itself.
_SANDBOXES: Mapping[Lodging, Sandbox] = {Lodging.DOCKER: "docker", Lodging.PROCESS: "process"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What an organiser decides about a tournament before it exists."""

    name: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    table_size: int = 2
    #: How many blocks are played, at most if ``until_clear``; ``None`` for a sensible number.
    blocks: int | None = None
    #: Let the schedule grow until the order is proven with this probability; ``None`` for a fixed
    #: schedule.
    until_clear: float | None = None
    #: 32 secret bytes.  Equal seeds give equal deals.
    seed: bytes = field(default_factory=fresh_seed)
    timers: Timers = Timers()
    max_faults: int = 10
    lodging: Lodging = Lodging.DOCKER
    isolation: Isolation = Isolation.MATCH
    ponder: Ponder = Ponder.FREEZE
    #: Whether the organiser vouches for every bot: needed for warm play and without containers.
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class Created:
    """A tournament that was set up, and how even its schedule is, or the first wave of it."""

    tournament: Tournament
    matches: int
    figures: Figures


def create(store: Store, wanted: Plan, bots: Sequence[str]) -> Created:
    """Set a tournament up: its bots are kept, its schedule is drawn, nothing is played yet.

    Raises ``ArenaError``, ``OptionError``, ``ScheduleError``, ``SubmissionError``, ``StoreError``.
    """
    rules = game_of(wanted.game)
    if wanted.table_size not in rules.seats:
        raise WrongCall(
            f"{rules.name} is played by {rules.seats[0]} to {rules.seats[-1]} players, "
            f"so the table size cannot be {wanted.table_size}"
        )
    options = rules.options(wanted.options)
    _check_trust(wanted)
    field_ = contestants.find_all(store, bots, wanted.game)
    contestants.distinct(field_)
    most, schedule = _schedule(wanted, len(field_))
    tournament = store.create_tournament(
        NewTournament(
            name=wanted.name,
            game=wanted.game,
            options=options.as_dict(),
            table_size=wanted.table_size,
            blocks=most,
            seed=wanted.seed,
            timers=asdict(wanted.timers),
            max_faults=wanted.max_faults,
            sandbox=_SANDBOXES[wanted.lodging],
            isolation=wanted.isolation.value,
            ponder=_ponder(wanted).value,
            engine=ENGINE,
            until_clear=wanted.until_clear,
        ),
        [contestants.submit(store, contestant) for contestant in field_],
        waves.scheduled(schedule.blocks, wanted.seed),
    )
    return Created(tournament, schedule.matches, schedule.figures())


def _schedule(wanted: Plan, entries: int) -> tuple[int, Schedule]:
    """How many blocks there may be, and those that are known from the start."""
    if wanted.until_clear is None:
        schedule = plan(entries, wanted.table_size, blocks=wanted.blocks, seed=wanted.seed)
        return len(schedule.blocks), schedule
    most = wanted.blocks or min(MOST_BLOCKS, waves.BLOCKS_PER_BOT * entries)
    try:
        check_confidence(wanted.until_clear)
    except RatingError as error:
        raise WrongCall(str(error)) from None
    first = first_wave(entries, wanted.table_size, most=most, seed=wanted.seed)
    return most, Schedule(entries, wanted.table_size, first)


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament that this process plays, its bots ready to be started."""

    store: Store
    tournament: Tournament
    #: How far it was when the run began.
    before: Progress
    #: By entry; empty where nothing is pending.
    seats: Sequence[SeatJob]
    member: Instance
    log: TextIO
    #: What adds matches to an adaptive tournament.
    growth: Growth | None

    async def play(
        self,
        *,
        workers: int | None = None,
        on_step: Callable[[Step], None] = lambda _: None,
        on_wave: Callable[[Clarity], None] = lambda _: None,
    ) -> Progress:
        """Play what is pending, and what an adaptive tournament adds; may be stopped anywhere.

        ``workers`` is the number of match workers, by default one per core; ``on_step`` hears of
        each match that has ended, ``on_wave`` of each wave.
        """
        if not self.before.pending:
            return self.before
        workers = workers or LocalExecutor.default_workers()
        if self.growth is None:
            # More than matches would only be started and stopped; but of these there may be more.
            workers = min(workers, self.before.pending)
        async with LocalExecutor(self.member, workers=workers, log=self.log) as executor:
            seats = dict(enumerate(self.seats))
            runner = Runner(self.store, self.tournament, seats, executor, on_step=on_step)
            progress = await runner.run()
            if self.growth is None:
                return progress
            while await asyncio.to_thread(self.growth.grow):
                on_wave(self.growth.clarity())
                await runner.run()
        return await asyncio.to_thread(self.store.progress, self.tournament.id)


@contextmanager
def run(store: Store, name: str, *, tell: Callable[[str], None] = lambda _: None) -> Iterator[Run]:
    """Begin to play what is pending of a tournament, or go on with it: ``with run(...) as it``.

    Images are made here and not while playing, so that who waits for one can stop it at once;
    ``tell`` hears what takes a while.  Raises ``ArenaError``, ``StoreError``.
    """
    tournament = store.tournament(name)
    _check_runnable(store, tournament)
    lodged = Lodging(tournament.sandbox)
    with (
        store.run_lock(tournament),
        instance(store, containers=lodged is Lodging.DOCKER) as member,
        run_log(store) as log,
    ):
        tell(why_lodged(tournament))
        growth = Growth.of(store, tournament)
        before = store.progress(tournament.id)
        if growth and not before.pending and before.state is not TournamentState.FINISHED:
            # The last run was stopped just when a wave was over.
            growth.grow()
            before = store.progress(tournament.id)
        seats: Sequence[SeatJob] = ()
        if before.pending:
            field_ = [contestants.stored(store, entry.version) for entry in tournament.entries]
            seats = lodging.prepare(
                store, member, field_, lodging=lodged, game=tournament.game, tell=tell
            )
        yield Run(store, tournament, before, seats, member, log, growth)


def seed_may_be_shown(at: Progress) -> bool:
    """Whether nobody will meet the tournament's deals any more, so that its seed may be known."""
    return at.state in {TournamentState.FINISHED, TournamentState.CANCELLED}


def why_lodged(tournament: Tournament) -> str:
    """In one sentence, how a tournament's bots run and why so."""
    if tournament.sandbox == "docker":
        how = "in containers, since their code may be anyone's"
    else:
        how = "as processes without containers, since their organiser vouches for all of them"
    kept = " and are kept between matches" if tournament.isolation == "warm" else ""
    return f"{tournament.name}: bots run {how}{kept}"


def _ponder(wanted: Plan) -> Ponder:
    """What is really done: a process without a container cannot be held still."""
    if wanted.lodging is Lodging.PROCESS and wanted.ponder is Ponder.FREEZE:
        return Ponder.MEASURE
    return wanted.ponder


def _check_trust(wanted: Plan) -> None:
    """Refuse what only trusted bots may have, unless the organiser vouches for them."""
    if wanted.lodging not in _SANDBOXES:
        raise WrongCall("a tournament's bots run in docker or process, never inside the arena")
    if wanted.lodging is Lodging.PROCESS and wanted.isolation is Isolation.CONTAINER:
        raise WrongCall("there are no containers with --sandbox process: leave --isolation out")
    if wanted.trusted:
        return
    if wanted.isolation is Isolation.WARM:
        raise ArenaError(
            "warm play keeps a bot's process between matches on equal deals, so a bot could "
            "remember the cards: say --trusted if every bot is yours"
        )
    if wanted.lodging is not Lodging.DOCKER:
        raise ArenaError(
            "without containers a bot's code runs on this machine with your rights: "
            "say --trusted if every bot is yours"
        )


def _check_runnable(store: Store, tournament: Tournament) -> None:
    state = store.progress(tournament.id).state
    if state is TournamentState.CANCELLED:
        raise ArenaError(f"the tournament {tournament.name} was cancelled")
    if tournament.engine != ENGINE:
        raise ArenaError(
            f"the tournament {tournament.name} began with engine {tournament.engine}, but this is "
            f"{ENGINE}: run it on with the arena that it began with"
        )
