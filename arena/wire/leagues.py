"""Leagues as they are listed."""

from __future__ import annotations

from datetime import UTC

from google.protobuf.timestamp_pb2 import Timestamp

from arena.store import League
from arenabot.v1 import arena_pb2 as pb


def league(found: League) -> pb.League:
    """Write a league."""
    created = Timestamp()
    created.FromDatetime(found.created)
    return pb.League(
        name=found.name,
        game=found.game,
        organiser=found.organiser or "",
        created=created,
        tournaments=found.tournaments,
    )


def league_record(message: pb.League) -> League:
    """Read a league; its number in the store is not told."""
    return League(
        id=0,
        name=message.name,
        game=message.game,
        organiser=message.organiser or None,
        created=message.created.ToDatetime(tzinfo=UTC),
        tournaments=message.tournaments,
    )
