"""The replay of a match that a person played: in the viewer, and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.match import replay
from arena.store import NotFound, PersonMatch, Role
from arena.web.failures import NOWHERE, Refused
from arena.web.playing.lobby import house
from arena.web.site import Site
from arena.web.viewer.words import words
from arena.web.viewing import LANGUAGES, Looked, language_of, look, packed_json, replay_file
from arena.web.visits import Visit

_KEPT: Final = 16
_PATH: Final = "/play/{id:name}/replay"


def routes(site: Site) -> Sequence[BaseRoute]:
    """The replay's page, what its script reads, and the replay's file."""

    @lru_cache(_KEPT)
    def looked(key: str, person: str, language: str) -> Looked:
        return look(list(replay.unpack(site.store.blob(key))), language, person=person)

    def found(visit: Visit) -> tuple[PersonMatch, str]:
        """A match of which there is a replay, and its key."""
        try:
            match = house(site).match(visit.part("id"), visit.visitor.seeing)
        except NotFound:
            raise Refused(404, NOWHERE) from None
        if match.replay is None:
            raise Refused(404, "There is no replay of this match.")
        return match, match.replay

    def shown(visit: Visit) -> Response:
        match, key = found(visit)
        language = language_of(visit, match.game)
        made = looked(key, match.author, language)
        return site.page(
            visit,
            "play_replay.html",
            title=f"Replay of match {match.id}",
            language=language,
            languages=LANGUAGES.get(match.game, ()),
            tournament={"game": match.game},
            result={"match_id": match.id},
            found=made,
            by_rank=sorted(range(len(match.bots)), key=made.result["ranks"].__getitem__),
            w=words(language, match.game),
            at=f"/play/{match.id}/replay",
        )

    def steps(visit: Visit) -> Response:
        match, key = found(visit)
        language = language_of(visit, match.game)
        return packed_json(visit, looked(key, match.author, language).packed)

    def file(visit: Visit) -> Response:
        match, key = found(visit)
        return replay_file(match.id, site.store.blob(key))

    return [
        Route(_PATH, site.door.shows(shown, role=Role.AUTHOR)),
        Route(f"{_PATH}/steps.json", site.door.shows(steps, role=Role.AUTHOR)),
        Route(f"{_PATH}/file", site.door.shows(file, role=Role.AUTHOR)),
    ]
