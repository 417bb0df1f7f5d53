"""A server that is killed again and again, with real containers, against one that is not.

Each life of the server gets fresh work and one point (see doomed.py) at which it kills itself, or
is killed at a random moment; what it left undone is for the lives after it. At the end one more
life finishes everything, and all of it must be as in an arena that nobody disturbed. By hand, with
the number of lives, the kind of database, a file for the table, and a seed:

    python -m tests.soak.kills 50 postgresql table.md 7
"""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import docker
import grpc
import pytest
from sqlalchemy import URL, create_engine, text

from arena.app import accounts
from arena.app.bots import intake
from arena.app.exports import documents
from arena.app.home import clean_up
from arena.app.rankings import ranking
from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Plan
from arena.match.setup import Timers
from arena.sandbox.instance import store_labels
from arena.store import Store, Tournament, TournamentState
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc
from tests.integration.server.archives import packed
from tests.integration.server.process import ARENA as _ARENA
from tests.integration.server.process import environment
from tests.postgresql import server as postgresql_server
from tests.soak.doomed import POINTS

RANDOM: Final = "at a random moment"
_LIFE: Final = 300.0
"""Seconds after which a life whose point never came is ended all the same."""
_FINISH: Final = 1800.0
"""Seconds for the life that finishes everything."""
_BOTS: Final = ("random", "greedy")
"""Whose every decision comes from the seed."""
_CALLED: Final = {"draw": "open", "run": "asked", "cancel": "gone"}
"""Kinds of points that come when the server is called, and about which tournament."""
_PLAYED: Final = {
    "fixed": {"start", "match", "result", "transaction", "end", RANDOM},
    "growing": {"wave"},
}
"""Kinds of tournaments that are to be played when the server starts, and for which points."""
_SUBMITTING: Final = {"submission", "image"}
"""Kinds of points that need a submission."""
_DOOMED: Final = (sys.executable, str(Path(__file__).with_name("doomed.py")))


@dataclass
class Outcome:
    """What came of it all."""

    #: How often each point was hit.
    hits: Counter[str] = field(default_factory=Counter)
    #: Lives whose point never came.
    missed: list[str] = field(default_factory=list)
    results: int = 0
    submissions: int = 0
    seconds: float = 0.0

    def table(self) -> str:
        """Step and hits, as Markdown."""
        lines = ["| killed at | hits |", "|---|---|"]
        lines += [f"| {name} | {self.hits[name]} |" for name in (*POINTS, RANDOM)]
        lines.append("")
        lines.append(
            f"{sum(self.hits.values())} kills in {self.seconds:.0f} s; {self.results} results and "
            f"{self.submissions} submissions as in the undisturbed arena; missed: {self.missed}"
        )
        return "\n".join(lines) + "\n"


def points(lives: int, chance: random.Random) -> list[str]:
    """As many as there are lives, each as often as any other, and the rest at random moments."""
    rounds = lives // len(POINTS)
    chosen = [*POINTS] * rounds
    rest = lives - len(chosen)
    chosen += [RANDOM] * rest if rounds else chance.sample([*POINTS], rest)
    chance.shuffle(chosen)
    return chosen


def campaign(
    disturbed: Arena, calm: Arena, chosen: Sequence[str], chance: random.Random
) -> Outcome:
    """Go through all these lives, finish, and compare with an arena that nobody disturbed."""
    began = time.monotonic()
    outcome = Outcome()
    for number, point in enumerate(chosen):
        for arena in (disturbed, calm):
            arena.set_up(number, point)
        hit = disturbed.live(number, point, chance)
        if hit:
            outcome.hits[point] += 1
        else:
            outcome.missed.append(point)
        print(f"{number + 1}/{len(chosen)} {point}: {'hit' if hit else 'missed'}", flush=True)
    for arena in (disturbed, calm):
        arena.finish(chosen)
    found, expected = disturbed.facts(), calm.facts()
    assert found.keys() == expected.keys()
    for name, facts in expected.items():
        assert found[name] == facts, name
    disturbed.assert_whole()
    outcome.results = sum(len(facts.results) for facts in expected.values())
    outcome.submissions = sum(kind_of(point) in _SUBMITTING for point in chosen)
    outcome.seconds = time.monotonic() - began
    return outcome


def kind_of(point: str) -> str:
    """What a point is about."""
    return point.partition(":")[0]


@dataclass(frozen=True)
class Facts:
    """What must be the same of a tournament, or of a bot (then there are no results)."""

    state: str
    results: tuple[Any, ...] = ()
    ranking: tuple[Any, ...] = ()


