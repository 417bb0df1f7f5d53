"""The rules of the games in words, as files beside this one: ``rules/<game>.<language>.md``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from arena.app.errors import ArenaError, WrongCall
from arena.app.pictures import claim_pictures

#: The languages of each game's text; the first one is shown where nobody asks for another.
LANGUAGES = {"claims": ("en",), "claim": ("en", "ro"), "claro": ("en",)}


def rules(game: str, language: str | None = None) -> str:
    """The rules of a game as Markdown; ``WrongCall`` names the languages that there are."""
    language = _language(game, language)
    return files("arena.app").joinpath("rules", f"{game}.{language}.md").read_text("utf-8")


def write_pictures(game: str, language: str | None, folder: Path) -> list[Path]:
    """Write the pictures that go with a game's rules into ``folder``, as SVG.

    Raises ``WrongCall`` for a game or language without any, ``ArenaError`` if it cannot write.
    """
    language = _language(game, language)
    if game != "claim":
        raise WrongCall(f"only the rules of claim have pictures, not those of {game}")
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, (name, svg) in enumerate(claim_pictures(language).items(), start=1):
            path = folder / f"claim-{number}-{name}.{language}.svg"
            path.write_text(svg, "utf-8")
            written.append(path)
    except OSError as error:
        raise ArenaError(f"cannot write to {folder}: {error.strerror}") from None
    return written


def _language(game: str, language: str | None) -> str:
    languages = LANGUAGES.get(game)
    if languages is None:
        raise WrongCall(f"there is no game {game!r}; there are: {', '.join(LANGUAGES)}")
    language = language or languages[0]
    if language not in languages:
        raise WrongCall(
            f"the rules of {game} are not there in {language!r}, only in: {', '.join(languages)}"
        )
    return language
