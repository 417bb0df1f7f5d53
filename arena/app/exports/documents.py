"""The JSON documents that commands print and exports hold.  Their keys are a contract: docs/4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Duel, Ranked
from arena.app.rankings.waves import Clarity
from arena.app.tournaments.setting_up import seed_may_be_shown
from arena.rating import Share, Trend
from arena.schedule import Figures
from arena.store import League, Progress, StoredMatch, StoredResult, Tournament, Void


def tournament(overview: Overview) -> dict[str, Any]:
    """A tournament: how it was set up, how far it is, who leads."""
    return {
        **setup(overview.tournament, overview.progress),
        "progress": progress(overview.progress),
        "hole_blocks": sorted(overview.hole_blocks),
        "left_out": sorted(overview.left_out),
        "clarity": None if overview.clarity is None else clarity(overview.clarity),
        "standings": [ranked(row) for row in overview.ranked],
    }


def setup(shown: Tournament, at: Progress) -> dict[str, Any]:
    """How a tournament was set up; its seed only once nobody can use it any more."""
    return {
        "name": shown.name,
        "game": shown.game,
        "options": dict(shown.options),
        "table_size": shown.table_size,
        "blocks": shown.blocks,
        "until_clear": shown.until_clear,
        "seed_hash": shown.seed_hash,
        "seed": shown.seed.hex() if seed_may_be_shown(at) else None,
        "timers": dict(shown.timers),
        "max_faults": shown.max_faults,
        "sandbox": shown.sandbox,
        "isolation": shown.isolation,
        "ponder": shown.ponder,
        "engine": shown.engine,
        "created": shown.created.isoformat(),
        "organiser": shown.organiser,
        "private": shown.private,
        "league": shown.league,
        "entry_open": shown.entry_open,
        "entries": [
            {
                "entry": entry.position,
                "bot": entry.version.bot,
                "version": entry.version.number,
                "label": entry.version.label,
                "digest": entry.version.digest,
                "provenance": None
                if entry.version.provenance is None
                else dict(entry.version.provenance),
                "withdrawn": None if entry.withdrawn is None else entry.withdrawn.isoformat(),
                "withdrawn_why": entry.withdrawn_why,
                "withdrawn_from": entry.withdrawn_from,
                "annulled_from": entry.annulled_from,
            }
            for entry in shown.entries
        ],
    }


def league(shown: League) -> dict[str, Any]:
    """A series of tournaments, and how many there are."""
    return {
        "league": shown.name,
        "game": shown.game,
        "organiser": shown.organiser,
        "created": shown.created.isoformat(),
        "tournaments": shown.tournaments,
    }


def progress(at: Progress) -> dict[str, Any]:
    """How far a tournament is."""
    return {
        "state": at.state.value,
        "matches": at.matches,
        "done": at.done,
        "pending": at.pending,
        "holes": at.holes,
        "annulled": at.annulled,
        "voids": at.voids,
    }


def clarity(of: Clarity) -> dict[str, Any]:
    """How clear an adaptive tournament's order is; entries by their positions."""
    return {
        "blocks": of.blocks,
        "clear": of.separation.clear,
        "order": list(of.separation.order),
        "more": of.more,
        "neighbours": [
            {
                "better": pair.better,
                "worse": pair.worse,
                "separated": pair.separated,
                "blocks": pair.blocks,
                "doubt": pair.doubt,
                "more": pair.more,
            }
            for pair in of.separation.neighbours
        ],
    }


def figures(of: Figures | None) -> dict[str, Any]:
    """How even a schedule is, as a part of a document: the least and the most of each count."""
    if of is None:
        return {}
    counted = (("seats", of.seats), ("predecessors", of.predecessors), ("meetings", of.meetings))
    return {"figures": {name: [counts.least, counts.most] for name, counts in counted}}


