"""The folder that a new bot begins with: a submission that plays, and can be made better."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

from arena.app.errors import ArenaError, WrongCall
from arena.app.options import game_of

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")

# Under 15 lines, so that all of it can be read before anything is changed.
_SHEDDER = Template("""\
from arenabot import CLAIM, Action, Burn, $base, $observation, serve


class $class_name($base):
    def turn(self, observation: $observation) -> Action:
        if observation.can_claim and observation.hand_points <= 5:
            return CLAIM
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return max(burns, key=lambda burn: sum(map(observation.points_of, burn.cards)))


if __name__ == "__main__":
    serve($class_name)
""")

_CLARO = Template("""\
from arenabot import ClaroBot, ClaroObservation, Play, serve


class $class_name(ClaroBot):
    def play(self, observation: ClaroObservation) -> Play:
        return Play(min(observation.fitting()))


if __name__ == "__main__":
    serve($class_name)
""")

_SHEDDER_TEST = Template("""\
from arenabot import CLAIM, $options, burn
from arenabot.testing import observation, play_turn
from bot import $class_name


def test_it_sheds_the_dearest_cards():
    seen = observation("Ks Kh 9s", zero="7d", options=$options())
    assert play_turn($class_name, seen) == burn("Ks Kh")


def test_it_claims_with_a_small_hand():
    seen = observation("As 2h", zero="7d", turn=5, options=$options())
    assert play_turn($class_name, seen) == CLAIM
""")

_CLARO_TEST = Template("""\
from arenabot import ClaroCard, Play
from arenabot.testing import claro_observation, play_turn
from bot import $class_name


def test_it_plays_the_lowest_card_that_fits():
    seen = claro_observation("12 31 40", played="28")
    assert play_turn($class_name, seen) == Play(ClaroCard("31"))
""")

_CODE = {"claims": _SHEDDER, "claim": _SHEDDER, "claro": _CLARO}
_TESTS = {"claims": _SHEDDER_TEST, "claim": _SHEDDER_TEST, "claro": _CLARO_TEST}
#: By game, the first half of its classes' names: ClaimsBot, ClaimsObservation, ClaimsOptions.
_FAMILIES = {"claims": "Claims", "claim": "Claim", "claro": "Claro"}

#: Sample bots to begin with; where there are none a bot plays against itself.
_OPPONENTS = {"claims": "greedy"}

_MANIFEST = Template("""\
name = "$name"
game = "$game"
""")

_README = Template("""\
# $name

A bot for $game_name. `bot.py` is all of it; the rules: `arena rules $game`.

    python -m pytest                      does it decide as I mean? (needs pytest and arenabot)
    arena bot check .                     is it fit to be submitted?
    arena play . $others --game $game     how does it fare against others?
    arena bot submit .                    keep it in the arena, for tournaments
""")


def new_bot(name: str, game: str, parent: Path) -> Path:
    """Write the folder ``name`` below ``parent`` and return it.

    Raises ``WrongCall`` for a name that no bot can have, ``ArenaError`` if the folder is there.
    """
    rules = game_of(game)
    if not _NAME.fullmatch(name):
        raise WrongCall(
            f"a bot's name is 1 to 32 of a-z, 0-9 and -, beginning with a letter, not {name!r}"
        )
    family = _FAMILIES[game]
    words = {
        "name": name,
        "game": game,
        "game_name": rules.name,
        "base": f"{family}Bot",
        "observation": f"{family}Observation",
        "options": f"{family}Options",
        "class_name": _class_name(name, f"{family}Bot"),
        "others": _OPPONENTS.get(game, " ".join(["."] * (rules.seats.start - 1))),
    }
    files = {
        "bot.py": _CODE[game].substitute(words),
        "test_bot.py": _TESTS[game].substitute(words),
        "bot.toml": _MANIFEST.substitute(words),
        "README.md": _README.substitute(words),
    }
    folder = parent / name
    try:
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, "utf-8")
    except FileExistsError:
        raise ArenaError(f"{folder} is there already: choose another name") from None
    except OSError as error:
        raise ArenaError(f"{folder} cannot be written: {error.strerror}") from None
    return folder


def _class_name(name: str, base: str) -> str:
    """``my-bot`` becomes ``MyBot``, ``none`` ``NoneBot``, and what is its base's name ``My...``."""
    joined = "".join(part.capitalize() for part in name.split("-"))
    called = joined if joined.endswith("Bot") else f"{joined}Bot"
    return f"My{called}" if called == base else called
