"""Tournaments: all of them, and what one shows to whoever looks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import IO, Any, Final

from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from arena.app.exports import documents, export
from arena.app.rankings.cache import NotReady
from arena.app.rankings.ranking import Overview
from arena.app.tournaments import seeing
from arena.app.tournaments.setting_up import seed_may_be_shown
from arena.games import GAMES
from arena.store import (
    Entry,
    MatchKey,
    MatchStatus,
    Progress,
    StoredMatch,
    StoredResult,
    Tournament,
    TournamentState,
)
from arena.web import addresses, boards, live, planning, stopping, tables
from arena.web.boards import Board
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.visits import Visit

_LISTED: Final = 20
_ENTRIES: Final = 50
_PATIENCE: Final = 2.0
_PIECE: Final = 64 << 10
_EXPORTS: Final = BoundedSemaphore(2)
"""How many exports are written at a time, each of which reads a whole tournament."""

_STATUSES: Final = {status.value: status for status in MatchStatus}


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A match in a schedule; `released` is whether its replay may be seen."""

    match: StoredMatch
    result: StoredResult | None
    released: bool


def routes(site: Site) -> Sequence[BaseRoute]:
    """All pages that only show."""
    pages = Tournaments(site)
    shows, at = site.door.shows, "/tournaments/{name:name}"
    return [
        Route("/tournaments", shows(pages.all)),
        Route(at, shows(pages.one)),
        Route(f"{at}/events", site.door.streams(live.Tournaments(site).events)),
        Route(f"{at}/tournament.json", shows(pages.saved)),
        Route(f"{at}/export.zip", shows(pages.export)),
        *boards.routes(site, at, pages.board, first="/ranking"),
        Route(f"{at}/matches", shows(pages.matches)),
        Route(f"{at}/matches.{{kind}}", shows(pages.matches_saved)),
        Route(f"{at}/matches/{{match:name}}", shows(pages.match)),
    ]


