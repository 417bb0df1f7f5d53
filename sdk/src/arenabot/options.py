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
class BurnOptions(Options):
    """What Claims and Claim! have in common."""

    #: The total at which the match ends (Claims 9, Claim! 6).
    target: int = 300
    #: Laps in a row without a draw from the deck that end a round (RULINGS X8).
    stall_laps: int = 20
    #: Laps that end a round (RULINGS X8).
    max_laps: int = 500
    #: Rounds that end a match (RULINGS X8).
    max_rounds: int = 500

    def __post_init__(self) -> None:
        """Check the bounds that both games have."""
        self._within("stall_laps", 1, 10_000)
        self._within("max_laps", 2, 10_000)
        self._within("max_rounds", 1, 10_000)


@dataclass(frozen=True, slots=True)
class ClaimsOptions(BurnOptions):
    """The options of Claims.  Raises ``OptionError`` for a value out of bounds.

    The target is 300 (Classic) or 150 (Short), no other (Claims 9).
    """

    def __post_init__(self) -> None:
        """Check every bound."""
        BurnOptions.__post_init__(self)
        if self.target not in (150, 300) or type(self.target) is not int:
            raise OptionError(
                f"target is {self.target!r}, but must be 300 (Classic) or 150 (Short)"
            )


@dataclass(frozen=True, slots=True)
class ClaimOptions(BurnOptions):
    """The options of Claim!.  Raises ``OptionError`` for a value out of bounds.

    The target is 50 to 1000 (Claim! 6).
    """

    max_laps: int = 100
    #: Turns of one's own in the round before one may claim (Claim! 4).
    claim_laps: int = 2

    def __post_init__(self) -> None:
        """Check every bound."""
        BurnOptions.__post_init__(self)
        self._within("target", 50, 1000)
        self._within("claim_laps", 0, 10)
        if self.max_laps <= self.claim_laps:
            raise OptionError(
                f"max_laps is {self.max_laps}, but must be more than claim_laps, "
                f"which is {self.claim_laps}: else nobody could ever claim"
            )
