"""Running the client that is written for Node, in tests/node."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.services import missing

_ROOT = Path(__file__).parents[3]
_CLIENT = _ROOT / "tests" / "node"
_WANTED = ("package.json", "package-lock.json", ".npmrc")
_INSTALL = 300
"""Seconds for what takes ten on a quiet machine."""
_VISIT = 600


def packages() -> Path:
    """A folder with the packages that the client needs, kept from one run to the next.

    Without Node or the packages the test is skipped, or fails.
    """
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            missing(f"no program {program}")
    lock = hashlib.sha256((_CLIENT / "package-lock.json").read_bytes()).hexdigest()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    kept = cache / "claim-arena" / "node" / lock[:16]
    if not kept.is_dir():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent, prefix="new-") as made:
            _install(Path(made))
            # Whoever was quicker has the same ones.
            with suppress(OSError):
                (Path(made) / "node_modules").rename(kept)
    return kept


def _install(here: Path) -> None:
    for name in _WANTED:
        shutil.copy(_CLIENT / name, here)
    done = subprocess.run(
        ["npm", "ci", "--prefer-offline"],
        cwd=here,
        capture_output=True,
        text=True,
        timeout=_INSTALL,
        check=False,
    )
    if done.returncode:
        missing(f"npm could not install the client's packages: {done.stderr[-500:]}")


def visit(address: str, token: str, archive: Path, tournament: str, *others: str) -> dict[str, Any]:
    """What the client saw: it submits the archive and enters it and the others in a tournament."""
    done = subprocess.run(
        [
            "node",
            _CLIENT / "client.js",
            address,
            _ROOT / "proto",
            archive,
            tournament,
            *others,
        ],
        env={**os.environ, "NODE_PATH": str(packages()), "ARENA_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=_VISIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen
