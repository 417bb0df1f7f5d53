"""The tables, as the newest migration leaves them.

A match's row never changes once it is scheduled: whether it is done or a hole follows from its
result and its voids, so no two tables can disagree. All keys of a tournament begin with its id
and go on in schedule order, which makes reading a tournament one walk along the table.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, TypeAlias

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    MetaData,
    UniqueConstraint,
    and_,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

REVISION = "0008"
"""The migration that makes exactly these tables."""


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC in, aware UTC out; SQLite keeps no time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Keep UTC only."""
        if value is None:
            return None
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Say that it is UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """Names every constraint, so that a later migration can find it."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime}  # noqa: RUF012 - SQLAlchemy's own hook


Blob: TypeAlias = Annotated[str, mapped_column(info={"blob": True})]
"""A blob's key. Whatever looks for the blobs that are in use finds every column of these."""

_CLUSTERED = {"sqlite_with_rowid": False}
"""SQLite lays such a table's rows out in the order of their primary key."""


class StoreRow(Base):
    """The store itself: one row."""

    __tablename__ = "store"

    id: Mapped[str] = mapped_column(primary_key=True)
    created: Mapped[datetime]


class BotRow(Base):
    """A bot's name and the author whom it belongs to."""

    __tablename__ = "bots"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    author: Mapped[str]


class VersionRow(Base):
    """One immutable upload of a bot."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"), UniqueConstraint("bot_id", "digest"))

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    label: Mapped[str | None]
    digest: Mapped[str]
    games: Mapped[list[str]] = mapped_column(JSON)
    runtime: Mapped[str]
    entrypoint: Mapped[str]
    archive: Mapped[Blob]
    created: Mapped[datetime]
    retired_at: Mapped[datetime | None]
    """Since when it can't be entered any more."""
    provenance: Mapped[dict[str, str] | None] = mapped_column(JSON)
    """With what it was built and qualified; None where nobody wrote it down."""


class TournamentRow(Base):
    """A tournament as it was set up, and whether its organiser has stopped it."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    game: Mapped[str] = mapped_column(index=True)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    table_size: Mapped[int]
    blocks: Mapped[int]
    seed: Mapped[bytes]
    seed_hash: Mapped[str]
    timers: Mapped[dict[str, Any]] = mapped_column(JSON)
    max_faults: Mapped[int]
    sandbox: Mapped[str]
    isolation: Mapped[str]
    engine: Mapped[str]
    created: Mapped[datetime]
    cancelled_at: Mapped[datetime | None]
    ponder: Mapped[str | None]
    """None in tournaments from before anybody looked: there bots may think on others' time."""
    organiser: Mapped[str | None]
    """The author who set it up; None in tournaments from before there were any."""
    private: Mapped[bool] = mapped_column(server_default=false())
    entry_open: Mapped[bool] = mapped_column(server_default=false())
    """Whether bots can be entered; a tournament without matches has no schedule yet."""
    wanted_at: Mapped[datetime | None]
    """Since when a server is to play it."""


class AdaptiveRow(Base):
    """A tournament whose schedule grows with its results, and whether it has grown to its end."""

    __tablename__ = "adaptive"
    __table_args__ = (_CLUSTERED,)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    until_clear: Mapped[float]
    ended_at: Mapped[datetime | None]


class LeagueRow(Base):
    """A name for a series of tournaments of one game."""

    __tablename__ = "leagues"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    game: Mapped[str]
    organiser: Mapped[str | None]
    """The author who used the name first."""
    created: Mapped[datetime]


class LeagueTournamentRow(Base):
    """A tournament that is a part of a league."""

    __tablename__ = "league_tournaments"
    __table_args__ = (_CLUSTERED,)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    league_id: Mapped[int] = mapped_column(ForeignKey("leagues.id"), index=True)


class EntryRow(Base):
    """A version taking part in a tournament."""

    __tablename__ = "entries"
    __table_args__ = (_CLUSTERED,)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), index=True)
    withdrawn_at: Mapped[datetime | None]
    """Since when its matches to come are not played."""
    withdrawn_why: Mapped[str | None]
    withdrawn_from: Mapped[int | None]
    """How many blocks were scheduled then: a schedule that grows went on without it."""
    annulled_from: Mapped[int | None]
    """The same of its results being left out, too; None: they aren't."""


