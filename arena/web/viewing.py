"""The replay of a match: to step through, to read as a table, to take along."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.tournaments import seeing
from arena.app.tournaments.replays import SUFFIX
from arena.match import replay
from arena.match.replay import Line
from arena.match.verify import Verdict, verify
from arena.store import NotFound, StoredResult, Tournament
from arena.web import addresses
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site
from arena.web.viewer import picture
from arena.web.viewer.words import words
from arena.web.visits import Visit

LANGUAGES: Final = {"claim": ("en", "ro")}
"""By game, the languages that its viewer speaks; others speak English alone."""

_KEPT: Final = 32
_PATH: Final = "/tournaments/{name:name}/matches/{match:name}/replay"


@dataclass(frozen=True, slots=True)
class Looked:
    """A replay made ready to be shown."""

    header: Line
    result: Line
    verdict: Verdict
    rounds: Sequence[picture.RoundRows]
    #: What the script reads: JSON, packed with gzip.
    packed: bytes


def look(lines: Sequence[Line], language: str, *, person: str = "") -> Looked:
    """Make a whole replay ready; `person` is what whoever played in it is called."""
    verdict = verify(lines)
    if person:
        lines = [_called(lines[0], person), *lines[1:]]
    told = json.dumps(picture.data(lines, language), separators=(",", ":"))
    return Looked(
        header=lines[0],
        result=lines[-1],
        verdict=verdict,
        rounds=tuple(picture.rounds(lines, language)),
        packed=gzip.compress(told.encode(), mtime=0),
    )


def _called(header: Line, person: str) -> Line:
    """A header with a person's name, which is in no replay: others may see that."""
    seats = [{**seat, "bot": person} if seat.get("person") else seat for seat in header["seats"]]
    return {**header, "seats": seats}


def language_of(visit: Visit, game: str) -> str:
    """The language that is asked for, if the game is told in it."""
    asked = visit.asked("lang")
    return asked if asked in LANGUAGES.get(game, ()) else "en"


def viewer_address(tournament: str, match: str, what: str = "") -> str:
    """Where a match's replay is, or something of it, like `file`."""
    return f"{addresses.match(tournament, match)}/replay{what and '/' + what}"


def routes(site: Site) -> Sequence[BaseRoute]:
    """The replay's page, what its script reads, and the replay's file."""

    @lru_cache(_KEPT)
    def looked(key: str, language: str) -> Looked:
        return look(list(replay.unpack(site.store.blob(key))), language)

    def shown(visit: Visit) -> Response:
        tournament, result = released(site, visit)
        language = language_of(visit, tournament.game)
        found = looked(result.replay, language)
        return site.page(
            visit,
            "replay.html",
            title=f"Replay of match {result.match_id}",
            language=language,
            languages=LANGUAGES.get(tournament.game, ()),
            tournament=tournament,
            result=result,
            found=found,
            by_rank=sorted(range(tournament.table_size), key=found.result["ranks"].__getitem__),
            w=words(language, tournament.game),
            at=viewer_address(tournament.name, result.match_id),
        )

    def steps(visit: Visit) -> Response:
        tournament, result = released(site, visit)
        packed = looked(result.replay, language_of(visit, tournament.game)).packed
        return packed_json(visit, packed)

    def file(visit: Visit) -> Response:
        _, result = released(site, visit)
        return replay_file(result.match_id, site.store.blob(result.replay))

    return [
        Route(_PATH, site.door.shows(shown)),
        Route(f"{_PATH}/steps.json", site.door.shows(steps)),
        Route(f"{_PATH}/file", site.door.shows(file)),
    ]


def released(site: Site, visit: Visit) -> tuple[Tournament, StoredResult]:
    """The match that an address names, if its replay may be shown to the visitor. Raises Refused.

    A replay shows all cards, and others of its block may still be playing with them.
    """
    tournament = site.tournament(visit)
    try:
        result = site.store.result(tournament.id, visit.part("match"))
    except NotFound:
        raise Refused(404, NOWHERE) from None
    if not seeing.is_released(site.store, tournament, result.match_id):
        raise Refused(
            409, "This replay can be seen once all matches on the same deals have been played."
        )
    return tournament, result


def replay_file(match_id: str, packed: bytes) -> Response:
    """A replay to be saved."""
    name = f'attachment; filename="{match_id}{SUFFIX}"'
    return Response(packed, media_type="application/zstd", headers={"Content-Disposition": name})


def packed_json(visit: Visit, packed: bytes) -> Response:
    """What a viewer's script reads, packed if its browser unpacks it."""
    headers: dict[str, Any] = {"Vary": "Accept-Encoding, Cookie"}
    if "gzip" in visit.request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(packed, media_type="application/json", headers=headers)
    return Response(gzip.decompress(packed), media_type="application/json", headers=headers)
