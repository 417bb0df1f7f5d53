"""The rules of the games in words, as files beside this one: ``rules/<game>.<language>.md``."""

from __future__ import annotations

from importlib.resources import files

from arena.app.errors import WrongCall

#: The languages of each game's text; the first one is shown where nobody asks for another.
LANGUAGES = {"claims": ("en",), "claim": ("en", "ro"), "claro": ("en",)}


def rules(game: str, language: str | None = None) -> str:
    """The rules of a game as Markdown; ``WrongCall`` names the languages that there are."""
    languages = LANGUAGES.get(game)
    if languages is None:
        raise WrongCall(f"there is no game {game!r}; there are: {', '.join(LANGUAGES)}")
    language = language or languages[0]
    if language not in languages:
        raise WrongCall(
            f"the rules of {game} are not there in {language!r}, only in: {', '.join(languages)}"
        )
    return files("arena.app").joinpath("rules", f"{game}.{language}.md").read_text("utf-8")
