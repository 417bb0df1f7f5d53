"""What Claims and Claim! have in common: options, and where the two games differ."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorer_lines import Refused


@dataclass(frozen=True, slots=True)
class Option:
    """An option's value where the header names none, and the values that it may have."""

    default: int
    allowed: Container[int] = range(1, sys.maxsize)


class BurnRules(ABC):
    """One of the two burning games with its options; the subclasses say what it does."""

    game: ClassVar[str]
    seats: ClassVar[range]
    hand_size: ClassVar[int]
    options: ClassVar[dict[str, Option]]

    def __init__(self, chosen: Mapping[str, object]) -> None:
        """Take the header's options; raises Refused for one that the rulings don't have."""
        for name, value in chosen.items():
            option = self.options.get(name)
            if option is None:
                raise Refused(f"{self.game} has no option {name}")
            if type(value) is not int or value not in option.allowed:
                raise Refused(f"option {name} can't be {value}")
        self._chosen = chosen
        fault = self.check()
        if fault:
            raise Refused(fault)

    def option(self, name: str) -> int:
        """The option's value in this match."""
        value = self._chosen.get(name, self.options[name].default)
        assert isinstance(value, int)
        return value

    def check(self) -> str | None:
        """Why these options don't go together, None if they do."""
        return None

    @abstractmethod
    def claim_fault(self, own_turns: int, total: int) -> str | None: ...

    @abstractmethod
    def claim_points(self, claimer: int, hands: Sequence[int]) -> list[int]: ...

    @abstractmethod
    def end_points(self, hands: Sequence[int]) -> list[int]: ...

    @abstractmethod
    def new_totals(self, totals: Sequence[int], points: Sequence[int]) -> list[int]: ...

    @abstractmethod
    def over(self, totals: Sequence[int]) -> bool: ...

    @abstractmethod
    def ends_at_run_out(self, run_outs: int) -> bool: ...

    @abstractmethod
    def reshuffled(self, pile: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]: ...

    @abstractmethod
    def ranks(
        self, totals: Sequence[int], claims: Sequence[int], hands: Sequence[int]
    ) -> list[int]: ...
