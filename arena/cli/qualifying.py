"""``arena bot check --play``."""

from __future__ import annotations

from pathlib import Path

from arena.app.bots.qualifying import qualify
from arena.cli import signals
from arena.cli.console import note
from arena.cli.home import store
from arena.submissions import Report
from arena.tournament.job import Lodging


def qualified(path: Path, report: Report, lodging: str) -> Report:
    """Play the bot and add what it did wrong to the report."""
    with store() as opened:
        return qualify(opened, path, report, Lodging(lodging), tell=note, run=signals.run)
