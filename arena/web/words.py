"""The pages' own words in other languages; English is what stands in the templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

_ROMANIAN: Final[Mapping[str, str]] = {
    "Skip to the content": "Sari la conținut",
    "Main": "Meniu principal",
    "Rankings": "Clasamente",
    "Tournaments": "Turnee",
    "Bots": "Boți",
    "Rules": "Reguli",
    "Submit a bot": "Trimite un bot",
    "Sign in": "Intră",
    "Sign out": "Ieșire",
    "Your account": "Contul tău",
    "Light or dark": "Luminos sau întunecat",
    "Languages": "Limbi",
    "On this page": "Pe această pagină",
    "Ranking": "Clasament",
    "Where you are": "Unde te afli",
    "Home": "Acasă",
    "Rules of {0}": "Regulile jocului {0}",
    "Bots play, everybody looks on.": "Boții joacă, toți privesc.",
}

LANGUAGE_NAMES: Final[Mapping[str, str]] = {"en": "English", "ro": "Română"}
"""Each language in its own words."""


def speaker(language: str) -> Callable[..., str]:
    """What says a template's words in a language."""
    words = _ROMANIAN if language == "ro" else {}
    return lambda text, *told: words.get(text, text).format(*told)
