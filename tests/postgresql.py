"""A PostgreSQL server of the tests' own: nothing else on the machine is touched."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL

_USER = "arena"
_PATIENCE = 60.0


class NoServerError(Exception):
    """This machine has no PostgreSQL server's programs."""


class Server:
    """A server that listens on a socket in a folder of its own only, and never waits for the disk.

    It can be stopped and started again; what was committed is there then.
    """

    def __init__(self, folder: Path) -> None:
        """Make its files in `folder`; it does not run yet."""
        self._folder = folder
        self._programs = _programs()
        # As root it refuses to run, so it runs as the user that comes with Debian's package.
        self._owner = "postgres" if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        if self._owner:
            shutil.chown(folder, self._owner)
        self._call("initdb", "--username", _USER, "--auth=trust", "--encoding=UTF8", "--locale=C")

    def url(self, schema: str = "public") -> URL:
        """How SQLAlchemy reaches its one database, in which all tables are in `schema`."""
        query = {"host": str(self._folder), "options": f"-csearch_path={schema}"}
        return URL.create("postgresql+psycopg", _USER, database="postgres", query=query)

    def start(self) -> None:
        """Run, and return when it can be asked."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": self._folder,
            "fsync": "off",
            "max_connections": 200,
        }
        told = [f"--{name}={value}" for name, value in settings.items()]
        log = self._folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder / "data", *told],
                user=self._owner,
                cwd=self._folder,
                stdout=output,
                stderr=output,
            )
        until = time.monotonic() + _PATIENCE
        while b"ready to accept connections" not in log.read_bytes():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(log.read_text())
            time.sleep(0.02)

    def stop(self) -> None:
        """End at once, as if the machine had died."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_PATIENCE)
            self._process = None

    def _call(self, program: str, *arguments: str) -> None:
        command = [
            str(self._programs / program),
            "--pgdata",
            str(self._folder / "data"),
            *arguments,
        ]
        subprocess.run(command, user=self._owner, cwd=self._folder, check=True, capture_output=True)


def _programs() -> Path:
    """The folder with the server's programs, which Debian keeps off the path."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).parent
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3])
    )
    if not versions:
        raise NoServerError("no PostgreSQL server: install postgresql (its programs are enough)")
    return versions[-1].parent


def _roomy_memory() -> Path | None:
    """Where files cost no disk, if there is room: nothing of this server outlives it anyway."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() and shutil.disk_usage(memory).free > 1 << 30 else None


@contextmanager
def server() -> Iterator[Server]:
    """A server that runs until the end of this.  Raises `NoServerError`."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=_roomy_memory()))
    try:
        running = Server(folder)
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)
