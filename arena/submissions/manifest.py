"""`bot.toml`, the page that says what a bot is.

name = "greedy"             # 1 to 32 of a-z, 0-9 and -, starting with a letter
version = "2.1"             # optional label for people; the digest is what identifies a version
game = "claims"             # or games = ["claims", "claim"]
runtime = "python"          # optional: python (default) or node
entrypoint = "bot.py"       # optional: the file that is started
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.games import GAMES
from arena.submissions.errors import ArchiveError, ManifestError, one_line, shown
from arena.submissions.limits import DEFAULT_LIMITS, Limits, size_text
from arena.submissions.names import check_path, ignored

MANIFEST_NAME = "bot.toml"
GAME_IDS = tuple(GAMES)
"""The ids of the games that a bot may say it plays (RULINGS, game ids)."""

_KEYS = ("name", "version", "game", "games", "runtime", "entrypoint")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,31}")


class Runtime(StrEnum):
    """The base image that a bot wants to run on."""

    PYTHON = "python"
    """CPython with arenabot, NumPy and the pure games package."""
    NODE = "node"
    """Node.js; may be named in a manifest, but no base image is built for it yet."""


_SUFFIXES = {Runtime.PYTHON: (".py",), Runtime.NODE: (".js", ".mjs", ".cjs")}
_DEFAULT_ENTRYPOINT = {Runtime.PYTHON: "bot.py", Runtime.NODE: "bot.js"}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `bot.toml` says, checked; every field is plain text without control characters."""

    name: str
    version: str | None
    games: tuple[str, ...]
    runtime: Runtime
    entrypoint: str

    @property
    def command(self) -> tuple[str, ...]:
        """What starts the bot, with the submission's folder as the working directory."""
        program = {Runtime.PYTHON: "python3", Runtime.NODE: "node"}[self.runtime]
        return (program, self.entrypoint)


def parse_manifest(content: bytes, limits: Limits = DEFAULT_LIMITS) -> Manifest:
    """Read the content of a `bot.toml`.

    Raises ManifestError with one line that names the key and what to write there.
    """
    table = _load(content, limits)
    for key in table:
        if key not in _KEYS:
            raise _error(f"unknown key {shown(key)}; {_hint(key, _KEYS)}")
    runtime = _runtime(table)
    return Manifest(
        name=_name(table),
        version=_version(table),
        games=_games(table),
        runtime=runtime,
        entrypoint=_entrypoint(table, runtime, limits),
    )


def _load(content: bytes, limits: Limits) -> dict[str, Any]:
    if len(content) > limits.manifest_bytes:
        raise _error(
            f"larger than {size_text(limits.manifest_bytes)}; keep only the keys {_listed(_KEYS)}"
        )
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise _error("not UTF-8 text; save it as UTF-8") from None
    except RecursionError:
        raise _error("nested too deeply; it needs only keys with plain values") from None
    except ValueError as error:  # TOMLDecodeError is one, an endless number another
        raise _error(f"not TOML: {one_line(str(error), 120)}") from None


def _name(table: Mapping[str, Any]) -> str:
    if "name" not in table:
        raise _error('"name" is missing; write for example name = "my-bot"')
    name = _text(table, "name")
    if not _NAME.fullmatch(name):
        raise _error(
            f'"name" is {shown(name)}; write 1 to 32 of a-z, 0-9 and "-", starting with a letter,'
            ' for example name = "my-bot"'
        )
    return name


def _version(table: Mapping[str, Any]) -> str | None:
    if "version" not in table:
        return None
    version = _text(table, "version")
    if not _VERSION.fullmatch(version):
        raise _error(
            f'"version" is {shown(version)}; write 1 to 32 letters, digits and ". _ + -", starting'
            ' with a letter or digit, for example version = "1.0"'
        )
    return version


def _games(table: Mapping[str, Any]) -> tuple[str, ...]:
    if "game" in table and "games" in table:
        raise _error('"game" and "games" are both there; keep one of them')
    if "game" in table:
        games = [_text(table, "game")]
    elif "games" in table:
        games = table["games"]
        if not isinstance(games, list) or not games or not all(isinstance(g, str) for g in games):
            raise _error('"games" must be a list of names; write for example games = ["claims"]')
    else:
        raise _error(f'"game" is missing; write game = "claims" (or {_listed(GAME_IDS[1:])})')
    for game in games:
        if game not in GAME_IDS:
            raise _error(f"unknown game {shown(game)}; {_hint(game, GAME_IDS)}")
    if len(set(games)) < len(games):
        raise _error('"games" names a game twice; name each once')
    return tuple(games)


def _runtime(table: Mapping[str, Any]) -> Runtime:
    if "runtime" not in table:
        return Runtime.PYTHON
    runtime = _text(table, "runtime")
    known = tuple(Runtime)
    if runtime not in known:
        raise _error(f"unknown runtime {shown(runtime)}; {_hint(runtime, known)}")
    return Runtime(runtime)


def _entrypoint(table: Mapping[str, Any], runtime: Runtime, limits: Limits) -> str:
    if "entrypoint" not in table:
        return _DEFAULT_ENTRYPOINT[runtime]
    entrypoint = _text(table, "entrypoint")
    example = f'write for example entrypoint = "{_DEFAULT_ENTRYPOINT[runtime]}"'
    try:
        check_path(entrypoint, limits)
    except ArchiveError as error:
        raise _error(f'"entrypoint" {error}') from None
    suffixes = _SUFFIXES[runtime]
    if entrypoint.startswith("-") or ignored(entrypoint) or not entrypoint.endswith(suffixes):
        raise _error(
            f'"entrypoint" is {shown(entrypoint)}, which is no {_listed(suffixes)} file that'
            f" {runtime} can start; {example}"
        )
    return entrypoint


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table[key]
    if not isinstance(value, str):
        raise _error(f'"{key}" must be text in quotes; write for example {_EXAMPLES[key]}')
    return value


_EXAMPLES = {
    "name": 'name = "my-bot"',
    "version": 'version = "1.0"',
    "game": 'game = "claims"',
    "runtime": 'runtime = "python"',
    "entrypoint": 'entrypoint = "bot.py"',
}


def _hint(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word.lower()[:40], known, n=1)
    return f'did you mean "{near[0]}"?' if near else f"known are {_listed(known)}"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words)


def _error(text: str) -> ManifestError:
    return ManifestError(f"{MANIFEST_NAME}: {text}")
