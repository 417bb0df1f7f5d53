"""Lists in pages: each goes on behind the last thing of the page before, so none is ever slow."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, false, func, not_, or_, select

from arena.store import matches, results, tournaments
from arena.store.database import Database
from arena.store.records import MatchKey, MatchStatus, StoredMatch, StoredResult, Tournament
from arena.store.schema import BotRow, EntryRow, MatchRow, TournamentRow, VersionRow


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament in a list: without its entries, of which there may be thousands."""

    tournament: Tournament
    entries: int


@dataclass(frozen=True, slots=True)
class Seeing:
    """Who looks: an author, or None for a spectator; or somebody who may see `all` there is."""

    author: str | None = None
    all: bool = False


class Pages:
    """Parts of long lists; part of a `Store`, see there."""

    def __init__(self, database: Database) -> None:
        """Read them from `database`."""
        self._database = database

    def tournaments(
        self, seeing: Seeing, *, before: int | None = None, most: int, game: str | None = None
    ) -> list[Tournament]:
        """Up to `most` tournaments, the newest first: those made before that one, by its id.

        Only those that are public, or `seeing`'s author organises or has entered.
        """
        query = _seen(seeing, before, game).limit(most)
        with self._database.read() as session:
            ids = session.scalars(query).all()
            found = select(TournamentRow).where(TournamentRow.id.in_(ids))
            return tournaments.records(session, found)[::-1]

    def listed(
        self, seeing: Seeing, *, before: int | None = None, most: int, game: str | None = None
    ) -> list[Listed]:
        """The same without their entries, but how many there are."""
        query = _seen(seeing, before, game).limit(most)
        with self._database.read() as session:
            ids = session.scalars(query).all()
            found = select(TournamentRow).where(TournamentRow.id.in_(ids))
            counts = dict(
                session.execute(
                    select(EntryRow.tournament_id, func.count())
                    .where(EntryRow.tournament_id.in_(ids))
                    .group_by(EntryRow.tournament_id)
                ).all()
            )
            return [
                Listed(each, counts.get(each.id, 0))
                for each in tournaments.records(session, found, entries=False)[::-1]
            ]

    def matches(
        self,
        tournament_id: int,
        *,
        after: MatchKey | None = None,
        most: int,
        status: MatchStatus | None = None,
    ) -> list[StoredMatch]:
        """Up to `most` matches in schedule order, or only those of a status. Raises NotFound."""
        with self._database.read() as session:
            return matches.page(session, tournament_id, after=after, most=most, status=status)

    def match_ids(self, tournament_id: int, beginning: str) -> list[str]:
        """The ids of the matches that begin so; nothing else of them is read."""
        begins = func.substr(MatchRow.id, 1, len(beginning)) == beginning
        of = MatchRow.tournament_id == tournament_id
        with self._database.read() as session:
            return sorted(session.scalars(select(MatchRow.id).where(of, begins)))

    def results(self, tournament_id: int, first: int, last: int) -> list[StoredResult]:
        """The results of a first block to a last one, in schedule order."""
        with self._database.read() as session:
            return results.between(session, tournament_id, first, last)

    def secret_blocks(
        self, tournament_id: int, within: tuple[int, int] | None = None
    ) -> frozenset[int]:
        """The blocks, or those from a first to a last one, whose deals are still in play.

        The replays of all others are released, see `Store.is_released`. Raises NotFound.
        """
        with self._database.read() as session:
            return matches.secret_blocks(session, tournament_id, within)


def _seen(seeing: Seeing, before: int | None, game: str | None) -> Select[int]:
    query = select(TournamentRow.id).order_by(TournamentRow.id.desc())
    if before is not None:
        query = query.where(TournamentRow.id < before)
    if game is not None:
        query = query.where(TournamentRow.game == game)
    if not seeing.all:
        query = query.where(or_(not_(TournamentRow.private), _takes_part(seeing.author)))
    return query


def _takes_part(author: str | None) -> ColumnElement[bool]:
    if author is None:
        return false()
    entered = (
        select(EntryRow.tournament_id)
        .join(VersionRow, EntryRow.version_id == VersionRow.id)
        .join(BotRow, VersionRow.bot_id == BotRow.id)
        .where(EntryRow.tournament_id == TournamentRow.id, BotRow.author == author)
    )
    return or_(TournamentRow.organiser == author, entered.exists())
