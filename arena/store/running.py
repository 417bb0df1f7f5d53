"""Which tournaments a server plays: asked for once, it goes on until they have ended."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import exists, select

from arena.store import requests, tournaments
from arena.store.database import Database
from arena.store.errors import NotScheduled
from arena.store.records import Tournament, TournamentState
from arena.store.requests import Request
from arena.store.schema import MatchRow, TournamentRow

_ENDED = {TournamentState.FINISHED, TournamentState.CANCELLED}


class Running:
    """The tournaments that are to be played; part of a `Store`, see there."""

    def __init__(self, database: Database) -> None:
        """Keep them in `database`."""
        self._database = database

    def want(self, tournament_id: int, request: Request | None = None) -> None:
        """Let a server play it, also after it was started anew; twice is the same as once.

        Raises NotFound, TournamentOver if it was cancelled, NotScheduled, AlreadyDone.
        """
        with self._database.write() as session:
            row = tournaments.require(session, tournament_id)
            requests.claim(session, request, row.name)
            tournaments.require_open(session, tournament_id)
            if not session.scalar(select(exists().where(MatchRow.tournament_id == tournament_id))):
                raise NotScheduled(
                    f"tournament {row.name!r} has no schedule yet: close its entry and draw it"
                )
            row.wanted_at = row.wanted_at or datetime.now(UTC)

    def is_wanted(self, tournament_id: int) -> bool:
        """Whether a server is to play it, or was until it ended. Raises NotFound."""
        with self._database.read() as session:
            return tournaments.require(session, tournament_id).wanted_at is not None

    def wanted(self) -> list[Tournament]:
        """All that are to be played and have not ended, in the order in which they were wanted."""
        query = (
            select(TournamentRow.id, TournamentRow.name)
            .where(TournamentRow.wanted_at.is_not(None), TournamentRow.cancelled_at.is_(None))
            .order_by(TournamentRow.wanted_at, TournamentRow.id)
        )
        with self._database.read() as session:
            return [
                tournaments.find(session, name)
                for id_, name in session.execute(query).all()
                if tournaments.progress(session, id_).state not in _ENDED
            ]
