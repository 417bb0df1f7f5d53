"""A bot's first match under real limits: what a check without running it cannot find."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from arena.app import quickplay
from arena.app.options import game_of
from arena.app.quickplay import QuickMatch, QuickMatches, Table
from arena.store import Store
from arena.submissions import Finding, Report, Severity
from arena.submissions.errors import one_line
from arena.tournament.job import Lodging


def qualify(
    store: Store, path: Path, report: Report, lodging: Lodging, tell: Callable[[str], None]
) -> Report:
    """Let the bot at ``path`` play each of its games against itself; add what it did wrong.

    A bot that cannot play to the end is refused; single faults are advice.  Raises as ``table``.
    """
    submission = report.submission
    found: list[Finding] = []
    for game in () if submission is None else submission.manifest.games:
        bots = (str(path),) * game_of(game).seats.start
        wanted = QuickMatches(bots=bots, game=game, lodging=lodging)
        with quickplay.table(store, wanted, tell=tell) as table:
            found += asyncio.run(_played(table))
    return replace(report, findings=(*report.findings, *dict.fromkeys(found)))


async def _played(table: Table) -> list[Finding]:
    async with aclosing(table.play()) as matches:
        return [
            finding async for match in matches for finding in _findings(table.wanted.game, match)
        ]


def _findings(game: str, match: QuickMatch) -> list[Finding]:
    return [
        Finding(
            Severity.FATAL if seat.out == fault else Severity.ADVICE,
            f"in a match of {game}, round {fault.round}, turn {fault.turn}: "
            f"{fault.kind.value}: {one_line(fault.detail)}",
        )
        for seat in match.record.seats
        for fault in quickplay.wrongs(seat)
    ]
