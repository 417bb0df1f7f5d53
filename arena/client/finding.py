"""Which server is meant: by an option, a variable or a profile; and who one is there."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.app.accounts import local_token
from arena.app.errors import ArenaError, WrongCall
from arena.client import profiles
from arena.client.profiles import Profile
from arena.store import default_folder

SERVER_VARIABLE: Final = "ARENA_SERVER"
PROFILE_VARIABLE: Final = "ARENA_PROFILE"
TOKEN_VARIABLE: Final = "ARENA_TOKEN"  # noqa: S105 - a variable's name
PORT: Final = 7433
"""The port of a server whose address names none."""

_MOST_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class Server:
    """A server to be called."""

    host: str
    port: int
    #: None: as a spectator.
    token: str | None = field(default=None, repr=False)
    #: The certificates that vouch for it (PEM); None: those that the system knows.
    certificates: bytes | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        """As a person writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def here(self) -> bool:
        """Whether it is on this machine, so that nobody stands between."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return not self.here or self.certificates is not None


def chosen(server: str | None = None, profile: str | None = None) -> Server | None:
    """The server that is meant; None: the store on this machine.

    `server` is an address and goes before `profile`, a name; both go before the variables
    ARENA_SERVER and ARENA_PROFILE. Raises WrongCall, ArenaError.
    """
    if server is not None and profile is not None:
        raise WrongCall("--server and --profile both name a server: give one of them")
    address = server if server is not None or profile is not None else _variable(SERVER_VARIABLE)
    if address is not None:
        return of_profile(_known(address))
    name = profile if profile is not None else _variable(PROFILE_VARIABLE)
    return None if name is None else of_profile(profiles.find(name))


def of_profile(profile: Profile) -> Server:
    """The server of a profile. Its token may come from ARENA_TOKEN or, of one on this machine that
    names none, from the store's folder. Raises WrongCall, ArenaError.
    """
    host, port = split(profile.address)
    server = Server(host, port, None, _certificates(profile.ca_file))
    token = _variable(TOKEN_VARIABLE) or profile.token or None
    if token is None and server.here:
        token = local_token(default_folder())
    if token is not None and not (token.isascii() and token.isprintable()):
        raise WrongCall("a token is printable ASCII: this one is none")
    return Server(host, port, token, server.certificates)


def split(address: str) -> tuple[str, int]:
    """Host and port of an address like arena.example.org, 10.0.0.1:7433 or [::1]:7433."""
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]") or (":" in host and not host.startswith("[")):
        host, port = address, ""
    host = host.removeprefix("[").removesuffix("]")
    number = int(port) if port.isascii() and port.isdigit() else 0
    wrong = not host or any(letter in host for letter in "/@ ") or not host.isprintable()
    if wrong or (port and not 0 < number <= _MOST_PORT) or address.endswith(":"):
        raise WrongCall(
            f"{address!r} is no server's address: write HOST or HOST:PORT, like "
            "arena.example.org:7433"
        )
    return host, number or PORT


def _known(address: str) -> Profile:
    """The profile of an address, so that one need not name both; or one without a token."""
    place = split(address)
    for profile in profiles.load().values():
        if split(profile.address) == place:
            return profile
    return Profile(address)


def _certificates(file: str) -> bytes | None:
    if not file:
        return None
    try:
        return Path(file).expanduser().read_bytes()
    except OSError as error:
        raise ArenaError(f"the certificates in {file} cannot be read: {error.strerror}") from None


def _variable(name: str) -> str | None:
    """A variable; one that is empty is none."""
    return os.environ.get(name) or None
