"""The program as the tests of the command call it, each with an arena of its own."""

import gc
import io
import json
import subprocess
import sys
import time
import uuid
import warnings
from collections.abc import Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.store import Progress, Store

#: Where no container engine answers.
NO_ENGINE = "unix:///nonexistent/docker.sock"
#: Seconds for anything that a test waits for, on a busy machine.
PATIENCE = 90.0


@dataclass
class Arena:
    """The ``arena`` command with a folder of its own, and a mark on all its processes.

    A call runs it in this process, which is quick; ``start`` runs the program as a person does.
    """

    home: Path
    here: Path
    patch: pytest.MonkeyPatch
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    #: What the last call said on standard error.
    err: str = ""

    def enter(self) -> None:
        """Let this process, and those that it starts, find this arena."""
        self.patch.chdir(self.here)
        self.patch.setenv("ARENA_HOME", str(self.home))
        self.patch.setenv("ARENA_MARK", self.mark)

    def start(self, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
        """Start a command as a process."""
        self.enter()
        return subprocess.Popen(
            [sys.executable, "-P", "-c", "from arena.cli.entry import main; main()", *arguments],
            text=True,
            stdin=subprocess.DEVNULL,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings},
        )

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """Run a command that must end with this code, and give what it printed."""
        self.enter()
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with warnings.catch_warnings(), redirect_stdout(out), redirect_stderr(err):
            # docker-py never closes a socket that finds no engine: it goes here, not in some test.
            warnings.filterwarnings("ignore", "unclosed <socket", ResourceWarning)
            ended = main.run(list(arguments))
            gc.collect()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read())
        self.err = texts[1]
        assert ended == code, f"{arguments} ended with {ended}\n{texts[0]}\n{texts[1]}"
        return texts[0]

    def json(self, *arguments: str) -> Any:
        """Run a command and read the document that it prints."""
        return json.loads(self(*arguments, "--json"))

    def processes(self) -> list[int]:
        """All processes that descend from commands of this arena and still live."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes()
            except OSError:  # it has just ended
                continue
            if f"ARENA_MARK={self.mark}".encode() in environment:
                found.append(int(process.name))
        return found

    def progress(self, tournament: str) -> Progress:
        """How far a tournament is, read beside whoever plays it."""
        with closing(Store.open(self.home)) as store:
            return store.progress(store.tournament(tournament).id)

    def wait_for_results(self, tournament: str, done: int, process: subprocess.Popen[str]) -> None:
        """Wait until so many matches have their results while the process plays."""
        with closing(Store.open(self.home)) as store:
            id_ = store.tournament(tournament).id
            until = time.monotonic() + PATIENCE
            while store.progress(id_).done < done:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < until, "no result came"
                time.sleep(0.02)

    def wait_until_gone(self) -> None:
        """Wait until no process of this arena is left."""
        until = time.monotonic() + PATIENCE
        while self.processes():
            assert time.monotonic() < until, f"still there: {self.processes()}"
            time.sleep(0.05)


def digests(shown: Mapping[str, Any]) -> dict[str, str]:
    """Each match's replay's digest, of a document with all matches."""
    return {match["match"]: match["result"]["digest"] for match in shown["matches"]}
