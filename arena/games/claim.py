"""Claim!: what sets it apart (RULINGS, Claim! 1 to 7)."""

from __future__ import annotations

from typing import ClassVar

from arena.games.burn import BurnGame, BurnState, ranks_of
from arenabot.cards import Card
from arenabot.options import ClaimOptions

#: What a claimer adds instead of its hand when the claim fails (Claim! 5).
PENALTY = 50


class ClaimState(BurnState[ClaimOptions]):
    """A match of Claim! in progress."""

    game: ClassVar[str] = "claim"
    dealt: ClassVar[int] = 4
    claim_opens: ClassVar[str] = "after claim_laps turns of one's own in the round"

    def _may_claim(self, seat: int) -> bool:  # noqa: ARG002 - Claims looks at the hand too
        """After ``claim_laps`` turns of one's own in the round, whatever the hand (Claim! 4)."""
        return self._turns >= self.options.claim_laps * self.seats

    def _claim_points(self, at_or_below: int) -> int:
        """A flat 50 if anyone is at or below (Claim! 5)."""
        return PENALTY if at_or_below else 0

    def _unclaimed_points(self) -> list[int]:
        """Everyone adds their hand (X8)."""
        return self._costs.copy()

    def _last_run_out(self) -> bool:
        """The pile becomes the new draw pile as often as needed (Claim! 3)."""
        return False

    def _clear_pile(self) -> list[Card]:
        """The whole pile goes back, so the next seat must draw from the deck (Claim! 3)."""
        back, self._pile = self._pile, []
        self._takeable = None
        return back

    def _after_adding(self, total: int) -> int:
        """No exact-hit reset (Claim! 6)."""
        return total

    def _target_met(self) -> bool:
        """A total that reaches the target ends the match (Claim! 6)."""
        return max(self._totals) >= self.options.target

    def _ranks(self) -> tuple[int, ...]:
        """By total, then more successful claims, then the lower last hand (Claim! 6, X11)."""
        return ranks_of(
            [
                (total, -good, cost)
                for total, good, cost in zip(
                    self._totals, self._good_claims, self._costs, strict=True
                )
            ]
        )


CLAIM = BurnGame("claim", "Claim!", range(2, 9), ClaimOptions, ClaimState)
