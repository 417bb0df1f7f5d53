"""A bot's first matches under real limits: what a check without running it cannot find."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.app.bots import contestants, lodging, quickplay
from arena.app.bots.contestants import Contestant
from arena.app.bots.quickplay import Play
from arena.app.bots.samples import sample_bot
from arena.app.errors import ArenaError
from arena.app.home import instance
from arena.app.logs import run_log
from arena.app.options import fresh_seed, game_of
from arena.match.record import MatchRecord
from arena.store import Store
from arena.submissions import Finding, Report, Severity
from arena.submissions.errors import one_line
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import Lodging, MatchJob, SeatJob, match_id, match_seed

#: The sample bot that every bot has to meet.
RIVAL = "random"


@dataclass(frozen=True, slots=True)
class Trial:
    """One qualifying match, and the seats in which the bot sits that is to be tried."""

    job: MatchJob
    against: str
    own: range

    @property
    def name(self) -> str:
        """What it is called in findings and logs."""
        return f"a match of {self.job.game} against {self.against}"


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the qualifying matches: what the bot did wrong, and what it printed."""

    findings: tuple[Finding, ...]
    log: str

    @property
    def fatal(self) -> Finding | None:
        """Why the bot cannot play, if it can't."""
        for finding in self.findings:
            if finding.severity is Severity.FATAL:
                return finding
        return None


def find_rival() -> Contestant:
    """Read the sample bot that every bot has to meet."""
    path = sample_bot(RIVAL)
    if path is None:
        raise ArenaError(f"the sample bot {RIVAL} is not installed: install the arena again")
    return contestants.from_path(path)


def trials(
    bot: SeatJob, rival: SeatJob, games: Sequence[str], lodged: Lodging = Lodging.DOCKER
) -> list[Trial]:
    """All qualifying matches: of each game one against itself and one against the rival.

    Each is played at the game's smallest table, with its default options and a tournament's
    default limits and timers, on deals that nobody has met.
    """
    found: list[Trial] = []
    seed = fresh_seed()
    for game in games:
        size = game_of(game).seats.start
        for against, seats in (
            ("itself", (bot,) * size),
            (RIVAL, (bot, *(rival,) * (size - 1))),
        ):
            number = len(found)
            job = MatchJob(
                match_id=match_id(seed, number, 0),
                game=game,
                options={},
                seed=match_seed(seed, number),
                seats=seats,
                lodging=lodged,
            )
            found.append(Trial(job, against, range(size if against == "itself" else 1)))
    return found


async def try_out(trials: Sequence[Trial], play: Play) -> Tried:
    """Play qualifying matches one after the other, until one shows that the bot can't play.

    What puts a seat out of a match is fatal, single faults are advice. Raises `Spoilt`.
    """
    findings: list[Finding] = []
    logs: list[str] = []
    for trial in trials:
        record = await quickplay.played(play, trial.job, trial.name)
        findings += _findings(trial, record)
        logs += _logs(trial, record)
        if any(finding.severity is Severity.FATAL for finding in findings):
            break
    return Tried(tuple(dict.fromkeys(findings)), "\n".join(logs))


def _findings(trial: Trial, record: MatchRecord) -> list[Finding]:
    return [
        Finding(
            Severity.FATAL if seat.out == fault else Severity.ADVICE,
            f"in {trial.name}, round {fault.round}, turn {fault.turn}: "
            f"{fault.kind.value}: {one_line(fault.detail)}",
        )
        for seat in map(record.seats.__getitem__, trial.own)
        for fault in quickplay.wrongs(seat)
    ]


def _logs(trial: Trial, record: MatchRecord) -> list[str]:
    lines = []
    for number in trial.own:
        said = record.seats[number].log.rstrip("\n")
        lines += [f"== {trial.name}, seat {number}", said or "(it printed nothing)", ""]
    return lines


def qualify(
    store: Store,
    path: Path,
    report: Report,
    lodged: Lodging,
    *,
    tell: Callable[[str], None] = lambda _: None,
    run: Callable[[Coroutine[Any, Any, Tried]], Tried] = asyncio.run,
) -> Report:
    """Let the bot at ``path`` play its qualifying matches; add what it did wrong.

    ``tell`` hears what takes a while, ``run`` brings the matches to their end.
    Raises as ``arena.app.bots.quickplay.table``.
    """
    if report.submission is None:
        return report
    games = report.submission.manifest.games
    pair = [contestants.from_path(path), find_rival()]
    with instance(store, containers=lodged is Lodging.DOCKER) as member, run_log(store) as log:
        bot, rival = lodging.prepare(store, member, pair, lodging=lodged, game=games[0], tell=tell)

        async def play() -> Tried:
            async with LocalExecutor(member, workers=1, log=log) as executor:
                return await try_out(trials(bot, rival, games, lodged), executor.play)

        tried = run(play())
    return replace(report, findings=(*report.findings, *tried.findings))
