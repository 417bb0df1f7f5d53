"""Tournaments as they were set up, and what is asked for when one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar, cast

from google.protobuf.timestamp_pb2 import Timestamp

from arena.app.errors import WrongCall
from arena.app.options import fresh_seed, game_of
from arena.app.tournaments.live import Playing
from arena.app.tournaments.setting_up import MAX_FAULTS, Plan, seed_may_be_shown
from arena.match.setup import Timers
from arena.store import Entry, Isolation, Ponder, Progress, Sandbox, Tournament
from arena.tournament import job, pondering
from arena.wire import bots, matches
from arenabot.v1 import arena_pb2 as pb

_Choice = TypeVar("_Choice", bound=Enum)


def tournament(found: Tournament, at: Progress, playing: Playing) -> pb.Tournament:
    """Write a tournament, its seed only once nobody can use it any more."""
    return pb.Tournament(
        name=found.name,
        game=found.game,
        options=matches.line(found.options),
        table_size=found.table_size,
        blocks=found.blocks,
        until_clear=found.until_clear or 0,
        seed_hash=found.seed_hash,
        seed=found.seed.hex() if seed_may_be_shown(at) else "",
        timers=pb.TimerSettings(**found.timers),
        max_faults=found.max_faults,
        sandbox=found.sandbox,
        isolation=found.isolation,
        ponder=found.ponder,
        engine=found.engine,
        created=_time(found.created),
        organiser=found.organiser or "",
        private=found.private,
        entry_open=found.entry_open,
        entries=[_entry(entry) for entry in found.entries],
        progress=matches.progress(at, playing),
        league=found.league or "",
    )


def tournament_record(message: pb.Tournament) -> tuple[Tournament, Progress, Playing]:
    """Read a tournament, how far it is, and what a server does about it.

    A seed that is not shown is empty.
    """
    timers = message.timers
    found = Tournament(
        id=0,
        name=message.name,
        game=message.game,
        options=matches.line_record(message.options),
        table_size=message.table_size,
        blocks=message.blocks,
        seed=bytes.fromhex(message.seed),
        seed_hash=message.seed_hash,
        timers={timer.name: getattr(timers, timer.name) for timer in fields(Timers)},
        max_faults=message.max_faults,
        sandbox=cast("Sandbox", message.sandbox),
        isolation=cast("Isolation", message.isolation),
        engine=message.engine,
        created=_when(message.created),
        entries=tuple(_entry_record(entry) for entry in message.entries),
        until_clear=message.until_clear or None,
        ponder=cast("Ponder", message.ponder),
        organiser=message.organiser or None,
        private=message.private,
        entry_open=message.entry_open,
        league=message.league or None,
    )
    return found, *matches.progress_record(message.progress)


def plan(message: pb.CreateTournamentRequest, organiser: str) -> Plan:
    """Read what an organiser wants. Raises WrongCall."""
    return Plan(
        name=message.name,
        game=message.game,
        options=matches.line_record(message.options),
        table_size=message.table_size or game_of(message.game).seats.start,
        blocks=message.blocks or None,
        until_clear=message.until_clear or None,
        seed=message.seed or fresh_seed(),
        timers=_timers(message.timers),
        max_faults=message.max_faults if message.HasField("max_faults") else MAX_FAULTS,
        lodging=_chosen(job.Lodging, message.sandbox, job.Lodging.DOCKER),
        isolation=_chosen(job.Isolation, message.isolation, job.Isolation.MATCH),
        ponder=_chosen(pondering.Ponder, message.ponder, pondering.Ponder.FREEZE),
        trusted=message.trusted,
        organiser=organiser,
        private=message.private,
        league=message.league or None,
    )


def creating(wanted: Plan, bots: Sequence[str], request_id: str) -> pb.CreateTournamentRequest:
    """Write what an organiser wants; who that is the server knows."""
    timers = {timer.name: getattr(wanted.timers, timer.name) for timer in fields(Timers)}
    return pb.CreateTournamentRequest(
        request_id=request_id,
        name=wanted.name,
        game=wanted.game,
        options=matches.line(wanted.options),
        table_size=wanted.table_size,
        blocks=wanted.blocks or 0,
        until_clear=wanted.until_clear or 0,
        seed=wanted.seed,
        timers=pb.TimerSettings(**timers),
        max_faults=wanted.max_faults,
        sandbox=wanted.lodging.value,
        isolation=wanted.isolation.value,
        ponder=wanted.ponder.value,
        private=wanted.private,
        bots=bots,
        trusted=wanted.trusted,
        league=wanted.league or "",
    )


def _entry(entry: Entry) -> pb.TournamentEntry:
    return pb.TournamentEntry(
        position=entry.position,
        version=bots.version(entry.version),
        withdrawn=None if entry.withdrawn is None else _time(entry.withdrawn),
        withdrawn_why=entry.withdrawn_why,
        annulled=entry.annulled,
    )


def _entry_record(message: pb.TournamentEntry) -> Entry:
    """Read an entry; since when its withdrawal counts is not told."""
    withdrawn = message.HasField("withdrawn")
    return Entry(
        position=message.position,
        version=bots.version_record(message.version),
        withdrawn=_when(message.withdrawn) if withdrawn else None,
        withdrawn_why=message.withdrawn_why,
        withdrawn_from=0 if withdrawn else None,
        annulled_from=0 if message.annulled else None,
    )


def _timers(message: pb.TimerSettings) -> Timers:
    given = {timer.name: getattr(message, timer.name) for timer in fields(Timers)}
    try:
        return Timers(**{name: seconds for name, seconds in given.items() if seconds})
    except ValueError as error:
        raise WrongCall(str(error)) from None


def _chosen(kind: type[_Choice], text: str, otherwise: _Choice) -> _Choice:
    if not text:
        return otherwise
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(each.value for each in kind)
        raise WrongCall(f"there is no {kind.__name__.lower()} {text!r}: say {known}") from None


def _time(when: datetime) -> Timestamp:
    made = Timestamp()
    made.FromDatetime(when)
    return made


def _when(time: Timestamp) -> datetime:
    return time.ToDatetime(tzinfo=UTC)
