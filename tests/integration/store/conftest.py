"""Real processes, real disks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL

from tests.services import missing

HERE = Path(__file__).parent

each_database = pytest.mark.usefixtures("database")


@pytest.fixture
def on_postgresql(postgres_url: URL, monkeypatch: pytest.MonkeyPatch) -> URL:
    """Stores have this database, in this process and in those it starts."""
    monkeypatch.setenv("ARENA_DATABASE", postgres_url.render_as_string(hide_password=False))
    return postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The kind of the database that stores have, in this process and in those it starts."""
    if request.param == "postgresql":
        request.getfixturevalue("on_postgresql")
    return str(request.param)


class Writer:
    """A process that plays a tournament into a store; see writer.py."""

    def __init__(self, folder: Path, name: str) -> None:
        command = [sys.executable, str(HERE / "writer.py"), str(folder), name]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def go(self) -> None:
        """Let it begin."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def wait_for(self, count: int) -> list[str]:
        """The next `count` matches that it recorded."""
        assert self.process.stdout is not None
        lines = (self.process.stdout.readline() for _ in range(count))
        return [line.strip() for line in lines if line]

    def recorded(self) -> list[str]:
        """The other matches that it recorded by the time it ended."""
        assert self.process.stdout is not None
        rest = self.process.stdout.read().split()
        self.process.wait(timeout=60)
        return rest

    def kill(self) -> None:
        """End it with SIGKILL."""
        self.process.kill()


@pytest.fixture
def start_writer() -> Iterator[Callable[[Path, str], Writer]]:
    """Starts writers and leaves none behind."""
    with ExitStack() as started:

        def start(folder: Path, name: str) -> Writer:
            writer = Writer(folder, name)
            started.enter_context(writer.process)
            started.callback(writer.process.kill)
            return writer

        yield start


Mount = Callable[[Path, str], AbstractContextManager[None]]


@pytest.fixture
def mount_tmpfs() -> Mount:
    """Mounts a small file system; where that isn't allowed, the test is skipped, or fails."""
    if os.geteuid() != 0:
        missing("only root may mount a file system")

    @contextmanager
    def mount(folder: Path, options: str) -> Iterator[None]:
        folder.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            missing(f"mounting a file system failed: {done.stderr}")
        try:
            yield
        finally:
            subprocess.run(["umount", str(folder)], check=True)

    return mount
