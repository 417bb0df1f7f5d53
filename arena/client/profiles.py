"""Servers that a person has logged in at: addresses and tokens in a file of one's own."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.app.errors import ArenaError
from arena.app.files import make_folder, write_file

FILE: Final = "profiles.toml"
_KEYS: Final = ("address", "token", "ca_file")


@dataclass(frozen=True, slots=True)
class Profile:
    """A server, and who one is there; empty: no token, and the certificates of the system."""

    address: str
    token: str = field(default="", repr=False)
    #: A file with the certificates (PEM) of those who vouch for the server's.
    ca_file: str = ""


def path() -> Path:
    """Where profiles are kept: `claim-arena` where this user's programs keep their settings."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    if not settings.is_absolute():  # the XDG specification: ignore it then
        try:
            settings = Path.home() / ".config"
        except RuntimeError:
            raise ArenaError(
                "this user has no home folder: set XDG_CONFIG_HOME to a folder for profiles"
            ) from None
    return settings / "claim-arena" / FILE


def load() -> dict[str, Profile]:
    """All profiles, by name. Raises ArenaError if the file can't be read."""
    file = path()
    try:
        read = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ArenaError(f"the profiles in {file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ArenaError(f"the profiles in {file} are no TOML: {error}") from None
    return {name: _profile(file, name, told) for name, told in read.items()}


def find(name: str) -> Profile:
    """The profile of that name. Raises ArenaError, which names those there are."""
    known = load()
    if name not in known:
        names = f"there are: {', '.join(known)}" if known else "`arena login ADDRESS` makes one"
        raise ArenaError(f"there is no profile {name!r}; {names}")
    return known[name]


def save(name: str, profile: Profile) -> None:
    """Keep a profile, in place of an older one of that name."""
    _write({**load(), name: profile})


def forget(name: str) -> None:
    """Drop a profile. Raises ArenaError if there is none of that name."""
    find(name)
    _write({other: kept for other, kept in load().items() if other != name})


def _profile(file: Path, name: str, told: Any) -> Profile:
    if not (
        isinstance(told, Mapping)
        and "address" in told
        and told.keys() <= set(_KEYS)
        and all(isinstance(value, str) for value in told.values())
    ):
        raise ArenaError(
            f"{file}: the profile {name} must have an address, and may have token and ca_file"
        )
    return Profile(**told)


def _write(profiles: Mapping[str, Profile]) -> None:
    """Write them for their owner alone, since there are tokens among them."""
    lines = ["# Servers that `arena login` knows: to be kept secret.\n"]
    for name, profile in profiles.items():
        lines.append(f"\n[{_text(name)}]\n")
        lines += [f"{key} = {_text(value)}\n" for key, value in asdict(profile).items() if value]
    make_folder(path().parent)
    write_file(path(), "".join(lines), private=True)


def _text(value: str) -> str:
    """A text as TOML writes it, which is as JSON does but for letters beyond ASCII."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
