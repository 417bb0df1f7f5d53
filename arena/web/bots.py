"""Bots and their versions: what they have played, and what that tells of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from arena.app.rankings.careers import MOST, STEPS, Career, Times, career
from arena.app.tournaments import kept_matches
from arena.sandbox.logs import escaped
from arena.store import BotVersion, Role, StoredSubmission
from arena.store.careers import Appearance, Outing
from arena.web import addresses, tables
from arena.web.boards import MOMENTS
from arena.web.bot_ratings import history, ratings
from arena.web.failures import NOWHERE, Refused
from arena.web.pictures import Column
from arena.web.site import Site, onward
from arena.web.visits import Visit

_SHOWN: Final = 20
_PER_PAGE: Final = 50
_OUTING: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}")


def routes(site: Site) -> Sequence[BaseRoute]:
    """All pages of bots."""
    pages = _Bots(site)
    shows, changes = site.door.shows, site.door.changes
    at = "/bots/{bot:name}"
    log = "/tournaments/{name:name}/matches/{match:name}/log/{seat:int}"
    return [
        Route("/bots", shows(pages.all)),
        Route(at, shows(pages.one)),
        Route(f"{at}/matches", shows(pages.matches)),
        Route(f"{at}/tournaments", shows(pages.tournaments)),
        Route(f"{at}/submissions", shows(pages.submissions, role=Role.AUTHOR)),
        Route(f"{at}/career.{{kind}}", shows(pages.saved)),
        Route(f"{at}/history/{{game}}.{{kind}}", shows(pages.history)),
        Route(f"{at}/retire", changes(pages.retire, "Pages/RetireBot", about="bot"),
              methods=["POST"]),
        Route(f"{at}/{{number:int}}", shows(pages.version)),
        Route(log, shows(pages.log, role=Role.AUTHOR)),
    ]  # fmt: skip


class _Bots:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = site.store

    def all(self, visit: Visit) -> Response:
        """All bots, by name."""
        author, after = visit.asked("author"), visit.asked("after")
        query = visit.asked("q").lower()
        found = self._store.roster.page(
            author=author or None, after=after or None, size=_PER_PAGE + 1, containing=query
        )
        shown = found[:_PER_PAGE]
        more = shown[-1].name if len(found) > _PER_PAGE else None
        return self._site.page(
            visit,
            "bots.html",
            title="Bots",
            shown=shown,
            author=author,
            query=query,
            pager=tables.Pager(
                tables.same_with(visit, after=None) if after else None,
                tables.same_with(visit, after=more) if more else None,
                f"{shown[0].name} to {shown[-1].name}" if shown else "",
            ),
        )

    def one(self, visit: Visit) -> Response:
        """A bot, all its versions together."""
        versions = self._store.versions(visit.part("bot"))
        return self._shown(visit, versions, versions)

    def version(self, visit: Visit) -> Response:
        """One version of a bot."""
        return self._shown(visit, *self._one_of(visit, visit.request.path_params["number"]))

    def _one_of(self, visit: Visit, number: int) -> tuple[list[BotVersion], list[BotVersion]]:
        versions = self._store.versions(visit.part("bot"))
        one = [version for version in versions if version.number == number]
        if not one:
            raise Refused(404, NOWHERE)
        return versions, one

    def _shown(
        self, visit: Visit, versions: Sequence[BotVersion], meant: Sequence[BotVersion]
    ) -> Response:
        newest = versions[-1]
        found = self._career(visit, meant)
        number = meant[0].number if len(meant) < len(versions) or len(versions) == 1 else None
        who = visit.visitor
        owned = who.owns(newest.author)
        rated = ratings(self._site, meant, number)
        return self._site.page(
            visit,
            "bot.html",
            title=newest.bot if number is None else f"{newest.bot} v{number}",
            chart=any(each.history for each in rated),
            rated=rated,
            moments=MOMENTS,
            bot=newest.bot,
            author=newest.author,
            versions=versions[::-1],
            meant=meant[-1],
            number=number,
            career=found,
            opponents=tables.part(visit, list(found.opponents.items())),
            recent=found.matches[:_SHOWN],
            most=MOST,
            moves=_histogram(found.times, _timer(found)),
            timer=_timer(found),
            appearances=self._appearances(visit, newest.bot, _SHOWN + 1),
            most_appearances=_SHOWN,
            owned=owned,
            submissions=self._submissions(versions, number) if owned else (),
            said=visit.asked("said"),
            csv=_with(addresses.bot(newest.bot) + "/career.csv", number),
            json=_with(addresses.bot(newest.bot) + "/career.json", number),
        )

    def _submissions(
        self, versions: Sequence[BotVersion], number: int | None
    ) -> list[StoredSubmission]:
        """The newest of a bot, or of one of several versions: of the only one all are shown."""
        one = number if len(versions) > 1 else None
        return self._store.submissions.of_bot(versions[0].bot, one, size=_SHOWN)

    def _appearances(self, visit: Visit, bot: str, most: int | None) -> list[tuple[str, int]]:
        who = visit.visitor
        return self._store.roster.appearances(bot, who.author, everything=who.admin, most=most)

    def _career(self, visit: Visit, meant: Sequence[BotVersion]) -> Career:
        ids = [version.id for version in meant]
        return career(self._store, self._store.careers.latest(ids, visit.visitor.seeing, most=MOST))

    def matches(self, visit: Visit) -> Response:
        """All that a bot has played, in parts."""
        versions = self._store.versions(visit.part("bot"))
        before = visit.asked("before")
        if before and not _OUTING.fullmatch(before):
            raise Refused(400, "This list's address is none of ours.")
        found = self._store.careers.latest(
            [version.id for version in versions],
            visit.visitor.seeing,
            most=_PER_PAGE + 1,
            before=Outing(*map(int, before.split("."))) if before else None,
        )
        shown = found[:_PER_PAGE]
        more = ".".join(map(str, shown[-1].at)) if len(found) > _PER_PAGE else None
        return self._site.page(
            visit,
            "bot_matches.html",
            title=f"Matches of {versions[0].bot}",
            bot=versions[0].bot,
            shown=shown,
            owned=visit.visitor.owns(versions[0].author),
            pager=tables.Pager(
                tables.same_with(visit, before=None) if before else None,
                tables.same_with(visit, before=more) if more else None,
                "The newest first",
            ),
        )

    def tournaments(self, visit: Visit) -> Response:
        """All in which a bot plays, in parts."""
        bot = self._store.roster.bot(visit.part("bot")).name
        return self._site.page(
            visit,
            "bot_tournaments.html",
            title=f"Tournaments of {bot}",
            bot=bot,
            part=tables.part(visit, self._appearances(visit, bot, None)),
        )

    def submissions(self, visit: Visit) -> Response:
        """All that was handed in of a bot, in parts: for its author and admins."""
        bot, before = visit.part("bot"), visit.asked("before") or None
        if not visit.visitor.owns(self._store.roster.owner(bot)):
            raise Refused(404, NOWHERE)
        found = self._store.submissions.of_bot(bot, before=before, size=_PER_PAGE + 1)
        shown = found[:_PER_PAGE]
        more = shown[-1].id if len(found) > _PER_PAGE else None
        return self._site.page(
            visit,
            "bot_submissions.html",
            title=f"Submissions of {bot}",
            bot=bot,
            shown=shown,
            pager=tables.Pager(
                tables.same_with(visit, before=None) if before else None,
                tables.same_with(visit, before=more) if more else None,
                "The newest first",
            ),
        )

    def saved(self, visit: Visit) -> Response:
        """The figures of a bot or a version, as a file: JSON has all, CSV its matches."""
        meant = self._asked(visit)
        found = self._career(visit, meant)
        name = f"bot-{meant[0].bot}"
        rows = [_row(each) for each in found.matches]
        if tables.kind(visit) == "csv":
            return tables.as_csv(rows, list(rows[0]) if rows else ("match",), name)
        return tables.as_json(_document(meant[0].bot, found, rows), name)

    def history(self, visit: Visit) -> Response:
        """How a bot or a version came to its rating in a game, as a file."""
        return history(self._site, self._asked(visit), visit.part("game"), tables.kind(visit))

    def _asked(self, visit: Visit) -> list[BotVersion]:
        """The versions that a file is of: the one that is asked for, or all. Raises Refused."""
        asked = visit.asked("version")
        versions = self._store.versions(visit.part("bot"))
        meant = [each for each in versions if not asked or str(each.number) == asked]
        if not meant:
            raise Refused(404, NOWHERE)
        return meant

    async def retire(self, visit: Visit) -> Response:
        """Take versions out of what can be entered."""
        name, number = visit.part("bot"), visit.filled("version")
        await self._site.door.run(self._retire, visit, name, number)
        return onward(addresses.bot(name), said="retired")

    def _retire(self, visit: Visit, name: str, number: str) -> None:
        if not visit.visitor.owns(self._store.roster.owner(name)):
            raise Refused(404, NOWHERE)
        self._store.roster.retire(name, int(number) if number.isdecimal() else None)

    def log(self, visit: Visit) -> Response:
        """What a bot printed in a match: for its author and the tournament's organiser."""
        tournament = self._site.tournament(visit)
        match = self._store.match(tournament.id, visit.part("match"))
        seat = visit.request.path_params["seat"]
        if seat >= len(match.seating):
            raise Refused(404, NOWHERE)
        entry = next(e for e in tournament.entries if e.position == match.seating[seat])
        if not (visit.visitor.owns(entry.version.author) or visit.visitor.runs(tournament)):
            raise Refused(404, NOWHERE)
        _, log = kept_matches.seat_log(self._store, tournament, match.id, seat)
        return as_log(log)


