"""Leaves a trace in every state that may outlive a process, and looks for each the next time."""

import contextlib
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path

import caged  # noqa: F401
from calm import Calm

import arenabot
from arenabot import MatchInfo, serve

TOUCHABLE = [Path("/dev") / name for name in ("null", "zero", "full", "random", "urandom", "tty")]
TOUCHABLE += [Path("/tmp"), Path("/dev/shm")]
ADJUSTED = Path("/proc/self/oom_score_adj")


def traces() -> Iterator[str]:
    """What is not as a fresh process finds it."""
    for path in TOUCHABLE:
        if path.exists() and path.stat().st_mtime:
            yield f"time of {path}"
    if hasattr(arenabot, "trace") or hasattr(sys, "trace"):
        yield "module"
    if "TRACE" in os.environ or "trace" in sys.path:
        yield "environment"
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] != 256:
        yield "limit"
    if ADJUSTED.read_text(encoding="ascii").strip() == "777":
        yield "score"
    if os.getpriority(os.PRIO_PROCESS, 0):
        yield "niceness"
    if (mask := os.umask(0o22)) != 0o22:
        yield f"mask {mask:o}"
    if os.getcwd() != "/bot":
        yield "folder"


class LeavesTraces(Calm):
    def match_started(self, match: MatchInfo) -> None:
        before = list(traces())
        for path in TOUCHABLE:
            with contextlib.suppress(OSError):
                os.utime(path)
        for place in (arenabot, sys):
            place.trace = "the deal"  # type: ignore[attr-defined]
        os.environ["TRACE"] = "the deal"
        sys.path.append("trace")
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
        ADJUSTED.write_text("777", encoding="ascii")
        os.umask(0o77)
        os.chdir("/")
        print(f"found {before}, left more: {len(list(traces())) >= 6}", flush=True)


if __name__ == "__main__":
    serve(LeavesTraces)