class Arena:
    """A store and its server."""

    def __init__(self, home: Path, mark: str, database: URL | None = None) -> None:
        """Make `home`; `database` is an empty one of its own, if it isn't SQLite.

        `mark` stands in every bot that is handed in, so that none was ever built before.
        """
        self.home = home
        self._mark = mark
        home.mkdir(parents=True)
        #: Where its servers and their workers write.
        self.log = home.with_name(f"{home.name}.log")
        self.settings = environment(home, {"workers": "2"})
        if database is not None:
            told = database.render_as_string(hide_password=False)
            self.settings["ARENA_DATABASE"] = told

    @contextmanager
    def store(self) -> Iterator[Store]:
        """It opened, as another process beside the server."""
        with pytest.MonkeyPatch.context() as patch:
            if "ARENA_DATABASE" in self.settings:
                patch.setenv("ARENA_DATABASE", self.settings["ARENA_DATABASE"])
            with Store.open(self.home) as store:
                yield store

    def set_up(self, number: int, point: str) -> None:
        """Fresh work for the life of that number; the same in every arena."""
        kind = kind_of(point)
        wanted = [name for name, kinds in _PLAYED.items() if kind in kinds]
        with self.store() as store:
            if kind in _CALLED:
                _set_up_called(store, _CALLED[kind], number)
            for name in wanted:
                plan = _plan(name, number, until_clear=0.9999 if name == "growing" else None)
                store.running.want(setting_up.create(store, plan, _BOTS).tournament.id)
            if kind in _SUBMITTING:
                archive = packed(f"bot{number}", mark=self._mark)
                intake.receive(store, accounts.LOCAL, archive)

    def live(self, number: int, point: str, chance: random.Random) -> bool:
        """One life of the server; whether it ended where it was to."""
        kind = kind_of(point)
        if point == RANDOM:
            with self._started(_ARENA):
                time.sleep(chance.uniform(0.2, 8))
            return True
        if kind == "backup":
            with self._started(_ARENA) as process:
                _target(process)
                return self._doomed(point, "backup", str(self.home / f"backup-{number}"))
        count = {"transaction": chance.randint(1, 12)}.get(kind, 1)
        return self._doomed(point, count=count, number=number)

    def _doomed(self, point: str, *command: str, count: int = 1, number: int | None = None) -> bool:
        """Run what kills itself there, call it if the point needs that, and wait for its end."""
        killed = self.home / "killed"
        killed.unlink(missing_ok=True)
        doom = {
            "ARENA_KILL": point,
            "ARENA_KILL_COUNT": str(count),
            "ARENA_KILLED": str(killed),
        }
        with self._started(_DOOMED, *command, **doom) as process:
            if number is not None and kind_of(point) in _CALLED:
                # The call dies with the server.
                with suppress(grpc.RpcError):
                    self._ask(_target(process), kind_of(point), number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LIFE)
        return killed.exists() and killed.read_text() == point

    def _ask(self, target: str, kind: str, number: int) -> None:
        """What points of that kind are about, under the same request id each time."""
        name = f"{_CALLED[kind]}-{number}"
        bearer = [("authorization", f"Bearer {accounts.local_token(self.home)}")]
        with grpc.insecure_channel(target) as channel:
            stub = pb_grpc.TournamentServiceStub(channel)

            def ask(call: Any, request: Any) -> None:
                call(request, metadata=bearer, timeout=60)

            if kind == "cancel":
                try:
                    ask(
                        stub.CancelTournament,
                        pb.CancelTournamentRequest(request_id=f"c{number}", tournament=name),
                    )
                except grpc.RpcError as error:
                    # A life that died before it was cancelled may have been followed by some that
                    # played it to its end.
                    if "has finished: nothing is left to cancel" not in str(error):
                        raise
                return
            if kind == "draw":
                ask(
                    stub.CloseEntry,
                    pb.CloseEntryRequest(request_id=f"d{number}", tournament=name, draw=True),
                )
            ask(
                stub.RunTournament,
                pb.RunTournamentRequest(request_id=f"r{number}", tournament=name),
            )

    @contextmanager
    def _started(
        self, program: Sequence[str], *command: str, **more: str
    ) -> Iterator[subprocess.Popen[str]]:
        """A process of this arena; killed at the end."""
        with (
            self.log.open("a") as log,
            subprocess.Popen(
                [*program, *(command or ("serve",))],
                env=self.settings | more,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            ) as process,
        ):
            try:
                yield process
            finally:
                process.kill()

    def finish(self, chosen: Sequence[str]) -> None:
        """Let one more life come to the end of everything, and stop it as one stops a server."""
        with self._started(_ARENA) as process:
            target = _target(process)
            for number, point in enumerate(chosen):
                if kind_of(point) in _CALLED:
                    self._ask(target, kind_of(point), number)
            until = time.monotonic() + _FINISH
            with self.store() as store:
                while store.running.wanted() or store.submissions.unfinished():
                    assert process.poll() is None
                    assert time.monotonic() < until, "not finished"
                    time.sleep(0.5)
            process.terminate()
            assert process.wait(120) == 0

    def facts(self) -> dict[str, Facts]:
        """Of everything in it that must be the same in another arena."""
        with self.store() as store:
            found = {each.name: _facts(store, each) for each in store.tournaments()}
            for bot in store.bots():
                told = [version.number for version in store.versions(bot)]
                found[f"bot {bot}"] = Facts(str(told))
            assert not store.submissions.unfinished()
            return found

    def assert_whole(self) -> None:
        """Whatever is named is there, and nothing is left of any life."""
        with self.store() as store:
            clean_up(store)
            for tournament in store.tournaments():
                for result in store.results(tournament.id):
                    store.blob(result.replay)
                    for log in filter(None, (seat.log for seat in result.seats)):
                        store.blob(log)
            for version in store.versions():
                store.blob(version.archive)
            assert list((self.home / "blobs" / "tmp").iterdir()) == []
            assert [path for path in store.run_folder.iterdir() if path.is_dir()] == []
            labels = store_labels(store.run_folder, store.id)
        wanted = [f"{name}={value}" for name, value in labels.items()]
        with closing(docker.from_env()) as engine:
            assert engine.api.containers(all=True, filters={"label": wanted}) == []
        assert str(self.home) not in Path("/proc/self/mountinfo").read_text()
        assert "Traceback" not in self.log.read_text()