def as_log(log: bytes) -> Response:
    """A log as plain text, in which nothing can upset whoever reads it."""
    text = escaped(log.decode(errors="replace"))
    return PlainTextResponse(text, headers={"Cache-Control": "private, no-store"})


def _with(path: str, version: int | None) -> str:
    return addresses.with_query(path, version=version)


def _timer(found: Career) -> float | None:
    """The time for a turn in its newest match, in seconds."""
    return found.matches[0].timer if found.matches else None


def _histogram(times: Times | None, timer: float | None) -> dict[str, Any] | None:
    """The columns of move times, and before which of them the turn timer lies."""
    if times is None:
        return None
    labels = [f"< {_short(step)}" for step in STEPS] + ["more"]
    columns = [Column(label, count) for label, count in zip(labels, times.counts, strict=True)]
    limit = None if timer is None else sum(step <= 1000 * timer for step in STEPS) + 1
    return {"columns": columns, "limit": min(limit, len(columns)) if limit else None}


def _short(milliseconds: int) -> str:
    return f"{milliseconds // 1000} s" if milliseconds >= 1000 else f"{milliseconds} ms"


def _row(each: Appearance) -> dict[str, Any]:
    return {
        "tournament": each.tournament,
        "match": each.match_id,
        "game": each.game,
        "version": each.version,
        "seat": each.seat,
        "rank": each.rank,
        "points": each.points,
        "against": " ".join(f"{fellow.bot}:{fellow.version}" for fellow in each.fellows),
        "outcome": each.outcome,
        "faults": " ".join(fault.kind for fault in each.faults),
        "charged_ms": each.charged_ms,
        "slowest_ms": each.slowest_ms,
    }


def _document(bot: str, found: Career, rows: list[dict[str, Any]]) -> dict[str, Any]:
    def record(of: Any) -> dict[str, Any]:
        return {"matches": of.matches, "met": of.met, "beaten": of.beaten}

    times = found.times
    return {
        "bot": bot,
        "opponents": [
            {"bot": name, "version": version, **record(of)}
            for (name, version), of in found.opponents.items()
        ],
        "seats": [{"seat": seat, **record(of)} for seat, of in found.seats.items()],
        "table_sizes": [{"size": size, **record(of)} for size, of in found.table_sizes.items()],
        "faults": [
            {"kind": each.kind, "count": each.count, "matches": each.matches}
            for each in found.faults
        ],
        "move_times": None
        if times is None
        else {"upper_ms": list(STEPS), "counts": list(times.counts), "replays": times.replays},
        "matches": rows,
    }
