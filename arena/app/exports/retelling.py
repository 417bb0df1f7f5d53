"""What a match's replay must say, and what it says of the match's result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.app.exports.facts import Facts
from arena.match import replay
from arena.match.replay import Line
from arena.store import SeatFault, StoredMatch, StoredResult
from arena.tournament.runner import PLAYED


def header(facts: Facts, match: StoredMatch, seed: str) -> Line:
    """What the header of a match's replay must say."""
    tournament = facts.tournament
    versions = [tournament.entries[entry].version for entry in match.seating]
    return {
        "type": "header",
        "format": replay.FORMAT,
        "engine": tournament.engine,
        "game": tournament.game,
        "options": tournament.options,
        "seed": seed,
        "match": match.id,
        "seats": [
            {"bot": version.bot, "version": str(version.number), "digest": version.digest}
            for version in versions
        ],
        "timers": tournament.timers,
        "max_faults": tournament.max_faults,
        "isolation": tournament.isolation,
    }


def said_by(
    lines: Sequence[Line], result: StoredResult, luck: Sequence[float], digest: str
) -> StoredResult:
    """The result that a verified replay tells; what was only measured stays as it is."""
    last = lines[-1]
    return replace(
        result,
        reason=last["reason"],
        rounds=max(line["round"] for line in lines if line["type"] == "round"),
        turns=sum(line["type"] in replay.DECISION_LINES for line in lines),
        replay_digest=digest,
        seats=tuple(
            replace(
                seat,
                seat=at,
                rank=last["ranks"][at],
                total=last["totals"][at],
                faults=tuple(SeatFault(**fault) for fault in last["faults"][at]),
                outcome=last["out"][at] or PLAYED,
                luck=None if seat.luck is None else luck[at],
            )
            for at, seat in enumerate(result.seats)
        ),
    )
