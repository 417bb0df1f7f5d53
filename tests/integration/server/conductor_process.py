"""A conductor as a process of its own, that can be killed: `python -m ...conductor_process HOME`.

It goes on with what is wanted in that store and ends when nothing is left; its log is its output.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import structlog

from arena.app.conducting.conductor import Conductor
from arena.store import Store


async def _go_on(home: Path) -> None:
    with Store.open(home) as store:
        conductor = Conductor(store, workers=1)
        await conductor.start()
        while conductor.status().tournaments_wanted:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        await conductor.close()


if __name__ == "__main__":
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
    )
    asyncio.run(_go_on(Path(sys.argv[1])))
