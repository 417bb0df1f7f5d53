"""A submission's life with real containers: ready, rejected, killed and gone on with, held up."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.app.bots import intake
from arena.app.bots.intake import NotNow
from arena.app.bots.quickplay import Play
from arena.match import replay
from arena.sandbox.instance import Instance
from arena.store import Store, StoredSubmission, SubmissionState
from arena.tournament.executor import LocalExecutor
from arena.tournament.job import MatchJob, Outcome, Played, Voided, VoidReason
from tests.integration.server.archives import BOT, packed

pytestmark = [pytest.mark.docker, pytest.mark.timeout(400), pytest.mark.usefixtures("image")]

HERE = Path(__file__).parent
STATES = list(SubmissionState)[1:5]
"""From checked to ready."""

LOUD = BOT.replace("        return", '        print("\\x1b[31mmy turn")\n        return')
CRASHING = BOT.replace("from arenabot", "import os\nfrom arenabot").replace(
    "        return", '        print("no more", flush=True)\n        os._exit(3)\n        return'
)
#: Burns the cards of its first turn for nothing that the rules allow.
CHEATING = BOT.replace(
    "        return",
    """        if not getattr(self, "cheated", False):
            self.cheated = True
            return CLAIM
        return""",
).replace("import ClaimsBot", "import CLAIM, ClaimsBot")


class Life:
    """Processes submissions, and notes what they come to and what was played."""

    def __init__(self, store: Store, member: Instance) -> None:
        self.store = store
        self.member = member
        self.seen: list[StoredSubmission] = []
        self.outcomes: list[Outcome] = []
        self.on_change: Callable[[StoredSubmission], None] = self.seen.append

    def live(self, *found: StoredSubmission, play: Play | None = None) -> list[StoredSubmission]:
        """Process these at the same time, on one executor or by `play`."""

        async def all_of_them() -> list[StoredSubmission]:
            async with LocalExecutor(self.member, workers=2) as executor:

                async def noted(job: MatchJob) -> Outcome:
                    self.outcomes.append(await (play or executor.play)(job))
                    return self.outcomes[-1]

                return await asyncio.gather(
                    *(
                        intake.process(
                            self.store,
                            one.id,
                            member=self.member,
                            play=noted,
                            on_change=self.on_change,
                        )
                        for one in found
                    )
                )

        return asyncio.run(all_of_them())


@pytest.fixture
def life(store: Store, member: Instance) -> Life:
    """On a store of the test's own."""
    return Life(store, member)


def _received(store: Store, code: str = BOT, bot: str = "mine", author: str = "ana") -> str:
    return intake.receive(store, author, packed(bot, code)).id


def _log(store: Store, found: StoredSubmission) -> str:
    assert found.log is not None
    return store.blob(found.log).decode()


def test_a_bot_that_plays_becomes_a_version(life: Life) -> None:
    """State by state; with what it was built, and with what it printed in its matches."""
    found = life.store.submissions.get(_received(life.store, LOUD))
    (done,) = life.live(found)
    assert [one.state for one in life.seen] == STATES
    assert life.seen[-1] == done == life.store.submissions.get(found.id)
    (version,) = life.store.versions()
    assert (done.version, version.number, version.author) == (1, 1, "ana")
    assert version.digest == found.digest
    provenance = version.provenance
    assert provenance is not None
    assert provenance["base_image"].startswith("sha256:")
    assert provenance["protocol"] == "arenabot.v1"
    # A match against itself and one against the sample bot, and both tell on what.
    assert len(life.outcomes) == 2
    headers = []
    for outcome in life.outcomes:
        assert isinstance(outcome, Played)
        headers.append(next(replay.unpack(outcome.record.replay)))
    assert [[seat["bot"] for seat in header["seats"]] for header in headers] == [
        ["mine", "mine"],
        ["mine", "random"],
    ]
    assert all(header["measured"]["provenance"] == provenance for header in headers)
    assert len({header["seed"] for header in headers}) == 2
    log = _log(life.store, done)
    for heading in ("== a match of claims against itself, seat 0", "seat 1", "against random"):
        assert heading in log
    assert log.count("my turn") > 2
    # Another time there is nothing to do.
    assert life.live(found) == [done]
    assert len(life.outcomes) == 2


def test_a_bot_that_does_not_play_to_the_end_is_rejected(life: Life) -> None:
    """With where and why, and what it printed; it need not meet anybody else."""
    found = life.store.submissions.get(_received(life.store, CRASHING))
    (done,) = life.live(found)
    assert done.state is SubmissionState.REJECTED
    assert done.reason.startswith("in a match of claims against itself, round 1, turn ")
    assert "CRASHED" in done.reason
    assert "no more" in _log(life.store, done)
    assert len(life.outcomes) == 1
    assert life.store.versions() == []
    assert life.store.roster.owner("mine") == "ana"
    assert _received(life.store, CRASHING) != found.id


