"""The games' options, checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


class OptionError(ValueError):
    """An option has a name or a value that its game does not allow; the text says what does."""


@dataclass(frozen=True, slots=True)
class Options:
    """What every game's options have in common."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Make options from names and values; ``OptionError`` for an unknown name."""
        known = [option.name for option in fields(cls)]
        for name in given:
            if name not in known:
                raise OptionError(f"unknown option {name!r}; there are: {', '.join(known)}")
        return cls(**given)

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as a replay's header lists them."""
        return asdict(self)

    def _within(self, name: str, low: int, high: int) -> None:
        value = getattr(self, name)
        if type(value) is not int or not low <= value <= high:
            raise OptionError(
                f"{name} is {value!r}, but must be a whole number from {low} to {high}"
            )


@dataclass(frozen=True, slots=True)
class ClaimsOptions(Options):
    """The options of Claims.  Raises ``OptionError`` for a value out of bounds."""

    #: The match ends when a total passes it: 300 (Classic) or 150 (Short) (Claims 9).
    target: int = 300
    #: Laps in a row without a draw from the deck that end a round (RULINGS X8).
    stall_laps: int = 20
    #: Laps that end a round (RULINGS X8).
    max_laps: int = 500
    #: Rounds that end a match (RULINGS X8).
    max_rounds: int = 500

    def __post_init__(self) -> None:
        """Check every bound."""
        if self.target not in (150, 300) or type(self.target) is not int:
            raise OptionError(
                f"target is {self.target!r}, but must be 300 (Classic) or 150 (Short)"
            )
        self._within("stall_laps", 1, 10_000)
        self._within("max_laps", 2, 10_000)
        self._within("max_rounds", 1, 10_000)
