"""Run as a program: play a tournament's pending matches into a store, as fast as it goes.

    writer.py FOLDER TOURNAMENT

Prints a match's id when the store says that its result is recorded by this process.
"""

from __future__ import annotations

import sys
from pathlib import Path

from arena.store import Recorded, Store
from arena.store.testing import logs_of, new_result, replay_of


def main(folder: Path, name: str) -> None:
    """Record a result for each match that is pending when this starts."""
    with Store.open(folder) as store:
        cup = store.tournament(name)
        print("ready", flush=True)
        sys.stdin.readline()
        for match in store.pending_matches(cup.id):
            outcome = store.record_result(
                cup.id, new_result(match), replay_of(match), logs_of(match)
            )
            if outcome is Recorded.NEW:
                print(match.id, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
