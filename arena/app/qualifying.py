"""A bot's first match under real limits: what a check without running it cannot find."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from arena.app import quickplay
from arena.app.options import game_of
from arena.app.quickplay import QuickMatch, QuickMatches
from arena.store import Store
from arena.submissions import Finding, Report, Severity
from arena.submissions.errors import one_line
from arena.tournament.job import Lodging


async def qualify(
    store: Store, path: Path, report: Report, lodging: Lodging, tell: Callable[[str], None]
) -> Report:
    """Let the bot at ``path`` play each of its games against itself; add what it did wrong.

    A bot that cannot play to the end is refused; single faults are advice.  Raises as ``play``.
    """
    submission = report.submission
    games = () if submission is None else submission.manifest.games
    found = [
        finding for game in games async for finding in _played(store, path, game, lodging, tell)
    ]
    return replace(report, findings=(*report.findings, *dict.fromkeys(found)))


async def _played(
    store: Store, path: Path, game: str, lodging: Lodging, tell: Callable[[str], None]
) -> AsyncIterator[Finding]:
    wanted = QuickMatches(bots=(str(path),) * game_of(game).seats.start, game=game, lodging=lodging)
    async with aclosing(quickplay.play(store, wanted, tell=tell)) as matches:
        async for match in matches:
            for finding in _findings(game, match):
                yield finding


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
