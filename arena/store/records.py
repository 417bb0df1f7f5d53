"""What goes into the store and what comes out: frozen records, nothing of the database.

Records named ``New...`` are what a caller hands in; the others are what the store gives back,
with what only the store knows (ids, numbers, blob keys, times) filled in.
Times are UTC and only informative: no order ever depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Literal, TypeAlias

JsonObject: TypeAlias = Mapping[str, Any]
"""A mapping that JSON can hold: text keys; no NaN, no bytes."""

BlobKey: TypeAlias = str
"""The SHA-256 of a blob's bytes, 64 hex digits."""

Sandbox: TypeAlias = Literal["docker", "process"]
Isolation: TypeAlias = Literal["match", "container", "warm"]
Ponder: TypeAlias = Literal["freeze", "measure", "allow"]

MAX_ATTEMPTS = 3
"""A match that was void this often is a hole (DESIGN, Bots)."""


class Role(Enum):
    """What an author may do; each may do what those before may."""

    AUTHOR = "author"
    """Submits bots and enters them."""
    ORGANISER = "organiser"
    """Sets tournaments up."""
    ADMIN = "admin"
    """Everything."""

    def includes(self, other: Role) -> bool:
        """Whether this one may do what `other` may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


class SubmissionState(Enum):
    """How far a submission is on its way to be a version."""

    RECEIVED = "received"
    """All of it has arrived and can be read."""
    CHECKED = "checked"
    """Its files and its bot.toml are in order."""
    BUILT = "built"
    """Its image is made."""
    QUALIFYING = "qualifying"
    """It plays its first matches."""
    READY = "ready"
    """It is a version that can be entered."""
    REJECTED = "rejected"
    """It can't be, and its author is told why."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to be done."""
        return self in {SubmissionState.READY, SubmissionState.REJECTED}


class TournamentState(Enum):
    """Where a tournament stands; derived from its matches, never stored."""

    ENTRY = "entry"
    """No schedule is drawn yet; bots may be entered while entry is open."""
    CREATED = "created"
    """Scheduled, and no match was tried yet."""
    RUNNING = "running"
    """Some matches were tried and more are to be played or scheduled (whether or not it runs)."""
    FINISHED = "finished"
    """Every match is done, a hole or annulled, and no more will be scheduled."""
    CANCELLED = "cancelled"
    """Its organiser stopped it; the results so far stay readable."""


class MatchStatus(Enum):
    """Where a match stands; derived from its result, voids and entries, never stored."""

    PENDING = "pending"
    """To be played, for the first time or again after a void."""
    DONE = "done"
    """Its result is recorded."""
    HOLE = "hole"
    """Void MAX_ATTEMPTS times: given up, and its whole block is left out of the rating."""
    ANNULLED = "annulled"
    """Not to be played since an entry of it was withdrawn: its block is left out as well."""


class Recorded(Enum):
    """What became of a result that was handed in."""

    NEW = "new"
    """It is recorded now."""
    ALREADY_THERE = "already there"
    """The same result was recorded before; nothing changed."""


class PersonMatchState(Enum):
    """How far a match is in which a person plays."""

    WANTED = "wanted"
    """Its bots are being made ready."""
    PLAYING = "playing"
    """It is being played."""
    OVER = "over"
    """It was played to its end."""
    INTERRUPTED = "interrupted"
    """It was cut off, and has no result: nobody can play it again."""

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it."""
        return self in {PersonMatchState.OVER, PersonMatchState.INTERRUPTED}


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot beside whom a person plays, as it was called then; a sample bot is in no store."""

    bot: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class NewPersonMatch:
    """A match that a person wants to play; `bots` by seat, None for the person's own."""

    id: str
    author: str
    game: str
    options: JsonObject
    seat: int
    bots: tuple[SeatedBot | None, ...]


@dataclass(frozen=True, slots=True)
class PersonResult:
    """How it came out: by seat the totals, the ranks, how many faults, and why it was out."""

    reason: str
    rounds: int
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[int, ...]
    out: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class PersonMatch:
    """A match in which a person plays or has played; it counts for no ranking."""

    id: str
    author: str
    game: str
    options: JsonObject
    seat: int
    bots: tuple[SeatedBot | None, ...]
    state: PersonMatchState
    #: Why it was interrupted, in one sentence.
    why: str
    created: datetime
    ended: datetime | None
    #: Once it is over.
    result: PersonResult | None
    replay: BlobKey | None


@dataclass(frozen=True, slots=True)
class NewVersion:
    """An upload, before the store has numbered it.

    `bot` is unique in a store and belongs to its first author. `digest` is taken over the
    submission's sorted tree; `label` is the author's own word for this version.
    """

    bot: str
    author: str
    label: str | None
    digest: str
    games: tuple[str, ...]
    runtime: str
    entrypoint: str


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One immutable upload of a bot; `number` counts a bot's versions from 1."""

    id: int
    bot: str
    author: str
    number: int
    label: str | None
    digest: str
    games: tuple[str, ...]
    runtime: str
    entrypoint: str
    archive: BlobKey
    created: datetime
    retired: datetime | None = None
    """Since when it can't be entered any more."""
    provenance: Mapping[str, str] | None = None
    """With what it was built and qualified; None where nobody wrote it down."""


