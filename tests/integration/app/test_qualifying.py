"""Qualifying matches as `arena bot check --play` has them played, with trusted processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.app.bots.qualifying import qualify, trials
from arena.store import Store
from arena.submissions import Severity, examine
from arena.tournament.job import Isolation, Lodging, MatchJob, SeatJob
from tests.integration.server.archives import BOT

BREAKS_ALONE = """
from arenabot import ClaimsBot, serve

class Bot(ClaimsBot):
    def turn(self, observation):
        if self.match.seat == 1:
            raise RuntimeError("I only know seat 0")
        return self.rng.choice(observation.legal_actions())

if __name__ == "__main__":
    serve(Bot)
"""


def _bot(folder: Path, code: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\ngame = "claims"\n')
    (folder / "bot.py").write_text(code)
    return folder


def _qualified(store: Store, path: Path) -> list[tuple[Severity, str]]:
    report = qualify(store, path, examine(path), Lodging.PROCESS)
    return [(finding.severity, finding.text) for finding in report.findings]


@pytest.mark.timeout(200)
def test_a_bot_that_plays_has_nothing_said_of_it(store: Store, tmp_path: Path) -> None:
    """Nothing is kept either."""
    assert _qualified(store, _bot(tmp_path / "mine", BOT)) == []
    assert store.versions() == []


@pytest.mark.timeout(200)
def test_a_bot_is_tried_in_every_seat_of_its_match_against_itself(
    store: Store, tmp_path: Path
) -> None:
    """What only goes wrong in another seat is found, and told once."""
    ((severity, text),) = _qualified(store, _bot(tmp_path / "mine", BREAKS_ALONE))
    assert severity is Severity.FATAL
    assert text.startswith("in a match of claims against itself, round 1, turn ")
    assert "CRASHED" in text


def test_the_matches_are_those_that_a_tournament_would_have() -> None:
    """Of each game two, with the default timers and limits, on deals of their own."""
    bot, rival = (
        SeatJob(name, "1", "ab" * 32, "/bot", ("python3",)) for name in ("mine", "random")
    )
    found = trials(bot, rival, ["claims", "claro"])
    usual = MatchJob("", "claims", {}, b"", ())
    assert [(trial.job.game, trial.against, list(trial.own)) for trial in found] == [
        ("claims", "itself", [0, 1]),
        ("claims", "random", [0]),
        ("claro", "itself", [0, 1, 2]),
        ("claro", "random", [0]),
    ]
    for trial in found:
        job = trial.job
        size = 3 if job.game == "claro" else 2
        others = bot if trial.against == "itself" else rival
        assert job.seats == (bot, *(others,) * (size - 1))
        assert (job.timers, job.limits, job.max_faults) == (
            usual.timers, usual.limits, usual.max_faults,
        )  # fmt: skip
        assert (job.lodging, job.isolation) == (Lodging.DOCKER, Isolation.MATCH)
    assert len({trial.job.seed for trial in found}) == len({t.job.match_id for t in found}) == 4
    assert not {t.job.seed for t in trials(bot, rival, ["claims"])} & {t.job.seed for t in found}
