"""Bringing a database to the tables that this program knows.

Imported only when there is something to do: Alembic takes longer to import than a store to open.
"""

from __future__ import annotations

from datetime import UTC, datetime

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.store.schema import StoreRow


def migrate(session: Session, *, new_id: str) -> None:
    """Bring the database up and give a new one its id: both or, if anything is raised, neither."""
    upgrade(session, "head")
    if session.scalar(select(StoreRow)) is None:
        session.add(StoreRow(id=new_id, created=datetime.now(UTC)))


def upgrade(session: Session, step: str) -> None:
    """Bring the database up to the tables of that step."""
    config = _config()
    config.attributes["connection"] = session.connection()
    command.upgrade(config, step)


def steps() -> set[str]:
    """The names of all steps that this program knows."""
    return {step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()}


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
