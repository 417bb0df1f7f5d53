"""The JSON documents that commands print and exports hold.  Their keys are a contract: docs/4."""

from __future__ import annotations

from typing import Any

from arena.app.ranking import Overview, Ranked
from arena.app.tournaments import seed_may_be_shown
from arena.schedule import Figures
from arena.store import Progress, StoredMatch, StoredResult, Tournament, Void


def tournament(overview: Overview) -> dict[str, Any]:
    """A tournament: how it was set up, how far it is, who leads."""
    return {
        **setup(overview.tournament, overview.progress),
        "progress": progress(overview.progress),
        "hole_blocks": sorted(overview.hole_blocks),
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
        "seed_hash": shown.seed_hash,
        "seed": shown.seed.hex() if seed_may_be_shown(at) else None,
        "timers": dict(shown.timers),
        "max_faults": shown.max_faults,
        "sandbox": shown.sandbox,
        "isolation": shown.isolation,
        "engine": shown.engine,
        "created": shown.created.isoformat(),
        "entries": [
            {
                "entry": entry.position,
                "bot": entry.version.bot,
                "version": entry.version.number,
                "label": entry.version.label,
                "digest": entry.version.digest,
            }
            for entry in shown.entries
        ],
    }


def progress(at: Progress) -> dict[str, Any]:
    """How far a tournament is."""
    return {
        "state": at.state.value,
        "matches": at.matches,
        "done": at.done,
        "pending": at.pending,
        "holes": at.holes,
        "voids": at.voids,
    }


def figures(of: Figures) -> dict[str, Any]:
    """How even a schedule is: the least and the most of each count."""
    return {
        name: [counts.least, counts.most]
        for name, counts in (
            ("seats", of.seats),
            ("predecessors", of.predecessors),
            ("meetings", of.meetings),
        )
    }


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
    }
