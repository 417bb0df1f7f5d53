"""What every page is made from and with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.app.conducting.conductor import Conductor
from arena.app.rankings.cache import RankingCache
from arena.app.tournaments import seeing
from arena.app.tournaments.live import Playing
from arena.store import NotFound, Store, Tournament
from arena.web.addresses import with_query
from arena.web.assets import Assets
from arena.web.door import WORD, Door, set_cookie
from arena.web.failures import NOWHERE, Refused
from arena.web.guarding import CHART_POLICY
from arena.web.sessions import Sessions
from arena.web.streams import Streams
from arena.web.visits import Slowing, Visit
from arena.web.words import speaker


@dataclass(frozen=True, slots=True)
class Site:
    """Made once, handed to each kind of pages."""

    store: Store
    #: What plays and builds; None where nothing does, as in an archive that is only looked at.
    conductor: Conductor | None
    rankings: RankingCache
    door: Door
    sessions: Sessions
    #: Slows down whoever tries tokens.
    wrong_tokens: Slowing
    #: The largest archive that may be handed in, in bytes.
    upload_bytes: int
    #: How many submissions of one author may be under way.
    unfinished: int
    templates: Environment
    assets: Assets
    #: The pages that follow what happens.
    streams: Streams = field(default_factory=Streams)

    def page(
        self,
        visit: Visit,
        template: str,
        *,
        title: str,
        status: int = 200,
        language: str = "en",
        chart: bool = False,
        form: bool = False,
        **context: Any,
    ) -> Response:
        """Make a page. With `form` it has forms also for those who aren't signed in."""
        session, cookie = visit.session, ""
        if form and session is None:
            session, cookie = self.sessions.begin(None)
        content = self.templates.get_template(template).render(
            context,
            title=title,
            visit=visit,
            visitor=visit.visitor,
            path=visit.path,
            language=language,
            say=speaker(language),
            chart=chart,
            word=self.sessions.word(session) if session else "",
            word_field=WORD,
        )
        answer = HTMLResponse(content, status)
        answer.headers["Vary"] = "Cookie"
        if visit.visitor.author is not None or cookie:
            answer.headers["Cache-Control"] = "private, no-cache"
        if chart:
            answer.headers["Content-Security-Policy"] = CHART_POLICY
        if cookie:
            set_cookie(visit.request, answer, cookie)
        return answer

    def tournament(self, visit: Visit, name: str | None = None) -> Tournament:
        """The tournament that an address names, if the visitor may see it. Blocks.

        Raises Refused with the same sentence whether it isn't there or isn't shown.
        """
        try:
            found = self.rankings.tournament(name or visit.part("name"))
        except NotFound:
            raise Refused(404, NOWHERE) from None
        if not seeing.may_see(found, visit.visitor.seeing):
            raise Refused(404, NOWHERE)
        return found

    async def changed(self, tournament: Tournament) -> None:
        """Let whoever ranks or plays a tournament know that it was changed."""
        self.rankings.forget(tournament)
        if self.conductor is not None:
            await self.conductor.changed(tournament.name)

    def playing(self, tournament: Tournament) -> Playing:
        """What is being done about a tournament at this moment; nothing where nothing plays."""
        return Playing() if self.conductor is None else self.conductor.playing(tournament.id)


def onward(path: str, **query: object) -> Response:
    """Send a visitor on, after a form."""
    answer = RedirectResponse(with_query(path, **query), status_code=303)
    answer.headers["Cache-Control"] = "no-store"
    return answer
