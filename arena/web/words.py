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
    "Play": "Joacă",
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
    # Playing against bots.
    "Play against the bots": "Joacă împotriva boților",
    "Play against {0}": "Joacă împotriva: {0}",
    "you against {0}": "tu împotriva: {0}",
    "Take a seat: the same rules, the same turn timer, the same default moves. Your matches are "
    "kept for you to look at, and never rated.": "Ia loc: aceleași reguli, același timp de "
    "gândire, aceleași mutări implicite. Meciurile tale se păstrează ca să le poți revedea și nu "
    "intră în clasament.",
    "You have {0} minutes for all turns of a match together; then your seat plays default moves.": (
        "Ai {0} minute pentru toate turele unui meci la un loc; apoi locul tău joacă mutări "
        "implicite."
    ),
    "Whoever has a token can play.": "Poate juca oricine are un token.",
    "You have left the match.": "Ai părăsit meciul.",
    "You are playing a match of {0}.": "Joci un meci de {0}.",
    "Back to the table": "Înapoi la masă",
    "Games": "Jocuri",
    "Against whom": "Împotriva cui",
    "{0} to {1} bots. Ranks stand before their names.": "De la {0} la {1} boți. Înaintea numelui "
    "stă locul din clasament.",
    "Bot {0}": "Botul {0}",
    "nobody": "nimeni",
    "Sample bots": "Boți de probă",
    "Your bots": "Boții tăi",
    "Ranked bots": "Boți din clasament",
    "Your seat": "Locul tău",
    "By chance": "La întâmplare",
    "begins": "începe",
    "How long it lasts": "Cât durează",
    "Target": "Pragul",
    "The match ends when somebody reaches it: 50 to 1000.": "Meciul se termină când cineva ajunge "
    "la el: de la 50 la 1000.",
    "Laps before a claim": "Ture până la Claim",
    "From 0 to 10.": "De la 0 la 10.",
    "Rounds at most": "Cel mult atâtea runde",
    "From 1 to 10000: few for a short match.": "De la 1 la 10000: puține pentru un meci scurt.",
    "Sit down": "Ia loc",
    "There is no bot to play against yet.": "Nu e încă niciun bot împotriva căruia să joci.",
    "Your matches": "Meciurile tale",
    "Your matches, the newest first": "Meciurile tale, cele mai noi întâi",
    "Game": "Jocul",
    "When": "Când",
    "Who ended where": "Cine pe ce loc a terminat",
    "Replay": "Replay",
    "Watch": "Vezi",
    "Interrupted": "Întrerupt",
    "you": "tu",
    "Older ones": "Mai vechi",
    "None yet.": "Niciunul încă.",
    # Pages that say what went wrong.
    "That cannot be done": "Nu se poate",
    "Not for you": "Nu e pentru tine",
    "Nothing here": "Nu e nimic aici",
    "Not as things are": "Nu în situația de acum",
    "Too much": "Prea mult",
    "Too often": "Prea des",
    "Something broke": "S-a stricat ceva",
    "Not just now": "Nu chiar acum",
    "To the first page": "La prima pagină",
    "Playing needs scripts: allow them for this page.": "Ca să joci trebuie scripturi: permite-le "
    "pe această pagină.",
}

LANGUAGE_NAMES: Final[Mapping[str, str]] = {"en": "English", "ro": "Română"}
"""Each language in its own words."""


def speaker(language: str) -> Callable[..., str]:
    """What says a template's words in a language."""
    words = _ROMANIAN if language == "ro" else {}
    return lambda text, *told: words.get(text, text).format(*told)
