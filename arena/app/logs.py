"""Where a run keeps what nobody needs to see: files in the store's ``log`` folder."""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import structlog

from arena.store import Store
from arena.store.opening import default_folder

#: How many files of a kind are kept.
_KEPT = 50


@contextmanager
def run_log(store: Store) -> Iterator[TextIO]:
    """A new file for one run: its own log, and whatever its match workers print.

    It is gone afterwards if nothing was written to it.
    """
    path = _new_file(store.folder / "log", "run")
    before = structlog.get_config()
    try:
        with path.open("a", buffering=1, encoding="utf-8") as file:
            structlog.configure(
                processors=[
                    structlog.processors.add_log_level,
                    structlog.processors.TimeStamper(fmt="iso", utc=True),
                    structlog.processors.JSONRenderer(),
                ],
                logger_factory=structlog.WriteLoggerFactory(file),
            )
            yield file
    finally:
        structlog.configure(**before)
        with suppress(FileNotFoundError):
            if path.stat().st_size == 0:
                path.unlink()


def keep_traceback(error: BaseException) -> Path:
    """Write an error's traceback down, below the store if that can be, and say where."""
    text = "".join(traceback.format_exception(error))
    try:
        path = _new_file(default_folder() / "log", "bug")
    except OSError:
        path = _new_file(Path(tempfile.gettempdir()), "arena-bug")
    path.write_text(text, errors="replace")
    return path


def _new_file(folder: Path, kind: str) -> Path:
    """Make an empty file for its owner alone, and let the oldest ones of its kind go."""
    folder.mkdir(mode=0o700, exist_ok=True, parents=True)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    handle, name = tempfile.mkstemp(prefix=f"{kind}-{stamp}-", suffix=".log", dir=folder)
    os.close(handle)
    # Names tell the second only, and of many in one this one need not be the last.
    others = (path for path in folder.glob(f"{kind}-*.log") if path != Path(name))
    for old in sorted(others)[: -_KEPT + 1]:
        old.unlink(missing_ok=True)
    return Path(name)
