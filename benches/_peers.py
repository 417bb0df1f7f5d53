"""The engines that ours is measured against: where they live, and a process that plays in one.

Each peer has an environment of its own, made by ``tools/make-env`` from pinned and hashed
requirements when it is first wanted.  Nothing of it ever enters ours.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches._harness import on_core

ROOT = Path(__file__).parents[1]
_PLAYOUTS = Path(__file__).with_name("_playouts.py")


class PeerMissing(Exception):
    """A peer cannot be measured here; one line says why."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A game of another library."""

    #: The distribution's name, and that of its requirements and environment.
    library: str
    game: str
    players: int

    @property
    def requirements(self) -> str:
        """The pinned requirements, seen from the checkout."""
        return f"requirements/peer-{self.library}.txt"


#: rlcard's uno is always played by two.
PEERS = (Peer("rlcard", "uno", 2), Peer("open_spiel", "crazy_eights", 4))


def python_of(peer: Peer, root: Path = ROOT) -> Path:
    """The interpreter of the peer's environment, which is made if need be.

    It is of the very version that runs this.  Raises ``PeerMissing``.
    """
    folder = Path(".venv-peers", peer.library)
    environment = {
        **os.environ,
        "PYTHON": sys.executable,
        # What builds a peer without wheels is pinned with it.
        "UV_BUILD_CONSTRAINT": str(root / peer.requirements),
    }
    try:
        subprocess.run(
            [root / "tools/make-env", folder, peer.requirements],
            cwd=root,
            env=environment,
            # Tables go to standard output; what takes long is said beside them.
            stdout=sys.stderr,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        why = _last_line(error.stderr)
    except OSError as error:
        why = str(error)
    else:
        return root / folder / "bin/python"
    raise PeerMissing(f"{peer.library}: it can't be installed ({why})")


class Playouts:
    """A process that plays when it is called, and gives the CPU time of a move in us."""

    def __init__(self, engine: str, process: subprocess.Popen[str]) -> None:
        """Wait until it is ready; raises ``PeerMissing`` where it ends instead."""
        self._engine = engine
        self._process = process
        self._moves: list[float] = []
        self.version: str = self._read()["version"]

    def __call__(self) -> float:
        """One sample."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        sample = self._read()
        self._moves.append(sample["moves a match"])
        return float(sample["us"])

    @property
    def moves(self) -> float:
        """The moves of a match, the median of the samples."""
        return statistics.median(self._moves)

    def _read(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            _, errors = self._process.communicate()
            raise PeerMissing(f"{self._engine}: it can't be run ({_last_line(errors)})")
        answer: Mapping[str, Any] = json.loads(line)
        return answer


@contextmanager
def playing(python: Path, engine: str, game: str, players: int) -> Iterator[Playouts]:
    """Start a process that plays, on the core that all such processes share."""
    command = [str(python), "-P", str(_PLAYOUTS), engine, game, str(players)]
    pipe = subprocess.PIPE
    with on_core(1):
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield Playouts(engine, process)
    finally:
        process.kill()
        process.communicate()


def _last_line(text: str) -> str:
    """What a program said last, which is mostly why it failed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it does not say why"
