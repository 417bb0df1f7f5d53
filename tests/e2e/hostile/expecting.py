"""What a misbehaving bot's `expect.toml` says must come of it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter

from arena.match.setup import Timers
from arena.tournament.job import Lodging

PLAYS_ON = "plays on"
"""The verdict on a bot that plays to the end of its match."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Setting:
    """The match that it is tried in; times in seconds."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    turn: float = 1.0
    ready: float = 1.5
    start: float = 20.0
    budget: float = 60.0
    max_faults: int = 1
    rounds: int = 3
    laps: int = 15
    matches: int = 1
    """How many it plays one after the other; the last one counts."""
    copies: int = 1
    """How many seats it has."""

    @property
    def timers(self) -> Timers:
        """As the match wants them."""
        return Timers(self.turn, self.ready, self.start, self.budget)


@dataclass(frozen=True, slots=True)
class InProcess:
    """What is another in the process sandbox than in a container."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    verdict: str | None = None
    says: str | None = None
    log: str | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """What must come of a bot."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    verdict: str
    """The kind of fault that put it out, or `PLAYS_ON`."""
    memory_mib: float
    """By how much the match worker may grow at most during the match."""
    seconds: float
    """What the whole match may take, with starting and removing its bots; more if others run."""
    says: str = ""
    """Part of the sentence that its author reads about a fault."""
    faults: tuple[str, ...] = ()
    """The kinds of faults beside the verdict that it is charged with."""
    perhaps: tuple[str, ...] = ()
    """Further kinds, which depend on how busy the machine is."""
    log: str = ""
    """Part of what its author reads in its log."""
    held: bool | None = None
    """Whether it is held still between its turns; None where that depends on the machine."""
    setting: Setting = Setting()
    process: InProcess | None = None
    """What differs in the process sandbox; without it the bot is not tried there."""

    def where(self, lodging: Lodging) -> Expect:
        """What must come of it in a sandbox."""
        if lodging is Lodging.DOCKER or self.process is None:
            return self
        given = {
            field.name: value
            for field in fields(self.process)
            if (value := getattr(self.process, field.name)) is not None
        }
        return replace(self, **given)


def load(folder: Path) -> Expect:
    """Read a bot's expectation."""
    told = tomllib.loads((folder / "expect.toml").read_text(encoding="utf-8"))
    return TypeAdapter(Expect).validate_python(told)