@dataclass(frozen=True, slots=True)
class BotSummary:
    """A bot: a name that belongs to an author.

    `newest` is the number of its newest version that isn't retired, None if there is none;
    `versions` is how many it has.
    """

    name: str
    author: str
    newest: int | None
    versions: int


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A bot that was handed in, as far as it can be read without running it.

    `bot` is the name in its bot.toml, `digest` is taken over its sorted tree.
    """

    bot: str
    author: str
    digest: str


@dataclass(frozen=True, slots=True)
class StoredSubmission:
    """A submission on its way to be a version, or at its end.

    `reason` is one sentence for the author of a rejected one, `advice` what else there is to know,
    a line each. `trouble` says of an unfinished one what keeps us from going on with it. `log` is
    what building and qualifying it printed, `version` its number once it is ready.
    """

    id: str
    author: str
    bot: str
    state: SubmissionState
    reason: str
    advice: tuple[str, ...]
    trouble: str
    digest: str
    archive: BlobKey
    log: BlobKey | None
    version: int | None
    created: datetime
    updated: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A version taking part in a tournament; `position` counts the entries from 0.

    Once it is withdrawn, its matches to come are annulled. `withdrawn_from` and `annulled_from` say
    how many blocks were scheduled when it was withdrawn, and when its results were annulled, too:
    what is scheduled from there on depends on it. None: it wasn't.
    """

    position: int
    version: BotVersion
    withdrawn: datetime | None = None
    withdrawn_why: str = ""
    withdrawn_from: int | None = None
    annulled_from: int | None = None

    @property
    def annulled(self) -> bool:
        """Whether its results are left out."""
        return self.annulled_from is not None


@dataclass(frozen=True, slots=True)
class NewTournament:
    """What an organiser sets up. `seed` is 32 secret bytes; `timers` are in seconds.

    With `until_clear`, a probability, its schedule grows until the order of the entries is clear:
    `blocks` is then how many blocks it may have at most. One that is open for entry may leave
    `blocks` 0, to be chosen when its schedule is drawn. `organiser` is an author. `league` is the
    name of a series of public tournaments of one game, which this one begins or goes on with.
    """

    name: str
    game: str
    options: JsonObject
    table_size: int
    blocks: int
    seed: bytes = field(repr=False)
    timers: JsonObject
    max_faults: int
    sandbox: Sandbox
    isolation: Isolation
    engine: str
    until_clear: float | None = None
    ponder: Ponder = "freeze"
    organiser: str | None = None
    private: bool = False
    league: str | None = None
    any_league: bool = False
    """Whether that may be another organiser's."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as it was set up; of this only who takes part may change.

    That is entries, and with them `blocks`, until its schedule is drawn, and their withdrawal
    later. `seed_hash` is SHA-256(seed) in hex, what is published before the first match.
    `engine` is the rules engine's version with which it began. `organiser` is None in tournaments
    from before there were any. `wanted` is since when a server is to play it.
    """

    id: int
    name: str
    game: str
    options: JsonObject
    table_size: int
    blocks: int
    seed: bytes = field(repr=False)
    seed_hash: str
    timers: JsonObject
    max_faults: int
    sandbox: Sandbox
    isolation: Isolation
    engine: str
    created: datetime
    entries: tuple[Entry, ...]
    until_clear: float | None = None
    ponder: Ponder = "freeze"
    organiser: str | None = None
    private: bool = False
    entry_open: bool = False
    wanted: datetime | None = None
    league: str | None = None


@dataclass(frozen=True, slots=True)
class League:
    """A series of public tournaments of one game; it is its `organiser`'s who used it first."""

    id: int
    name: str
    game: str
    organiser: str | None
    created: datetime
    tournaments: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is. `voids` counts spoilt attempts, also of matches done since.

    `matches` are those that are scheduled: of a schedule that grows, those so far.
    """

    state: TournamentState
    matches: int
    done: int
    holes: int
    voids: int
    annulled: int = 0

    @property
    def ended(self) -> int:
        """Matches that are not to be played any more."""
        return self.done + self.holes + self.annulled

    @property
    def pending(self) -> int:
        """Matches still to be played."""
        return self.matches - self.ended


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """A match's place in its tournament's schedule; schedule order is the order of keys."""

    block: int
    rotation: int


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to be played. `id` is unique in its tournament; `seating[seat]` is an entry."""

    key: MatchKey
    id: str
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match of a tournament; `attempts` counts those that have ended, void or not."""

    key: MatchKey
    id: str
    seating: tuple[int, ...]
    status: MatchStatus
    attempts: int


@dataclass(frozen=True, slots=True)
class SeatFault:
    """What a seat did wrong in one turn; `kind` is a fault's name, such as TIMEOUT."""

    round: int
    turn: int
    kind: str


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a match ended for one seat.

    `outcome` is a typed reason, `detail` says the same to the bot's author in plain words.
    `charged_ms` is the time charged in milliseconds, `peak_memory` in bytes (None: not measured).
    `luck` says how much better its cards were than chance owes it, in the game's own unit (None:
    not known, as in results from before it was counted).
    `log` is filled in by the store; hand the bytes to `Store.record_result`.
    """

    seat: int
    entry: int
    rank: int
    total: int
    faults: tuple[SeatFault, ...]
    outcome: str
    detail: str
    charged_ms: float
    peak_memory: int | None
    luck: float | None = None
    log: BlobKey | None = None


@dataclass(frozen=True, slots=True)
class NewResult:
    """A match played to its end; `replay_digest` leaves out whatever was measured."""

    match_id: str
    reason: str
    rounds: int
    turns: int
    replay_digest: str
    seats: tuple[SeatResult, ...]
    measured: JsonObject


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A recorded result; `replay` is the blob with the replay as it was handed in."""

    match_id: str
    key: MatchKey
    reason: str
    rounds: int
    turns: int
    replay: BlobKey
    replay_digest: str
    seats: tuple[SeatResult, ...]
    recorded_at: datetime
    measured: JsonObject


@dataclass(frozen=True, slots=True)
class Void:
    """An attempt at a match that we spoilt; `attempt` counts a match's attempts from 1."""

    match_id: str
    attempt: int
    reason: str
    detail: str
    at: datetime