def test_single_faults_are_advice(life: Life) -> None:
    """What the default move stands in for rejects nobody."""
    (done,) = life.live(life.store.submissions.get(_received(life.store, CHEATING)))
    assert done.state is SubmissionState.READY
    assert any("ILLEGAL" in line for line in done.advice)


def test_several_are_worked_on_at_once(life: Life) -> None:
    """Each gets its own end, on one executor."""
    found = [
        life.store.submissions.get(_received(life.store, code, bot, author))
        for code, bot, author in ((BOT, "a", "ana"), (CRASHING, "b", "bo"), (LOUD, "c", "eve"))
    ]
    ends = [one.state for one in life.live(*found)]
    assert ends == [SubmissionState.READY, SubmissionState.REJECTED, SubmissionState.READY]
    assert life.store.bots() == ["a", "c"]


def test_killed_after_each_step_it_goes_on_from_there(store: Store, tmp_path: Path) -> None:
    """SIGKILL each time; the end is the same, and no step that was done is undone."""
    id_ = _received(store, LOUD)

    def run(step: str) -> list[str]:
        command = [sys.executable, str(HERE / "intake_process.py"), str(store.folder), step]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        killed = step != "never"
        assert done.returncode == (-signal.SIGKILL if killed else 0), done.stderr
        lines = done.stdout.split()
        assert not killed or lines[-1] == step
        return lines

    for step in ("checked", "built", "qualifying", "played-1", "played-2"):
        before = store.submissions.get(id_)
        lines = run(step)
        assert not set(lines) & {"received", "rejected", "ready"}
        after = store.submissions.get(id_)
        assert STATES.index(after.state) >= (
            -1 if before.state is SubmissionState.RECEIVED else STATES.index(before.state)
        )
        assert store.versions() == []
    assert run("ready")[-1] == "ready"
    done = store.submissions.get(id_)
    (version,) = store.versions()
    assert (done.state, done.version, version.digest) == (SubmissionState.READY, 1, done.digest)
    assert run("never") == []
    assert store.submissions.get(id_) == done


def test_an_engine_that_is_away_rejects_nobody(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits where it is, tells its author so, and goes on once the engine is there."""
    found = life.store.submissions.get(_received(life.store))
    with monkeypatch.context() as patch, warnings.catch_warnings():
        patch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
        # docker-py never closes a socket that finds no engine: it goes here, not in some test.
        warnings.filterwarnings("ignore", "unclosed <socket", ResourceWarning)
        with pytest.raises(NotNow, match="the container engine at unix:///nonexistent"):
            life.live(found)
        gc.collect()
    waiting = life.store.submissions.get(found.id)
    assert waiting.state is SubmissionState.CHECKED
    assert waiting.trouble.startswith("the container engine does not answer")
    assert waiting.trouble.endswith("the arena tries again by itself")
    assert life.store.submissions.unfinished() == [waiting] == [life.seen[-1]]
    (done,) = life.live(found)
    assert (done.state, done.trouble) == (SubmissionState.READY, "")


def test_a_disk_that_is_full_rejects_nobody(life: Life) -> None:
    """Its log can't be kept, so its end can't be told: it is played again later."""
    found = life.store.submissions.get(_received(life.store, CRASHING))
    folder = life.store.folder / "blobs" / "tmp"

    def break_it(one: StoredSubmission) -> None:
        if one.state is SubmissionState.QUALIFYING and folder.is_dir():
            folder.rmdir()
            folder.write_text("no folder")

    life.on_change = break_it
    with pytest.raises(NotNow):
        life.live(found)
    assert life.store.submissions.get(found.id).state is SubmissionState.QUALIFYING
    folder.unlink()
    folder.mkdir()
    life.on_change = life.seen.append
    (done,) = life.live(found)
    assert done.state is SubmissionState.REJECTED
    assert "CRASHED" in done.reason


def test_matches_that_we_spoil_are_played_again_but_not_for_ever(life: Life) -> None:
    """Whoever knows how to spoil a match does not keep us busy with it."""

    async def spoil(job: MatchJob) -> Outcome:
        return Voided(job.match_id, VoidReason.STALLED, "this machine stood still")

    found = life.store.submissions.get(_received(life.store))
    for _ in range(2):
        with pytest.raises(NotNow, match="this machine stood still"):
            life.live(found, play=spoil)
        waiting = life.store.submissions.get(found.id)
        assert waiting.state is SubmissionState.QUALIFYING
        assert "plays them again" in waiting.trouble
    (done,) = life.live(found, play=spoil)
    assert done.state is SubmissionState.REJECTED
    assert done.reason.startswith("its qualifying matches could not be played 9 times")
    assert len(life.outcomes) == 9
