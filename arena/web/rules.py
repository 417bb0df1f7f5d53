"""The rules of the games, with their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.app import rulebook
from arena.app.pictures import claim_pictures
from arena.games import GAMES
from arena.web import addresses
from arena.web.failures import NOWHERE, Refused
from arena.web.site import Site, onward
from arena.web.visits import Visit

_PICTURED: Final = {"claim": ("deal", "turn", "claim", "scoring", "end")}
"""By game, its pictures."""

_BEHIND: Final = {"deal": 2, "turn": 3, "claim": 4, "scoring": 4, "end": 6}
"""At the end of which part each stands; the first one is what comes before the first heading."""


def routes(site: Site) -> Sequence[BaseRoute]:
    """All pages of rules."""
    pages = _Rules(site)
    shows = site.door.shows
    at = "/rules/{game:name}"
    return [
        Route("/rules", shows(pages.all)),
        Route(at, shows(pages.first)),
        Route(f"{at}/{{language:name}}", shows(pages.one)),
        Route(f"{at}/{{language:name}}/{{picture:name}}.svg", shows(pages.picture)),
    ]


class _Rules:
    def __init__(self, site: Site) -> None:
        self._site = site

    def all(self, visit: Visit) -> Response:
        """All games."""
        games = [
            (id_, game.name, game.seats[0], game.seats[-1], rulebook.LANGUAGES[id_])
            for id_, game in GAMES.items()
        ]
        return self._site.page(visit, "rules_all.html", title="Rules", games=games)

    def first(self, visit: Visit) -> Response:
        """In the language that a reader gets who doesn't choose."""
        game = visit.part("game")
        if game not in GAMES:
            raise Refused(404, NOWHERE)
        return onward(addresses.rules(game, rulebook.LANGUAGES[game][0]))

    def one(self, visit: Visit) -> Response:
        """A game's rules in a language."""
        game, language = self._asked(visit)
        name = GAMES[game].name
        return self._site.page(
            visit,
            "rules.html",
            title=f"{name}: {'regulile' if language == 'ro' else 'the rules'}",
            language=language,
            game=game,
            languages=rulebook.LANGUAGES[game],
            text=_text(game, language),
        )

    def picture(self, visit: Visit) -> Response:
        """A picture that belongs to them."""
        game, language = self._asked(visit)
        if visit.part("picture") not in _PICTURED.get(game, ()):
            raise Refused(404, NOWHERE)
        return Response(
            claim_pictures(language)[visit.part("picture")],
            media_type="image/svg+xml",
            headers={"Cache-Control": "public, max-age=3600"},
        )

    @staticmethod
    def _asked(visit: Visit) -> tuple[str, str]:
        game, language = visit.part("game"), visit.part("language")
        if language not in rulebook.LANGUAGES.get(game, ()):
            raise Refused(404, NOWHERE)
        return game, language


@cache
def _text(game: str, language: str) -> Markup:
    """The rules as HTML; they are ours, and hold no markup of their own."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = made.parse(rulebook.rules(game, language))
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "heading_open" and parts[-1]:
            parts.append([])
        parts[-1].append(token)
    rendered = [Markup(_html(made, each)) for each in parts]  # noqa: S704 - ours, see above
    for name in _PICTURED.get(game, ()):
        rendered[_BEHIND[name]] += Markup(
            '<img src="{}" alt="{}" width="640" height="360">'
        ).format(
            f"{addresses.rules(game, language)}/{name}.svg", _title(claim_pictures(language)[name])
        )
    return Markup("").join(rendered)


def _html(made: MarkdownIt, part: list[Token]) -> str:
    """A part as HTML, with tables that can be scrolled on a phone and are called as the part."""
    text: str = made.renderer.render(part, made.options, {})
    called = escape(part[1].content if part[0].type == "heading_open" else "")
    return (
        text.replace(
            "<table>",
            f'<div class="scroll" tabindex="0" role="region" aria-label="{called}">'
            f'<table><caption class="unseen">{called}</caption>',
        )
        .replace("</table>", "</table></div>")
        .replace("<th>", '<th scope="col">')
    )


def _title(svg: str) -> str:
    """What a picture is called."""
    return svg.partition('<title id="title">')[2].partition("</title>")[0]