def _set_up_called(store: Store, name: str, number: int) -> None:
    plan = _plan(name, number)
    if name == "open":
        setting_up.create(store, plan, ())
        for bot in _BOTS:
            setting_up.enter(store, plan.name, bot)
        return
    made = setting_up.create(store, plan, _BOTS).tournament
    if name == "gone":
        store.running.want(made.id)


def _plan(name: str, number: int, *, until_clear: float | None = None) -> Plan:
    """A tournament of short matches."""
    return Plan(
        name=f"{name}-{number}",
        game="claims",
        options={"target": 150, "max_rounds": 2},
        blocks=1 if until_clear is None else 5,
        until_clear=until_clear,
        seed=hashlib.sha256(f"{name} {number}".encode()).digest(),
        timers=Timers(start=60),
    )


def _facts(store: Store, tournament: Tournament) -> Facts:
    state = store.progress(tournament.id).state
    if tournament.name.startswith("gone"):
        assert state in {TournamentState.CANCELLED, TournamentState.FINISHED}
        return Facts("over")  # how far it came is chance
    results = tuple(
        (one.match_id, one.replay_digest, [(seat.rank, seat.total) for seat in one.seats])
        for one in store.results(tournament.id)
    )
    rows = ranking.overview(store, tournament.name).ranked
    return Facts(state.value, results, tuple(documents.ranked(row) for row in rows))


def _target(process: subprocess.Popen[str]) -> str:
    """Where a server is reached, once it says so; empty if it ended before."""
    assert process.stdout is not None
    words = process.stdout.readline().split()
    return words[2].rstrip(",") if words else ""


@contextmanager
def arenas(here: Path, kind: str) -> Iterator[tuple[Arena, Arena]]:
    """One to be disturbed and one that is not, on that kind of database."""
    mark = uuid.uuid4().hex
    if kind == "sqlite":
        yield Arena(here / "disturbed", mark), Arena(here / "calm", mark)
        return
    with postgresql_server() as server:
        engine = create_engine(server.url())
        with engine.begin() as connection:
            for schema in ("disturbed", "calm"):
                connection.execute(text(f"CREATE SCHEMA {schema}"))
        engine.dispose()
        yield (
            Arena(here / "disturbed", mark, server.url("disturbed")),
            Arena(here / "calm", mark, server.url("calm")),
        )


def main(lives: int, kind: str, table: Path, seed: int) -> None:
    """Run a campaign and write its table."""
    chance = random.Random(seed)
    with (
        tempfile.TemporaryDirectory(prefix="arena-kills-") as folder,
        arenas(Path(folder), kind) as both,
    ):
        outcome = campaign(*both, points(lives, chance), chance)
    table.write_text(outcome.table())
    print(outcome.table())


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