class MatchRow(Base):
    """A scheduled match."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("tournament_id", "id"), _CLUSTERED)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    rotation: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    seating: Mapped[list[int]] = mapped_column(JSON)


class ResultRow(Base):
    """A match that was played to its end."""

    __tablename__ = "results"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["matches.tournament_id", "matches.block", "matches.rotation"],
        ),
        Index(None, "tournament_id", "recorded_at"),
        _CLUSTERED,
    )

    tournament_id: Mapped[int] = mapped_column(primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    rotation: Mapped[int] = mapped_column(primary_key=True)
    reason: Mapped[str]
    rounds: Mapped[int]
    turns: Mapped[int]
    replay: Mapped[Blob]
    replay_digest: Mapped[str]
    recorded_at: Mapped[datetime]
    measured: Mapped[dict[str, Any]] = mapped_column(JSON)


class SeatRow(Base):
    """How a match ended for one seat; `faults` is a list of [round, turn, kind]."""

    __tablename__ = "seats"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["results.tournament_id", "results.block", "results.rotation"],
        ),
        ForeignKeyConstraint(
            ["tournament_id", "entry"],
            ["entries.tournament_id", "entries.position"],
            name="fk_seats_entry",
        ),
        Index(None, "tournament_id", "entry", "block", "rotation"),
        _CLUSTERED,
    )

    tournament_id: Mapped[int] = mapped_column(primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    rotation: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int]
    rank: Mapped[int]
    total: Mapped[int]
    faults: Mapped[list[tuple[int, int, str]]] = mapped_column(JSON)
    outcome: Mapped[str]
    detail: Mapped[str]
    charged_ms: Mapped[float]
    peak_memory: Mapped[int | None] = mapped_column(BigInteger)
    log: Mapped[Blob | None]
    luck: Mapped[float | None]


class VoidRow(Base):
    """An attempt at a match that was spoilt."""

    __tablename__ = "voids"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tournament_id", "block", "rotation"],
            ["matches.tournament_id", "matches.block", "matches.rotation"],
        ),
        _CLUSTERED,
    )

    tournament_id: Mapped[int] = mapped_column(primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    rotation: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    reason: Mapped[str]
    detail: Mapped[str]
    at: Mapped[datetime]


class AuthorRow(Base):
    """Who may call a server; a bot's author need not be one, if it was submitted without any."""

    __tablename__ = "authors"

    name: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]
    created: Mapped[datetime]
    locked_at: Mapped[datetime | None]


class TokenRow(Base):
    """What an author shows to be known: only its SHA-256 is here."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    author: Mapped[str] = mapped_column(ForeignKey("authors.name"), index=True)
    name: Mapped[str]
    hash: Mapped[str] = mapped_column(unique=True)
    created: Mapped[datetime]
    last_used: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class AuditRow(Base):
    """Something that somebody did through a server, or was refused."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    author: Mapped[str | None] = mapped_column(index=True)
    token_id: Mapped[int | None]
    method: Mapped[str]
    target: Mapped[str]
    outcome: Mapped[str]
    peer: Mapped[str]


class RequestRow(Base):
    """A change that was asked for under an id, so that it is not made twice."""

    __tablename__ = "requests"
    __table_args__ = (_CLUSTERED,)

    author: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    method: Mapped[str]
    fingerprint: Mapped[str]
    target: Mapped[str]
    """What it was about: enough to give the same answer again."""
    at: Mapped[datetime] = mapped_column(index=True)


class SubmissionRow(Base):
    """A bot that was handed in, on its way to be a version."""

    __tablename__ = "submissions"

    number: Mapped[int] = mapped_column(primary_key=True)
    """In the order in which they came."""
    id: Mapped[str] = mapped_column(unique=True)
    author: Mapped[str] = mapped_column(index=True)
    bot: Mapped[str] = mapped_column(index=True)
    state: Mapped[str] = mapped_column(index=True)
    reason: Mapped[str]
    advice: Mapped[list[str]] = mapped_column(JSON)
    trouble: Mapped[str]
    """What kept us from going on with it the last time."""
    spoilt: Mapped[int]
    """How often its qualifying was given up because we spoilt its matches."""
    digest: Mapped[str]
    archive: Mapped[Blob]
    log: Mapped[Blob | None]
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    created: Mapped[datetime]
    updated: Mapped[datetime]


class PersonMatchRow(Base):
    """A match in which a person played, beside all tournaments: it is never rated."""

    __tablename__ = "person_matches"

    number: Mapped[int] = mapped_column(primary_key=True)
    """In the order in which they were wanted."""
    id: Mapped[str] = mapped_column(unique=True)
    author: Mapped[str] = mapped_column(index=True)
    """The person."""
    game: Mapped[str]
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    seat: Mapped[int]
    bots: Mapped[list[dict[str, str] | None]] = mapped_column(JSON)
    """By seat; None for the person's."""
    state: Mapped[str] = mapped_column(index=True)
    why: Mapped[str]
    """Why it was interrupted."""
    created: Mapped[datetime]
    ended: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    replay: Mapped[Blob | None]


class PrunedRow(Base):
    """A blob that was removed on purpose, since nobody was to need it any more."""

    __tablename__ = "pruned"
    __table_args__ = (_CLUSTERED,)

    blob: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


def same_match(
    one: type[MatchRow | ResultRow | SeatRow | VoidRow],
    other: type[MatchRow | ResultRow | SeatRow | VoidRow],
) -> ColumnElement[bool]:
    """The condition that rows of the two tables belong to one match."""
    return and_(
        one.tournament_id == other.tournament_id,
        one.block == other.block,
        one.rotation == other.rotation,
    )