def ranked(row: Ranked) -> dict[str, Any]:
    """One line of a ranking."""
    return {
        "rank": row.rank,
        "bot": row.version.bot,
        "version": row.version.number,
        "label": row.version.label,
        "digest": row.version.digest,
        "score": row.standing.score,
        "mu": row.standing.mu,
        "sigma": row.standing.sigma,
        "matches": row.standing.matches,
        "wins": row.standing.wins,
        "mean_rank": row.standing.mean_rank if row.standing.matches else None,
        "mean_points": row.standing.mean_points if row.standing.matches else None,
        "faults": row.standing.faults,
        **_trend(row.standing.trend),
        "blocks": row.beaten.blocks,
        "met": row.beaten.met,
        **_share("beaten", row.beaten.plain),
        "luck": row.beaten.luck,
        **_share("adjusted", row.beaten.adjusted),
    }


def _trend(trend: Trend | None) -> dict[str, Any]:
    """How a bot stands against an earlier moment; null where it isn't known."""
    then = None if trend is None else trend.rating
    return {
        "trend": None if trend is None else trend.direction.value,
        "rank_before": None if trend is None else trend.rank,
        "score_before": None if then is None else then.score,
        "mu_before": None if then is None else then.mu,
        "sigma_before": None if then is None else then.sigma,
    }


def _share(name: str, share: Share | None) -> dict[str, Any]:
    """A share of opponents beaten; null where it isn't known."""
    interval = None if share is None else share.interval
    return {
        name: None if share is None else share.value,
        f"{name}_low": None if interval is None else interval.low,
        f"{name}_high": None if interval is None else interval.high,
    }


def duels(shown: Sequence[Duel] | None) -> dict[str, Any]:
    """A head-to-head table as a part of a document; none if it was not asked for."""
    return {} if shown is None else {"head_to_head": [duel(one) for one in shown]}


def duel(of: Duel) -> dict[str, Any]:
    """One line of a head-to-head table."""
    return {
        "bot": of.one.bot,
        "version": of.one.number,
        "against": of.other.bot,
        "against_version": of.other.number,
        "blocks": of.versus.blocks,
        "met": of.versus.met,
        "won": of.versus.won,
        "share": of.versus.share,
        "chance": of.versus.chance,
        "p": of.versus.p,
        "p_of_all": of.versus.p_of_all,
    }


def scheduled(stored: StoredMatch) -> dict[str, Any]:
    """A match's place in the schedule: enough to draw it anew and compare."""
    return {
        "match": stored.id,
        "block": stored.key.block,
        "rotation": stored.key.rotation,
        "seating": list(stored.seating),
        "status": stored.status.value,
        "attempts": stored.attempts,
    }


def match(
    shown: Tournament, stored: StoredMatch, result: StoredResult | None, *, released: bool
) -> dict[str, Any]:
    """One match: where it stands and, once it was played, how it came out."""
    return {
        "tournament": shown.name,
        "match": stored.id,
        "block": stored.key.block,
        "rotation": stored.key.rotation,
        "status": stored.status.value,
        "attempts": stored.attempts,
        "bots": [shown.entries[entry].version.bot for entry in stored.seating],
        "released": released,
        "result": None if result is None else _result(shown, result),
    }


def _result(shown: Tournament, result: StoredResult) -> dict[str, Any]:
    return {
        "reason": result.reason,
        "rounds": result.rounds,
        "turns": result.turns,
        "digest": result.replay_digest,
        "seats": [
            {
                "seat": seat.seat,
                "entry": seat.entry,
                "bot": shown.entries[seat.entry].version.bot,
                "version": shown.entries[seat.entry].version.number,
                "rank": seat.rank,
                "points": seat.total,
                "outcome": seat.outcome,
                "detail": seat.detail,
                "faults": [
                    {"round": fault.round, "turn": fault.turn, "kind": fault.kind}
                    for fault in seat.faults
                ],
                "charged_ms": seat.charged_ms,
                "peak_memory": seat.peak_memory,
                "luck": seat.luck,
            }
            for seat in result.seats
        ],
        "measured": dict(result.measured),
    }


def void(spoilt: Void) -> dict[str, Any]:
    """An attempt at a match that we spoilt."""
    return {
        "match": spoilt.match_id,
        "attempt": spoilt.attempt,
        "reason": spoilt.reason,
        "detail": spoilt.detail,
        "at": spoilt.at.isoformat(),
    }
