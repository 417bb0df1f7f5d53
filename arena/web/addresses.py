"""Where each page is: names as parts of an address, and back.

A tournament may be called anything that is printable, so also `a/b` or `..`, and neither survives a
path, however it is quoted. So a name is written in a way of our own before it is quoted.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

from starlette.convertors import Convertor, register_url_convertor

_WRITTEN = {"~": "~~", "/": "~-", "\\": "~_"}
_READ = {written: plain for plain, written in _WRITTEN.items()}


def part(name: str) -> str:
    """A name as one part of a path."""
    written = re.sub(r"[~/\\]", lambda found: _WRITTEN[found.group()], name)
    # `.` and `..` mean other folders.
    return quote(f"~.{written[1:]}" if written.startswith(".") else written, safe="~")


class _Name(Convertor[str]):
    """Reads such a part."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        return re.sub(r"~[~_-]|~\.", lambda found: _READ.get(found.group(), "."), value)

    def to_string(self, value: str) -> str:
        return part(value)


register_url_convertor("name", _Name())


def with_query(path: str, **query: object) -> str:
    """A path with what is asked of it; what is empty or None is left out."""
    told = {key: value for key, value in query.items() if value not in {None, ""}}
    return f"{path}?{urlencode(told)}" if told else path


def ranking(game: str, what: str = "") -> str:
    """A game's ranking, or something about it, like `head-to-head`."""
    return f"/rankings/{game}{what and '/' + what}"


def league(name: str, what: str = "") -> str:
    """A league, or something about it, like `history`."""
    return f"/leagues/{part(name)}{what and '/' + what}"


def bot(name: str, version: int | None = None) -> str:
    """A bot, or a version of it."""
    return f"/bots/{part(name)}" + ("" if version is None else f"/{version}")


def tournament(name: str, what: str = "") -> str:
    """A tournament, or something about it, like `matches`."""
    return f"/tournaments/{part(name)}{what and '/' + what}"


def match(tournament_name: str, match_id: str) -> str:
    """A match of a tournament."""
    return tournament(tournament_name, f"matches/{part(match_id)}")


def submission(id_: str, what: str = "") -> str:
    """A submission, or something about it, like `log`."""
    return f"/submissions/{part(id_)}{what and '/' + what}"


def rules(game: str, language: str = "en") -> str:
    """A game's rules."""
    return f"/rules/{game}/{language}"
