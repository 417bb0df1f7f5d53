"""From templates to text: everything that is put in is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.games import GAMES
from arena.web import addresses, pictures
from arena.web.assets import Assets
from arena.web.viewer.words import ENGLISH

_NONE = "\N{EN DASH}"
_KIBI = 1024
_SECOND = 1000


def environment(assets: Assets) -> Environment:
    """The templates of this room, with what they may use."""
    made = Environment(
        loader=PackageLoader("arena.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "percent": percent,
        "decimal": decimal,
        "whole": whole,
        "counted": counted,
        "when": when,
        "time": milliseconds,
        "size": size,
        "chance": chance,
        "with_code": with_code,
    }
    made.globals |= {
        "static": assets.address,
        "to": addresses,
        "draw": pictures,
        "GAMES": {id_: game.name for id_, game in GAMES.items()},
        "OUTCOMES": {**ENGLISH, "PLAYED": "played to the end"},
    }
    return made


def percent(share: float | None) -> str:
    """A share as a whole percentage."""
    return _NONE if share is None else f"{100 * share:.0f} %"


def decimal(number: float | None, digits: int = 2) -> str:
    """A number with so many digits behind its point, and a true minus."""
    return _NONE if number is None else f"{number:.{digits}f}".replace("-", "\u2212")


def whole(number: int | None) -> str:
    """A whole number, its thousands apart."""
    return _NONE if number is None else f"{number:,}".replace(",", "\u202f")


def counted(number: int, one: str, many: str | None = None) -> str:
    """So many of something: 1 bot, 2 bots."""
    return f"{whole(number)} {one if number == 1 else many or one + 's'}"


def with_code(sentence: str) -> Markup:
    """A sentence of the arena's, what is code in it shown as such."""
    parts = re.split("`([^`]+)`", sentence)
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if at % 2 else part for at, part in enumerate(parts))


def when(moment: datetime | None) -> Markup | str:
    """A moment in UTC, for people and programs."""
    if moment is None:
        return _NONE
    shown = moment.astimezone(UTC)
    return Markup('<time datetime="{}">{} UTC</time>').format(
        shown.isoformat(timespec="seconds"), f"{shown.day} {shown:%b %Y, %H:%M}"
    )


def milliseconds(number: float | None) -> str:
    """A length of time, in the unit that suits it."""
    if number is None:
        return _NONE
    if number < _SECOND:
        return f"{number:.3g} ms"
    return f"{number / _SECOND:.3g} s"


def size(count: int | None) -> str:
    """A number of bytes, in the unit that suits it."""
    if count is None:
        return _NONE
    number: float = count
    for unit in ("B", "KiB", "MiB"):
        if number < _KIBI:
            return f"{number:.3g} {unit}"
        number /= _KIBI
    return f"{number:.3g} GiB"


def chance(p: float | None) -> str:
    """A probability; small ones as a bound."""
    if p is None:
        return _NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def joined(parts: Iterable[Any]) -> Markup:
    """Pieces of markup, one behind the other."""
    return Markup("").join(parts)
