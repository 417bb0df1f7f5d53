"""A person's table: the page, what happens there as events, the answers, and leaving."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import Any, Final

from sse_starlette import EventSourceResponse
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arena.app.conducting.people import Draining, LiveTable
from arena.match.replay import Line
from arena.store import NotFound, PersonMatch, Role
from arena.tournament.broadcast import Cut
from arena.tournament.chair import Asked
from arena.web import sentences, stopping
from arena.web.addresses import with_query
from arena.web.failures import NOWHERE, Refused
from arena.web.playing import wishes
from arena.web.playing.lobby import house
from arena.web.playing.words import words
from arena.web.site import Site, onward
from arena.web.stopping import End, next_of
from arena.web.viewer import picture
from arena.web.viewer.position import Position
from arena.web.viewer.steps import Stepper
from arena.web.viewing import LANGUAGES, language_of
from arena.web.visits import Visit
from arena.web.words import LANGUAGE_NAMES, speaker

_PATH: Final = "/play/{id:name}"

_BEHIND: Final = 0.03
"""Seconds for which a question waits for the lines that were written before it was asked."""

_RECORDED: Final = 10.0
"""Seconds within which it is in the store how a match ended."""

_LONGEST: Final = 1000
"""Letters of an answer."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """The pages of one table."""
    pages = Tables(site)
    door = site.door
    return [
        Route(_PATH, door.shows(pages.page, role=Role.AUTHOR)),
        Route(f"{_PATH}/events", door.streams(pages.events, role=Role.AUTHOR)),
        Route(f"{_PATH}/answer", door.changes(pages.answer, None), methods=["POST"]),
        Route(
            f"{_PATH}/leave",
            door.changes(pages.leave, "Pages/LeaveTable", about="id"),
            methods=["POST"],
        ),
    ]


class Tables:
    """Shows matches to those who play in them."""

    def __init__(self, site: Site) -> None:
        """Play on what `site` has."""
        self._site = site

    def page(self, visit: Visit) -> Response:
        """The table; once the match has ended, its replay."""
        match = self._match(visit)
        if match.state.ended:
            if match.replay:
                return onward(_replay(visit, match))
            return onward("/play", game=match.game, lang=_lang(visit, match))
        with suppress(NotFound):
            # Whoever goes back in the browser doesn't come back to a match that was left.
            if house(self._site).table(match.id, match.author).chair.left:
                return onward("/play", game=match.game, lang=_lang(visit, match))
        language, lang = language_of(visit, match.game), _lang(visit, match)
        others = [bot.bot for bot in wishes.others(match)]
        opponents = house(self._site).opponents(match.game, match.author, others)
        return self._site.page(
            visit,
            "play_table.html",
            title=speaker(language)("Play against {0}", ", ".join(others)),
            language=language,
            lang=lang,
            languages=LANGUAGES.get(match.game, ()),
            language_names=LANGUAGE_NAMES,
            game=match.game,
            others=others,
            w=words(language, match.game),
            at=f"/play/{match.id}",
            query=with_query("", lang=lang),
            wish=wishes.again(match, opponents),
        )

    async def events(self, visit: Visit) -> Response:
        """What happens, from the first deal on, and what the person is asked."""
        self._site.streams.check(visit)
        match = await self._site.door.run(self._match, visit)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return EventSourceResponse(self._told(visit, match), ping=15, headers=headers)

    async def answer(self, visit: Visit) -> Response:
        """Answer a question; a refusal is one sentence."""
        number, said = visit.filled("number"), _read(visit.filled("action"))
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise Refused(400, "An answer has the number of its question.")
        await self._live(visit).answer(int(number), said)
        return JSONResponse({})

    async def leave(self, visit: Visit) -> Response:
        """Play no more."""
        table = self._live(visit)
        table.leave()
        return onward("/play", game=table.match.game, lang=visit.asked("lang"), said="left")

    async def _told(self, visit: Visit, match: PersonMatch) -> AsyncIterator[dict[str, str]]:
        with self._site.streams.one_more(visit):
            try:
                table = house(self._site).table(match.id, match.author)
            except NotFound:
                table = None
            if table is not None:
                coming = shown(table, match, language_of(visit, match.game))
                try:
                    async with aclosing(stopping.between(house(self._site), coming)) as all_:
                        async for event, told in all_:
                            yield _event(event, _left(told) if event == "draining" else told)
                except Cut as cut:
                    yield _event("cut", {"why": str(cut)})
                    return
            yield _event("over", await self._outcome(visit))

    async def _outcome(self, visit: Visit) -> dict[str, Any]:
        """How a match that is played no more ended, and where its replay is."""
        until = asyncio.get_running_loop().time() + _RECORDED
        while True:
            match = await self._site.door.run(self._match, visit)
            if match.state.ended or asyncio.get_running_loop().time() >= until:
                replay = _replay(visit, match) if match.replay else None
                why = sentences.told(language_of(visit, match.game), match.why)
                return {"replay": replay, "why": why}
            await asyncio.sleep(0.1)

    def _match(self, visit: Visit) -> PersonMatch:
        """The visitor's match that an address names; blocks. Raises Refused."""
        try:
            match = house(self._site).match(visit.part("id"), visit.visitor.seeing)
        except NotFound:
            raise Refused(404, NOWHERE) from None
        if match.author != visit.visitor.author and not match.state.ended:
            # Others who may see all see it once it is over: nobody looks into a hand.
            raise Refused(404, NOWHERE)
        return match

    def _live(self, visit: Visit) -> LiveTable:
        try:
            return house(self._site).table(visit.part("id"), visit.visitor.author or "")
        except NotFound:
            raise Refused(404, "This match is not being played any more.") from None