class Tournaments:
    """The pages of one site."""

    def __init__(self, site: Site) -> None:
        """Show what `site` has."""
        self._site = site
        self._store = site.store

    def all(self, visit: Visit) -> Response:
        """Those that the visitor may see, the newest first."""
        game = visit.asked("game")
        if game and game not in GAMES:
            raise Refused(404, NOWHERE)
        before = visit.asked("before")
        if before and not (before.isascii() and before.isdecimal() and len(before) < 18):
            raise Refused(400, "This list's address is none of ours.")
        found = self._store.pages.listed(
            visit.visitor.seeing,
            before=int(before) if before else None,
            most=_LISTED + 1,
            game=game or None,
        )
        shown = found[:_LISTED]
        more = len(found) > _LISTED
        return self._site.page(
            visit,
            "tournaments.html",
            title="Tournaments",
            shown=[
                (each.tournament, self._site.rankings.progress(each.tournament), each.entries)
                for each in shown
            ],
            game=game,
            pager=tables.Pager(
                tables.same_with(visit, before=None) if before else None,
                tables.same_with(visit, before=shown[-1].tournament.id) if more else None,
                "The newest first",
            ),
        )

    def one(self, visit: Visit) -> Response:
        """One of them."""
        tournament = self._site.tournament(visit)
        at = self._site.rankings.progress(tournament)
        entries = tables.part(visit, tournament.entries, _ENTRIES)
        drawn = at.state is not TournamentState.ENTRY
        overview = self._overview(tournament) if drawn else None
        return self._site.page(
            visit,
            "tournament.html",
            title=tournament.name,
            entries=entries,
            leaders=overview.ranked[:5] if overview and at.done else (),
            clarity=overview.clarity if overview else None,
            seed=tournament.seed.hex() if seed_may_be_shown(at) else None,
            playing=self._site.playing(tournament),
            draining="" if at.state in live.OVER else stopping.tournament(stopping.now(self._site)),
            own=self._own(visit, tournament),
            others=self._others(visit, tournament),
            said=visit.asked("said"),
            **self._frame(visit, tournament, at),
        )

    def _overview(self, tournament: Tournament) -> Overview | None:
        """None while it is worked out for the first time: its page has more to show."""
        try:
            return self._site.rankings.overview(tournament, first=_PATIENCE)
        except NotReady:
            return None

    def _own(self, visit: Visit, tournament: Tournament) -> list[str]:
        """The names of the visitor's bots that could be entered."""
        if visit.visitor.author is None or not tournament.entry_open:
            return []
        bots = self._store.roster.own(visit.visitor.author)
        return [bot.bot for bot in bots if tournament.game in bot.games]

    def _others(self, visit: Visit, tournament: Tournament) -> list[str]:
        """The names that an organiser who enters somebody's bot is offered."""
        if not (visit.visitor.runs(tournament) and tournament.entry_open):
            return []
        return planning.by_rank(self._site, tournament.game)[: planning.MOST]

    def saved(self, visit: Visit) -> Response:
        """The same, as a file."""
        tournament = self._site.tournament(visit)
        found = self._site.rankings.overview(tournament)
        return tables.as_json(documents.tournament(found), f"tournament-{tournament.name}")

    def export(self, visit: Visit) -> Response:
        """The whole tournament, to be verified elsewhere."""
        tournament = self._site.tournament(visit)
        if not _EXPORTS.acquire(timeout=20):
            raise Refused(503, "Others are being written just now: try again in a minute.")
        # Closed by whoever sends it, or when nobody does any more.
        file = tempfile.TemporaryFile(prefix="arena-export-")  # noqa: SIM115
        try:
            export.export_zip(self._store, tournament.name, file)
        finally:
            _EXPORTS.release()
        file.seek(0)
        headers = {"Content-Disposition": 'attachment; filename="tournament.zip"'}
        return StreamingResponse(_pieces(file), media_type="application/zip", headers=headers)

    # Its ranking

    def board(self, visit: Visit) -> Board:
        """Its ranking."""
        tournament = self._site.tournament(visit)
        found = self._site.rankings.overview(tournament)
        return Board(
            tournament.name,
            addresses.tournament(tournament.name),
            found.table,
            "tournament_frame.html",
            self._frame(visit, tournament, found.progress),
        )

    def _frame(self, visit: Visit, tournament: Tournament, at: Progress) -> dict[str, Any]:
        return {
            "tournament": tournament,
            "at": at,
            "base": addresses.tournament(tournament.name),
            "runs": visit.visitor.runs(tournament),
        }

    # Its matches

    def matches(self, visit: Visit) -> Response:
        """A part of its schedule."""
        tournament = self._site.tournament(visit)
        status = visit.asked("status")
        if status and status not in _STATUSES:
            raise Refused(404, NOWHERE)
        after = _key(visit.asked("after"))
        at = self._site.rankings.progress(tournament)
        found = (
            self._store.pages.matches(
                tournament.id, after=after, most=tables.SIZE + 1, status=_STATUSES.get(status)
            )
            if _count(at, status)
            else []
        )
        shown = found[: tables.SIZE]
        last = shown[-1].key if len(found) > tables.SIZE else None
        return self._site.page(
            visit,
            "matches.html",
            title=f"Matches of {tournament.name}",
            shown=self.scheduled(tournament, shown),
            which=status,
            by_position=_by_position(tournament),
            playing=self._site.playing(tournament),
            pager=tables.Pager(
                tables.same_with(visit, after=None) if after else None,
                tables.same_with(visit, after=f"{last.block}.{last.rotation}") if last else None,
                f"Block {shown[0].key.block} to {shown[-1].key.block}" if shown else "",
            ),
            csv=tables.same_with(visit, f"{addresses.tournament(tournament.name)}/matches.csv"),
            json=tables.same_with(visit, f"{addresses.tournament(tournament.name)}/matches.json"),
            **self._frame(visit, tournament, at),
        )

    def matches_saved(self, visit: Visit) -> Response:
        """This part of its schedule, as a file; the export has all of it."""
        tournament = self._site.tournament(visit)
        status = _STATUSES.get(visit.asked("status"))
        after = _key(visit.asked("after"))
        found = self._store.pages.matches(
            tournament.id, after=after, most=tables.SIZE, status=status
        )
        rows = [
            documents.match(tournament, each.match, each.result, released=each.released)
            for each in self.scheduled(tournament, found)
        ]
        name = f"matches-{tournament.name}"
        if tables.kind(visit) == "json":
            return tables.as_json({"of": tournament.name, "matches": rows}, name)
        flat = [{**row, "bots": " ".join(row["bots"])} for row in rows]
        columns = ("match", "block", "rotation", "status", "attempts", "bots", "released")
        return tables.as_csv(flat, columns, name)

    def scheduled(self, tournament: Tournament, found: Sequence[StoredMatch]) -> list[Scheduled]:
        """All that is known of some matches that follow each other."""
        done = [match.key.block for match in found if match.status is MatchStatus.DONE]
        if not done:
            return [Scheduled(match, None, released=False) for match in found]
        secret = self._store.pages.secret_blocks(tournament.id, (done[0], done[-1]))
        results = {
            result.match_id: result
            for result in self._store.pages.results(tournament.id, done[0], done[-1])
        }
        return [
            Scheduled(
                match,
                results.get(match.id),
                released=match.id in results and match.key.block not in secret,
            )
            for match in found
        ]

    def match(self, visit: Visit) -> Response:
        """One match, and how it came out."""
        tournament = self._site.tournament(visit)
        match = self._store.match(tournament.id, visit.part("match"))
        done = match.status is MatchStatus.DONE
        return self._site.page(
            visit,
            "match.html",
            title=f"Match {match.id}",
            match=match,
            result=self._store.result(tournament.id, match.id) if done else None,
            released=done and seeing.is_released(self._store, tournament, match.id),
            by_position=_by_position(tournament),
            playing=match.id in self._site.playing(tournament).in_play,
            timer=tournament.timers.get("turn"),
            **self._frame(visit, tournament, self._site.rankings.progress(tournament)),
        )


def _by_position(tournament: Tournament) -> dict[int, Entry]:
    return {entry.position: entry for entry in tournament.entries}


def _count(at: Progress, status: str) -> int:
    """How many matches stand so: to look for none of a million takes long."""
    counts = {"done": at.done, "pending": at.pending, "hole": at.holes, "annulled": at.annulled}
    return counts.get(status, at.matches)


def _key(asked: str) -> MatchKey | None:
    """Behind which match a part of a schedule begins. Raises Refused."""
    block, dot, rotation = asked.partition(".")
    if not asked:
        return None
    if not (dot and block.isdecimal() and rotation.isdecimal() and len(asked) < 18):
        raise Refused(400, "This list's address is none of ours.")
    return MatchKey(int(block), int(rotation))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
