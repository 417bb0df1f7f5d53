"""Claims: what sets it apart (RULINGS, Claims 1 to 10)."""

from __future__ import annotations

from typing import ClassVar

from arena.games.burn import BurnGame, BurnState, ranks_of
from arenabot.cards import Card
from arenabot.options import ClaimsOptions

#: A claim needs a hand of this many points or less (Claims 6).
CLAIM_LIMIT = 10
#: What a claimer adds for each other player at or below its hand (Claims 7).
PENALTY = 50
#: How often the pile becomes a new deck in one round (Claims 8).
RESHUFFLES = 3


class ClaimsState(BurnState[ClaimsOptions]):
    """A match of Claims in progress."""

    game: ClassVar[str] = "claims"
    dealt: ClassVar[int] = 5
    claim_opens: ClassVar[str] = (
        f"from one's second turn of a round, with {CLAIM_LIMIT} points or less"
    )

    def _may_claim(self, seat: int) -> bool:
        """From one's second turn of the round, with 10 points or less (Claims 6)."""
        return self._turns >= self.seats and self._costs[seat] <= CLAIM_LIMIT

    def _claim_points(self, at_or_below: int) -> int:
        """50 for each other player at or below (Claims 7)."""
        return PENALTY * at_or_below

    def _unclaimed_points(self) -> list[int]:
        """The lowest hands add nothing, the others add theirs (Claims 8, X8)."""
        lowest = min(self._costs)
        return [0 if cost == lowest else cost for cost in self._costs]

    def _last_run_out(self) -> bool:
        """The fourth run-out ends the round (Claims 8)."""
        return self._reshuffles == RESHUFFLES

    def _clear_pile(self) -> list[Card]:
        """All but the top card goes back; the next seat may still take that one (Claims 8)."""
        back = self._pile[:-1]
        del self._pile[:-1]
        return back

    def _after_adding(self, total: int) -> int:
        """A total that equals the target becomes 0 (Claims 9)."""
        return 0 if total == self.options.target else total

    def _target_met(self) -> bool:
        """Any total over the target ends the match (Claims 9)."""
        return max(self._totals) > self.options.target

    def _ranks(self) -> tuple[int, ...]:
        """By total (X11)."""
        return ranks_of([(total,) for total in self._totals])


CLAIMS = BurnGame("claims", "Claims", range(2, 8), ClaimsOptions, ClaimsState)
