"""Leagues: series of tournaments of one game, each under the name of whoever used it first."""

from __future__ import annotations

from datetime import UTC, datetime
from difflib import get_close_matches

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.store.database import Database
from arena.store.errors import InvalidRecord, NameTaken, NotFound
from arena.store.records import League, NewTournament
from arena.store.schema import LeagueRow, LeagueTournamentRow
from arena.store.texts import checked


class Leagues:
    """The leagues that there are; part of a `Store`, see there.

    One begins with its first tournament and has public ones only, so all may see it.
    """

    def __init__(self, database: Database) -> None:
        """Read them from `database`."""
        self._database = database

    def find(self, name: str) -> League:
        """The league of that name. Raises NotFound."""
        with self._database.read() as session:
            for league in session.execute(_counted().where(LeagueRow.name == name)):
                return League(*league)
            names = session.scalars(select(LeagueRow.name)).all()
        close = get_close_matches(name, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "a tournament begins one by naming it"
        raise NotFound(f"there is no league {name[:80]!r}: {hint}")

    def listed(
        self, game: str | None = None, *, before: int | None = None, most: int | None = None
    ) -> list[League]:
        """All of them or those of `game`, the newest first.

        Those before the one of that id, and no more than `most`.
        """
        asked = _counted().limit(most)
        if game is not None:
            asked = asked.where(LeagueRow.game == game)
        if before is not None:
            asked = asked.where(LeagueRow.id < before)
        with self._database.read() as session:
            return [League(*league) for league in session.execute(asked)]


def check(new: NewTournament) -> None:
    """Raises InvalidRecord, if a tournament can't be part of the league that it names."""
    if new.league is None:
        return
    checked("league name", new.league)
    if new.private:
        raise InvalidRecord(
            "a league is for all to see: set the tournament up as a public one, or without a league"
        )


def join(session: Session, tournament_id: int, new: NewTournament) -> None:
    """Make a tournament part of the league that it names, which may be the first to do so.

    Raises InvalidRecord if that has another game, and NameTaken if it is another organiser's.
    """
    if new.league is None:
        return
    row = session.scalar(select(LeagueRow).where(LeagueRow.name == new.league))
    if row is None:
        row = LeagueRow(
            name=new.league, game=new.game, organiser=new.organiser, created=datetime.now(UTC)
        )
        session.add(row)
        session.flush()
    if row.game != new.game:
        raise InvalidRecord(
            f"the league {row.name!r} is one of {row.game}, so no tournament of {new.game} can be "
            "part of it: name another league"
        )
    if row.organiser != new.organiser and not new.any_league:
        raise NameTaken(f"the league {row.name!r} is another organiser's: name another league")
    session.add(LeagueTournamentRow(tournament_id=tournament_id, league_id=row.id))


def names(session: Session, tournaments: Select[int]) -> dict[int, str]:
    """The leagues' names by tournament, of those tournaments that are part of one."""
    query = select(LeagueTournamentRow.tournament_id, LeagueRow.name).join(
        LeagueRow, LeagueTournamentRow.league_id == LeagueRow.id
    )
    found = query.where(LeagueTournamentRow.tournament_id.in_(tournaments))
    return dict(session.execute(found).all())


def tournaments_of(league: str) -> Select[int]:
    """Selects the ids of the tournaments of a league."""
    return (
        select(LeagueTournamentRow.tournament_id)
        .join(LeagueRow, LeagueTournamentRow.league_id == LeagueRow.id)
        .where(LeagueRow.name == league)
    )


def _counted() -> Select[int, str, str, str | None, datetime, int]:
    """Selects each with how many tournaments it has, the newest first."""
    of = LeagueRow
    return (
        select(of.id, of.name, of.game, of.organiser, of.created, func.count())
        .join(LeagueTournamentRow, LeagueTournamentRow.league_id == of.id)
        .group_by(of.id)
        .order_by(of.id.desc())
    )