def _lang(visit: Visit, match: PersonMatch) -> str:
    """The language as an address says it: English is not said."""
    language = language_of(visit, match.game)
    return "" if language == "en" else language


def _replay(visit: Visit, match: PersonMatch) -> str:
    """Where the match's replay is, in the language in which it was played."""
    return with_query(f"/play/{match.id}/replay", lang=_lang(visit, match))


def _read(text: str) -> dict[str, Any]:
    try:
        said = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise Refused(400, "This is no answer.")
    return said


async def shown(
    table: LiveTable, match: PersonMatch, language: str
) -> AsyncGenerator[tuple[str, Any], None]:
    """What the script wants: the table, then each step and each question. Raises Cut."""
    stepper: Stepper | None = None
    before: Position | None = None
    async with aclosing(in_order(table.watch(), table.questions())) as coming:
        async for told in coming:
            if told is None or isinstance(told, Asked):
                yield "question", _question(told)
            elif stepper is None:
                stepper = Stepper(told, language)
                yield "table", _table(told, match, language)
            else:
                step = stepper.step(told)
                yield "step", step.as_json(before)
                before = step.position


async def in_order(
    lines: AsyncGenerator[Line, None], questions: AsyncGenerator[Asked | None, None]
) -> AsyncGenerator[Line | Asked | None, None]:
    """Both as they come, but a question after the lines that it is about; ends with the lines.

    Raises Cut.
    """
    line, begun = next_of(lines), False
    asked: asyncio.Future[Asked | End | None] = next_of(questions)
    try:
        while True:
            both: set[asyncio.Future[Any]] = {line, asked}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not line.done():
                await asyncio.wait({line}, timeout=_BEHIND if begun else None)
            if line.done():
                if isinstance(told := line.result(), End):
                    return
                yield told
                line, begun = next_of(lines), True
            elif isinstance(question := asked.result(), End):
                asked = asyncio.get_running_loop().create_future()
            else:
                yield question
                asked = next_of(questions)
    finally:
        for coming in (line, asked):
            coming.cancel()
        await asyncio.gather(line, asked, return_exceptions=True)
        await lines.aclose()
        await questions.aclose()


def _table(header: Line, match: PersonMatch, language: str) -> dict[str, Any]:
    told = picture.table(header, language)
    return {
        **told,
        "players": _named(told["players"], match),
        "seat": match.seat,
        "words": dict(words(language, match.game)),
    }


def _named(bots: Sequence[str], match: PersonMatch) -> list[str]:
    """What each seat is called: no two alike, and the person by name, which is in no line."""
    names = [bot if bots.count(bot) == 1 else f"{bot} {seat}" for seat, bot in enumerate(bots)]
    names[match.seat] = match.author
    return names


def _question(asked: Asked | None) -> dict[str, Any] | None:
    if asked is None:
        return None
    choices = asdict(asked.choices)
    return {
        **choices,
        "kind": asked.choices.kind.value,
        "number": asked.number,
        "left": asked.left,
        "all": asked.seconds,
    }


def _left(draining: Draining | None) -> dict[str, float | None] | None:
    return None if draining is None else {"left": draining.left}


def _event(name: str, told: Any) -> dict[str, str]:
    return {"event": name, "data": json.dumps(told, separators=(",", ":"))}
