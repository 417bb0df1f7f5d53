"""Claro's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from arenabot.claro.cards import ClaroDeck, standard_deck
from arenabot.options import OptionError, Options


@dataclass(frozen=True, slots=True)
class ClaroOptions(Options):
    """The options of Claro.  Raises ``OptionError`` for a deck that is none."""

    #: Which cards show which stars (Claro 1).
    deck: ClaroDeck = field(default_factory=standard_deck)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Make options; ``deck`` is a deck file's contents, or ``None`` for the standard deck."""
        for name in given:
            if name != "deck":
                raise OptionError(f"unknown option {name!r}; there are: deck")
        deck = given.get("deck")
        return cls() if deck is None else cls(ClaroDeck.of(deck))

    def as_dict(self) -> dict[str, Any]:
        """The deck, in full unless it is the standard one, so that a replay stands alone."""
        return {"deck": None if self.deck == standard_deck() else self.deck.as_dict()}
