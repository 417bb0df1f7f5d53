"""Where a person chooses whom to play, and finds what was played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app.conducting.inviting import Opponent
from arena.app.conducting.people import People
from arena.app.rankings.cache import NotReady
from arena.app.rankings.table import Ranked
from arena.games import Game
from arena.store import NotFound, PersonMatch
from arena.web import tables
from arena.web.addresses import with_query
from arena.web.failures import BESIDE_A_FORM, Refused, failure
from arena.web.playing import wishes
from arena.web.sentences import told
from arena.web.site import Site, onward
from arena.web.viewing import LANGUAGES
from arena.web.visits import Visit
from arena.web.words import LANGUAGE_NAMES, speaker

_SIZE: Final = 20
"""How many matches stand on a page."""

_MOST: Final = 100
"""How many ranked bots there are to choose from, the best ones."""

_PATIENCE: Final = 0.5
"""Seconds for which this page waits for a ranking; without it nothing is missing but the ranks."""

NOBODY_PLAYS: Final = "Nothing plays here: start the arena with `arena serve`."


@dataclass(frozen=True, slots=True)
class Choices:
    """Bots of a kind, to choose one from."""

    #: In English.
    kind: str
    #: By what a form says, what a person reads.
    bots: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the person's."""

    match: PersonMatch
    #: The best first: rank, name, total, and whether it is the person's own seat.
    seats: Sequence[tuple[int | None, str, int | None, bool]]


def routes(site: Site) -> Sequence[BaseRoute]:
    """These pages."""
    lobby = Lobby(site)
    door = site.door
    return [
        Route("/play", door.shows(lobby.page, anybody=True)),
        Route(
            "/play", door.changes(lobby.sit_down, "Pages/SitDown", about="game"), methods=["POST"]
        ),
    ]


def house(site: Site) -> People:
    """What people play at. Raises Refused."""
    if site.conductor is None:
        raise Refused(409, NOBODY_PLAYS)
    return site.conductor.people


class Lobby:
    """Chooses and finds matches."""

    def __init__(self, site: Site) -> None:
        """Play on what `site` has."""
        self._site = site

    def page(self, visit: Visit) -> Response:
        """Whom to play, and what was played."""
        return self._page(visit, visit.asked("game"), visit.asked("lang"))

    async def sit_down(self, visit: Visit) -> Response:
        """Begin a match; a wish that can't be is told beside the form."""
        people, author = house(self._site), visit.visitor.author or ""
        language = visit.asked("lang")
        try:
            id_ = await people.sit_down(wishes.filled(visit), author)
        except BESIDE_A_FORM as error:
            failed = failure(error, "")
            return await self._site.door.run(
                lambda: self._page(
                    visit,
                    visit.filled("game"),
                    language,
                    status=failed.status,
                    wrong=failed.sentence,
                )
            )
        return onward(f"/play/{id_}", lang=language)

    def _page(
        self, visit: Visit, game_id: str, language: str, *, status: int = 200, wrong: str = ""
    ) -> Response:
        game = wishes.game_of(game_id)
        languages = LANGUAGES.get(game.id, ("en",))
        if language not in languages:
            language = "en"
        lang = "" if language == "en" else language
        context: dict[str, Any] = {
            "language": language,
            "lang": lang,
            "languages": languages,
            "language_names": LANGUAGE_NAMES,
            "game": game.id,
            "seats": game.seats,
            "wrong": told(language, wrong),
            "told": partial(told, language),
            "here": with_query("/play", game=game.id, lang=lang),
        }
        if visit.visitor.author is not None:
            context |= self._own(visit, visit.visitor.author, game)
        return self._site.page(
            visit,
            "play.html",
            title=speaker(language)("Play against the bots"),
            status=status,
            **context,
        )

    def _own(self, visit: Visit, author: str, game: Game) -> dict[str, Any]:
        """What a person who is signed in is shown."""
        people = house(self._site)
        choices = self._choices(people, game, author)
        bots = [value for each in choices for value, _ in each.bots]
        found = people.mine(author, before=visit.asked("before") or None, size=_SIZE + 1)
        return {
            "filled": visit.filled,
            "minutes": f"{people.house.budget / 60:g}",
            "choices": choices,
            "chosen": _chosen(visit, game, bots),
            "at_table": _at_table(people, author),
            "shown": [_played(match) for match in found[:_SIZE]],
            "older": tables.same_with(visit, "/play", before=found[_SIZE - 1].id)
            if len(found) > _SIZE
            else "",
            "said": visit.asked("said"),
        }

    def _choices(self, people: People, game: Game, author: str) -> list[Choices]:
        """Whom there is to play."""
        ranked = self._ranked(game)
        ranks = {f"{row.version.bot}:{row.version.number}": row.rank for row in ranked or ()}
        # There may be thousands of others, and only the best are shown.
        best = None if ranked is None else {row.version.bot for row in ranked[: 2 * _MOST]}
        kinds: dict[str, list[Opponent]] = {"Sample bots": [], "Your bots": [], "Ranked bots": []}
        for each in people.opponents(game.id, author, best):
            kind = "Your bots" if each.own else "Ranked bots" if each.author else "Sample bots"
            kinds[kind].append(each)
        kinds["Ranked bots"].sort(key=lambda each: ranks.get(each.id, 1_000_000))
        del kinds["Ranked bots"][_MOST:]
        return [
            Choices(kind, [(each.id, _label(each, ranks)) for each in bots])
            for kind, bots in kinds.items()
            if bots
        ]

    def _ranked(self, game: Game) -> Sequence[Ranked] | None:
        """The best first; None while that is worked out."""
        try:
            return self._site.rankings.ranking(game.id, first=_PATIENCE).ranked
        except NotReady:
            return None


def _at_table(people: People, author: str) -> PersonMatch | None:
    """What somebody plays at this moment, unless the person has left it."""
    for newest in people.mine(author, size=1):
        if not newest.state.ended:
            with suppress(NotFound):
                return None if people.table(newest.id, author).chair.left else newest
    return None


def _label(bot: Opponent, ranks: dict[str, int]) -> str:
    if not bot.author:
        return bot.bot
    rank = f"{ranks[bot.id]}. " if bot.id in ranks else ""
    by = "" if bot.own else f", {bot.author}"
    return f"{rank}{bot.bot} v{bot.version}{by}"


def _chosen(visit: Visit, game: Game, bots: Sequence[str]) -> dict[int, str]:
    """By place, what was filled in; at first so many bots as there must be, and one more."""
    places = range(1, game.seats[-1])
    if visit.form:
        return {place: visit.filled(f"opponent{place}") for place in places}
    count = max(game.seats[0] - 1, 2)
    # The first one is the weakest.
    return {place: bots[place % len(bots)] if bots and place <= count else "" for place in places}


def _played(match: PersonMatch) -> Played:
    result = match.result
    seats = [
        (
            result.ranks[seat] if result else None,
            bot.bot if bot else "",
            result.totals[seat] if result else None,
            bot is None,
        )
        for seat, bot in enumerate(match.bots)
    ]
    return Played(match, sorted(seats, key=lambda seat: seat[0] or 0))
