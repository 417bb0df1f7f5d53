"""Rankings, head-to-head tables, and how clear an order is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from arena.app.rankings.table import Duel, Ranked
from arena.app.rankings.waves import Clarity
from arena.rating import (
    Beaten,
    Direction,
    Interval,
    Neighbours,
    Rating,
    Separation,
    Share,
    Standing,
    Trend,
    Versus,
)
from arena.store import BotVersion
from arenabot.v1 import arena_pb2 as pb

_UNKNOWN = datetime.fromtimestamp(0, UTC)

_DIRECTIONS: Final[Mapping[Direction, pb.Trend.ValueType]] = {
    Direction.UP: pb.TREND_UP,
    Direction.DOWN: pb.TREND_DOWN,
    Direction.SAME: pb.TREND_SAME,
    Direction.NEW: pb.TREND_NEW,
}
_MOVED: Final = {number: direction for direction, number in _DIRECTIONS.items()}


def ranked(row: Ranked) -> pb.Ranked:
    """Write one line of a ranking."""
    standing, beaten, trend = row.standing, row.beaten, row.standing.trend
    then = None if trend is None else trend.rating
    return pb.Ranked(
        rank=row.rank,
        bot=row.version.bot,
        version=row.version.number,
        label=row.version.label or "",
        author=row.version.author,
        digest=row.version.digest,
        score=standing.score,
        mu=standing.mu,
        sigma=standing.sigma,
        matches=standing.matches,
        wins=standing.wins,
        mean_rank=standing.mean_rank if standing.matches else None,
        mean_points=standing.mean_points if standing.matches else None,
        faults=standing.faults,
        blocks=beaten.blocks,
        met=beaten.met,
        beaten=_share(beaten.plain),
        luck=beaten.luck,
        adjusted=_share(beaten.adjusted),
        trend=pb.TREND_UNSPECIFIED if trend is None else _DIRECTIONS[trend.direction],
        rank_before=None if trend is None else trend.rank,
        mu_before=None if then is None else then.mu,
        sigma_before=None if then is None else then.sigma,
    )


def ranked_record(message: pb.Ranked, place: int) -> Ranked:
    """Read one line, the `place`th of its ranking; of the version no more is known than it says."""
    return Ranked(
        rank=message.rank,
        version=_version(message.bot, message.version, message),
        standing=Standing(
            rank=message.rank,
            entry=place,
            rating=Rating(message.mu, message.sigma),
            matches=message.matches,
            wins=message.wins,
            mean_rank=message.mean_rank,
            mean_points=message.mean_points,
            faults=message.faults,
            trend=_trend_record(message),
        ),
        beaten=Beaten(
            blocks=message.blocks,
            met=message.met,
            plain=_share_record(message.beaten) if message.HasField("beaten") else None,
            adjusted=_share_record(message.adjusted) if message.HasField("adjusted") else None,
        ),
    )


def _trend_record(message: pb.Ranked) -> Trend | None:
    direction = _MOVED.get(message.trend)
    if direction is None:
        return None
    if not message.HasField("mu_before"):
        return Trend(direction)
    then = Rating(message.mu_before, message.sigma_before)
    return Trend(direction, message.rank_before, then)


def _share(share: Share | None) -> pb.Share | None:
    if share is None:
        return None
    interval = share.interval
    return pb.Share(
        value=share.value,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
    )


def _share_record(message: pb.Share) -> Share:
    known = message.HasField("low") and message.HasField("high")
    return Share(message.value, Interval(message.low, message.high) if known else None)


def duel(of: Duel) -> pb.Duel:
    """Write one line of a head-to-head table."""
    return pb.Duel(
        bot=of.one.bot,
        version=of.one.number,
        against=of.other.bot,
        against_version=of.other.number,
        blocks=of.versus.blocks,
        met=of.versus.met,
        won=of.versus.won,
        share=of.versus.share,
        chance=of.versus.chance,
        p=of.versus.p,
        p_of_all=of.versus.p_of_all,
    )


def duel_record(message: pb.Duel) -> Duel:
    """Read one line of a head-to-head table."""
    one = _version(message.bot, message.version)
    other = _version(message.against, message.against_version)
    return Duel(
        one,
        other,
        Versus(
            one=one.id,
            other=other.id,
            blocks=message.blocks,
            met=message.met,
            won=message.won,
            chance=message.chance,
            p=message.p,
            p_of_all=message.p_of_all,
        ),
    )


def clarity(of: Clarity) -> pb.Clarity:
    """Write how clear an order is."""
    return pb.Clarity(
        blocks=of.blocks,
        clear=of.separation.clear,
        order=of.separation.order,
        more=of.more,
        neighbours=[
            pb.Neighbours(
                better=pair.better,
                worse=pair.worse,
                separated=pair.separated,
                blocks=pair.blocks,
                doubt=pair.doubt,
                more=pair.more,
            )
            for pair in of.separation.neighbours
        ],
    )


def clarity_record(message: pb.Clarity) -> Clarity:
    """Read how clear an order is."""
    return Clarity(
        blocks=message.blocks,
        separation=Separation(
            order=tuple(message.order),
            neighbours=tuple(
                Neighbours(
                    better=pair.better,
                    worse=pair.worse,
                    separated=pair.separated,
                    blocks=pair.blocks,
                    doubt=pair.doubt,
                    more=pair.more if pair.HasField("more") else None,
                )
                for pair in message.neighbours
            ),
        ),
        more=message.more if message.HasField("more") else None,
    )


def version_id(bot: str, number: int) -> int:
    """A number for a version at a client, who knows none from the store: equal for equal ones."""
    return int.from_bytes(hashlib.sha256(f"{bot}:{number}".encode()).digest()[:8])


def _version(bot: str, number: int, told: pb.Ranked | None = None) -> BotVersion:
    return BotVersion(
        id=version_id(bot, number),
        bot=bot,
        author="" if told is None else told.author,
        number=number,
        label=None if told is None else told.label or None,
        digest="" if told is None else told.digest,
        games=(),
        runtime="",
        entrypoint="",
        archive="",
        created=_UNKNOWN,
    )
