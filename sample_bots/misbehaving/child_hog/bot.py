"""Lets a child take memory without end: the child is killed, its parent plays on."""

import os
from pathlib import Path

import caged  # noqa: F401
from calm import CalmAtFirst

from arenabot import serve


class ChildHog(CalmAtFirst):
    def misbehave(self) -> None:
        if self.turns > 3:
            return  # Once is enough: each time the kernel may, seldom, kill the parent as well.
        child = os.fork()
        if child == 0:
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
            kept = []
            while True:
                kept.append(b"x" * (1 << 20))
        print(f"the child ended with {os.waitpid(child, 0)[1]}", flush=True)


if __name__ == "__main__":
    serve(ChildHog)
