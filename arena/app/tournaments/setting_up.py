"""Setting tournaments up: with a field that is known, or open for entry until they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from arena.app.bots import contestants
from arena.app.bots.contestants import LOCAL_AUTHOR
from arena.app.errors import ArenaError, WrongCall
from arena.app.options import fresh_seed, game_of
from arena.app.rankings import waves
from arena.games.chance import SEED_BYTES
from arena.match.replay import ENGINE
from arena.match.setup import Timers
from arena.rating import RatingError, check_confidence
from arena.schedule import Figures, Schedule, first_wave, plan
from arena.store import (
    BotVersion,
    EntriesChanged,
    EntryRefused,
    NewTournament,
    Progress,
    Request,
    Sandbox,
    Store,
    Tournament,
    TournamentState,
)
from arena.tournament.job import Isolation, Lodging
from arena.tournament.pondering import Ponder

#: Nobody has played so many blocks to the end yet.
MOST_BLOCKS: Final = 100_000
#: With more faults in a match a seat plays default moves to its end, if nobody says otherwise.
MAX_FAULTS: Final = 10
MOST_FAULTS: Final = 1_000_000
#: How a tournament's bots may run, as the store says it: never inside the arena itself.
_SANDBOXES: Mapping[Lodging, Sandbox] = {Lodging.DOCKER: "docker", Lodging.PROCESS: "process"}
#: How often a schedule is drawn anew, as bots are entered meanwhile, before we ask to close entry.
_DRAWS: Final = 5


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
    seed: bytes = field(default_factory=fresh_seed, repr=False)
    timers: Timers = Timers()
    max_faults: int = MAX_FAULTS
    lodging: Lodging = Lodging.DOCKER
    isolation: Isolation = Isolation.MATCH
    ponder: Ponder = Ponder.FREEZE
    #: Whether the organiser vouches for every bot: needed for warm play and without containers.
    trusted: bool = False
    #: The author who sets it up.
    organiser: str = LOCAL_AUTHOR
    #: Whether only its organiser, the authors of its entries and admins may see it.
    private: bool = False
    #: The series of tournaments that it begins or goes on with.
    league: str | None = None
    #: Whether that may be another organiser's.
    any_league: bool = False


@dataclass(frozen=True, slots=True)
class Created:
    """A tournament that was set up or drawn."""

    tournament: Tournament
    #: How many are scheduled, and how even that schedule is, or the first wave of it; 0 and
    #: ``None`` while it is open for entry.
    matches: int
    figures: Figures | None


def create(store: Store, wanted: Plan, bots: Sequence[str]) -> Created:
    """Set a tournament up: bots named as a person types it are kept, and its schedule is drawn.

    Nothing is played yet.  Without bots it is open for entry.
    Raises ``ArenaError``, ``OptionError``, ``ScheduleError``, ``SubmissionError``, ``StoreError``.
    """
    checked = _checked(wanted)
    field_ = contestants.find_all(store, bots, wanted.game)
    contestants.distinct(field_)
    # Nobody is kept for a tournament that can't be.
    drawn = _schedule(wanted, len(field_)) if field_ else None
    versions = [contestants.submit(store, contestant) for contestant in field_]
    return _keep(store, checked, versions, drawn)


def set_up(
    store: Store, wanted: Plan, versions: Sequence[BotVersion], request: Request | None = None
) -> Created:
    """Set a tournament up with versions that are kept already; without any it is open for entry.

    Raises ``ArenaError``, ``OptionError``, ``ScheduleError``, ``StoreError``, ``AlreadyDone``.
    """
    checked = _checked(wanted)
    _check_field(versions, wanted.game)
    drawn = _schedule(wanted, len(versions)) if versions else None
    return _keep(store, checked, versions, drawn, request)


def enter(store: Store, name: str, bot: str) -> BotVersion:
    """Enter a bot named as a person types it: it is kept.  Raises as ``create`` does."""
    tournament = store.tournament(name)
    (found,) = contestants.find_all(store, [bot], tournament.game)
    version = contestants.submit(store, found)
    store.entering.enter(tournament.id, version)
    return version


def draw(store: Store, name: str, request: Request | None = None) -> Created:
    """End a tournament's entry: its entries are fixed, and their schedule is drawn from its seed.

    Entries stand in the order of their names, so the order of their arrival decides nothing.
    Raises ``ScheduleError`` if there are too few, ``EntryClosed``, ``TournamentOver``,
    ``AlreadyDone``.
    """
    for _ in range(_DRAWS):
        try:
            return _draw(store, store.tournament(name), request)
        except EntriesChanged:
            continue
    raise ArenaError(f"bots are entered in {name} all the time: close its entry first")


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


def _draw(store: Store, tournament: Tournament, request: Request | None) -> Created:
    versions = sorted((entry.version for entry in tournament.entries), key=lambda one: one.bot)
    most, schedule = _schedule(tournament, len(versions))
    store.entering.draw(
        tournament.id,
        versions,
        waves.scheduled(schedule.blocks, tournament.seed),
        blocks=most,
        request=request,
    )
    return Created(store.tournament(tournament.name), schedule.matches, schedule.figures())


def _schedule(wanted: Plan | Tournament, entries: int) -> tuple[int, Schedule]:
    """How many blocks there may be, and those that are known from the start."""
    size, seed, blocks = wanted.table_size, wanted.seed, wanted.blocks or None
    if wanted.until_clear is None:
        schedule = plan(entries, size, blocks=blocks, seed=seed)
        return len(schedule.blocks), schedule
    most = blocks or min(MOST_BLOCKS, waves.BLOCKS_PER_BOT * entries)
    return most, Schedule(entries, size, first_wave(entries, size, most=most, seed=seed))


def _keep(
    store: Store,
    checked: NewTournament,
    versions: Sequence[BotVersion],
    drawn: tuple[int, Schedule] | None,
    request: Request | None = None,
) -> Created:
    if drawn is None:
        return Created(store.create_tournament(checked, request=request), 0, None)
    most, schedule = drawn
    matches = waves.scheduled(schedule.blocks, checked.seed)
    tournament = store.create_tournament(replace(checked, blocks=most), versions, matches, request)
    return Created(tournament, schedule.matches, schedule.figures())


def _checked(wanted: Plan) -> NewTournament:
    """What the store is to keep of it; its blocks are those that were asked for, 0 for none."""
    rules = game_of(wanted.game)
    if wanted.table_size not in rules.seats:
        raise WrongCall(
            f"{rules.name} is played by {rules.seats[0]} to {rules.seats[-1]} players, "
            f"so the table size cannot be {wanted.table_size}"
        )
    options = rules.options(wanted.options)
    _check_numbers(wanted)
    _check_trust(wanted)
    if wanted.private and wanted.league is not None:
        raise WrongCall("a league is for all to see, so none of its tournaments can be private")
    return NewTournament(
        name=wanted.name,
        game=wanted.game,
        options=options.as_dict(),
        table_size=wanted.table_size,
        blocks=wanted.blocks or 0,
        seed=wanted.seed,
        timers=asdict(wanted.timers),
        max_faults=wanted.max_faults,
        sandbox=_SANDBOXES[wanted.lodging],
        isolation=wanted.isolation.value,
        ponder=_ponder(wanted).value,
        engine=ENGINE,
        until_clear=wanted.until_clear,
        organiser=wanted.organiser,
        private=wanted.private,
        league=wanted.league,
        any_league=wanted.any_league,
    )


def _check_numbers(wanted: Plan) -> None:
    if wanted.blocks is not None and not 1 <= wanted.blocks <= MOST_BLOCKS:
        raise WrongCall(f"a tournament has 1 to {MOST_BLOCKS:,} blocks, not {wanted.blocks}")
    if len(wanted.seed) != SEED_BYTES:
        raise WrongCall(f"a tournament's seed is {SEED_BYTES} bytes, not {len(wanted.seed)}")
    if not 0 <= wanted.max_faults <= MOST_FAULTS:
        raise WrongCall(f"max_faults is 0 to {MOST_FAULTS:,}, not {wanted.max_faults}")
    if wanted.until_clear is not None:
        try:
            check_confidence(wanted.until_clear)
        except RatingError as error:
            raise WrongCall(str(error)) from None


def _check_field(versions: Sequence[BotVersion], game: str) -> None:
    """Refuse a field that makes no sense; that none is retired is for the store to see to."""
    seen: dict[str, str] = {}
    for version in versions:
        if game not in version.games:
            raise EntryRefused(f"{version.bot} plays {', '.join(version.games)}, not {game}")
        if version.digest in seen:
            raise EntryRefused(
                f"{version.bot} and {seen[version.digest]} are the same code: enter one of them"
            )
        seen[version.digest] = version.bot


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
