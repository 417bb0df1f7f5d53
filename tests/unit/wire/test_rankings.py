"""What a ranking's line says is the same on both sides of the wire."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arena.app.exports import documents
from arena.app.rankings.table import Ranked
from arena.rating import Beaten, Direction, Rating, Standing, Trend
from arena.store import BotVersion
from arena.wire import rankings
from arenabot.v1 import arena_pb2 as pb

VERSION = BotVersion(1, "bot", "ana", 2, "label", "ab" * 32, (), "", "", "", datetime.now(UTC))


@pytest.mark.parametrize(
    "trend",
    [
        None,
        Trend(Direction.NEW),
        *(
            Trend(direction, 3, Rating(22.5, 1.25))
            for direction in Direction
            if direction is not Direction.NEW
        ),
    ],
)
def test_a_trend_arrives_as_it_was_sent(trend: Trend | None) -> None:
    """Of every kind, also none; 0 would be another rank and another strength."""
    standing = Standing(1, 0, Rating(25.0, 1.0), 8, 4, 1.5, 0.0, 0, trend)
    row = Ranked(1, VERSION, standing, Beaten(0, 0, None, None))
    sent = pb.Ranked.FromString(rankings.ranked(row).SerializeToString())
    read = rankings.ranked_record(sent, 0)
    assert read.standing == standing
    assert documents.ranked(read) == documents.ranked(row)
