"""What an operator decides about a server: from the environment, or from a TOML file.

A setting `port` is the variable ARENA_PORT, or the key `port` in the file; a variable goes before
the file. The text of each stands in docs/10-server.md, and a test holds the two together.
"""

from __future__ import annotations

import ipaddress
import json
import os
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from arena.app.errors import WrongCall
from arena.match.setup import PERSON_BUDGET
from arena.store.retention import Policy
from arena.submissions.limits import DEFAULT_LIMITS

PREFIX: Final = "ARENA_"
"""What the name of every variable begins with."""

CONFIG_VARIABLE: Final = "ARENA_CONFIG"
"""The variable that names the file."""

CONFIG_NAME: Final = "arena.toml"
"""What the file is called where nobody names one; it lies in the store's folder."""


_Days: TypeAlias = Annotated[int, Field(ge=0, le=36_500)]
"""At most a century: a date much further back can't be reckoned."""

_MOST: Final = 2**31 - 1
"""The largest number that gRPC takes as an option."""


class Settings(BaseSettings):
    """All settings of a server. Times are in seconds and sizes in bytes, unless a name says so."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True
    )

    address: str = Field("127.0.0.1", description="the IP address on which gRPC is served")
    port: int = Field(7433, ge=0, le=65535, description="its port; 0: any that is free")
    web_address: str = Field("127.0.0.1", description="the IP address on which HTTP is served")
    web_port: int = Field(7480, ge=0, le=65535, description="its port; 0: any that is free")
    tls_certificate: Path | None = Field(
        None, description="a file with the certificate and its chain (PEM), for gRPC and HTTP"
    )
    tls_key: Path | None = Field(None, description="the file with the certificate's key (PEM)")
    insecure: bool = Field(
        False, description="the first word for serving other machines without TLS"
    )
    insecure_address: str = Field(
        "", description="the second word for it: the address that is served, once more"
    )

    spectators: bool = Field(True, description="whether callers without a token may look")
    reflection: bool = Field(False, description="whether gRPC reflection is served")

    workers: int = Field(0, ge=0, le=512, description="match workers; 0: one a core")
    drain_seconds: float = Field(
        60, ge=0, description="how long running matches and builds may go on once it is to stop"
    )
    upload_bytes: int = Field(
        DEFAULT_LIMITS.archive_bytes, ge=1, description="the largest archive of a bot"
    )
    uploads_per_hour: float = Field(
        60, ge=1, description="bots that one author may send in an hour, refused ones included"
    )
    uploads_at_once: int = Field(3, ge=1, description="bots that one author may send at once")
    all_uploads_bytes: int = Field(
        256 << 20, ge=1, description="what all authors' uploads may take of the memory at once"
    )
    upload_idle_seconds: float = Field(
        30, gt=0, description="how long an upload may bring nothing before it is ended"
    )
    unfinished_submissions: int = Field(
        10, ge=1, description="submissions of one author that may be under way at a time"
    )

    people_at_once: int = Field(
        8, ge=0, description="matches of people against bots at a time, one a person; 0: none"
    )
    people_meet_ranked: bool = Field(
        True,
        description="whether they may choose every bot of the public rankings, or only sample bots "
        "and their own",
    )
    people_minutes: float = Field(
        int(PERSON_BUDGET) // 60,
        gt=0,
        le=180,
        description="minutes that a person may take for all turns of a match together; then the "
        "seat plays default moves",
    )

    calls_per_second: float = Field(20, gt=0, description="calls of one author, on average")
    calls_at_once: int = Field(100, ge=1, description="calls of one author in a burst")
    spectator_calls_per_second: float = Field(
        10, gt=0, description="calls without a token from one address, on average"
    )
    spectator_calls_at_once: int = Field(
        50, ge=1, description="calls without a token from one address in a burst"
    )
    pages_per_second: float = Field(
        10, gt=0, description="pages asked for from one address, on average"
    )
    pages_at_once: int = Field(100, ge=1, description="pages asked for from one address in a burst")
    wrong_tokens_per_minute: float = Field(
        10, gt=0, description="unknown tokens that one address may try"
    )
    streams_at_once: int = Field(
        20, ge=1, description="open streams of one author, or of one address without a token"
    )
    streams_per_connection: int = Field(
        100, ge=1, le=_MOST, description="calls at once on one connection"
    )
    message_bytes: int = Field(
        1 << 20, ge=4096, le=_MOST, description="the largest message that is read"
    )
    metadata_bytes: int = Field(
        16 << 10, ge=4096, le=_MOST, description="the most metadata of one call"
    )
    call_seconds: float = Field(60, gt=0, description="how long a call without streams may take")
    upload_seconds: float = Field(600, gt=0, description="how long a call that uploads may take")

    unread_seconds: float = Field(
        60, gt=0, description="how long a caller may leave a piece of an answer unread"
    )

    keep_replays_days: _Days = Field(
        0, description="days that replays are kept, once the tournament is over; 0: for ever"
    )
    keep_logs_days: _Days = Field(
        90, description="days that logs of bots are kept, once it is over; 0: for ever"
    )
    keep_rejected_days: _Days = Field(
        30, description="days that archives of rejected submissions are kept; 0: for ever"
    )
    keep_audit_days: _Days = Field(365, description="days that the audit log is kept; 0: for ever")
    keep_requests_days: _Days = Field(
        30, description="days in which a request id is known again; 0: for ever"
    )
    keep_images_days: _Days = Field(
        30, description="days that images are kept that nothing names; 0: for ever"
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="what is logged: this and what is more severe"
    )
    log_format: Literal["json", "console"] = Field(
        "json", description="how: a JSON object a line, or text for a person"
    )

    @classmethod
    def settings_customise_sources(  # its arguments are given by name
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment goes before the file, whose content comes as arguments."""
        return env_settings, init_settings

    @model_validator(mode="after")
    def _tls_is_whole(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key belong together: give both or none")
        return self

    @model_validator(mode="after")
    def _world_is_meant(self) -> Self:
        """Refuse to speak to other machines in the clear, unless told so twice."""
        if self.tls_key is not None:
            return self
        for address in (self.address, self.web_address):
            if not _is_loopback(address) and not (
                self.insecure and self.insecure_address == address
            ):
                raise ValueError(
                    f"other machines reach {address}, and without TLS anybody on the way reads "
                    "every token: give tls_certificate and tls_key, or, where a proxy in front "
                    f'does that, both insecure = true and insecure_address = "{address}"'
                )
        return self

    @property
    def policy(self) -> Policy:
        """What the store keeps, and for how long."""
        return Policy(
            replays=self.keep_replays_days or None,
            logs=self.keep_logs_days or None,
            rejected=self.keep_rejected_days or None,
            audit=self.keep_audit_days or None,
            requests=self.keep_requests_days or None,
        )

    @property
    def tls(self) -> bool:
        """Whether connections are encrypted."""
        return self.tls_key is not None


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        raise ValueError(
            f'{address!r} is no IP address: write one of this machine, like "127.0.0.1"'
        ) from None


def load(config: Path | None, home: Path) -> Settings:
    """Read the settings: the file `config`, else what ARENA_CONFIG names, else arena.toml in `home`
    if it is there; and the environment.

    Raises WrongCall with one line for the first thing that is wrong.
    """
    told = config or (Path(named) if (named := os.environ.get(CONFIG_VARIABLE)) else None)
    path = told or home / CONFIG_NAME
    content = _read(path) if told is not None or path.exists() else {}
    try:
        settings = Settings(**content)
    except ValidationError as error:
        raise WrongCall(_first_line(error, path)) from None
    for file in (settings.tls_certificate, settings.tls_key):
        if file is not None and not os.access(file, os.R_OK):
            raise WrongCall(f"{file} cannot be read: tls_certificate and tls_key are files")
    return settings


def misspelt() -> list[str]:
    """What to say of variables that are none of ours and look as if they were meant to be."""
    known = [name.upper() for name in Settings.model_fields]
    told = sorted(name for name in os.environ if name.startswith(PREFIX))
    close = {name: get_close_matches(name.removeprefix(PREFIX), known, 1, 0.85) for name in told}
    return [
        f"{name} is no setting: did you mean {PREFIX}{meant[0]}?"
        for name, meant in close.items()
        if meant and name != PREFIX + meant[0]
    ]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongCall(f"the settings in {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise WrongCall(f"the settings in {path} are no TOML: {error}") from None


def _first_line(error: ValidationError, path: Path) -> str:
    first = error.errors()[0]
    said = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return f"the settings don't fit each other: {said}"
    name = str(first["loc"][0])
    variable = PREFIX + name.upper()
    if first["type"] == "extra_forbidden":
        return f"{path}: there is no setting {name!r}; docs/10-server.md lists those there are"
    where = variable if os.environ.get(variable) else f"{path}: {name}"
    return f"{where} is {first['input']!r}: {said[0].lower()}{said[1:]}"


def table() -> str:
    """All settings as docs/10-server.md has them."""
    lines = ["| key | variable | default | what |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = _toml(field.default)
        lines.append(f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if value is None or value == "":
        return "none"
    return f"`{json.dumps(value)}`"
