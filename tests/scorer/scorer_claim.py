"""The rules that are Claim!'s own: `claim.en.txt`, RULINGS X8 and Claim! 1 to 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from scorer_options import BurnRules, Option
from scorer_ranks import ranks_of


class Claim(BurnRules):
    """Claim!: four cards, claims after some laps, a flat 50, the fewest points at the target."""

    game = "claim"
    seats = range(2, 9)
    hand_size = 4
    options: ClassVar[dict[str, Option]] = {
        "target": Option(300, range(50, 1001)),
        "claim_laps": Option(2, range(11)),
        "stall_laps": Option(20),
        "max_laps": Option(100),
        "max_rounds": Option(500),
    }

    def check(self) -> str | None:
        """Why these options don't go together: a claim must come before the cap (X8)."""
        if self.option("max_laps") <= self.option("claim_laps"):
            return "max_laps must exceed claim_laps"
        return None

    def claim_fault(self, own_turns: int, total: int) -> str | None:
        """Why a seat that has completed so many turns may not claim (4)."""
        laps = self.option("claim_laps")
        if own_turns < laps:
            return f"the seat has completed {own_turns} of {laps} turns"
        return None

    def claim_points(self, claimer: int, hands: Sequence[int]) -> list[int]:
        """What each seat adds after a claim, from the hands' values (5)."""
        points = list(hands)
        alone = sum(hand <= hands[claimer] for hand in hands) == 1
        points[claimer] = 0 if alone else 50
        return points

    def end_points(self, hands: Sequence[int]) -> list[int]:
        """What each seat adds when a cap ended the round: its hand (X8)."""
        return list(hands)

    def new_totals(self, totals: Sequence[int], points: Sequence[int]) -> list[int]:
        """The totals after a round; there is no reset (6)."""
        return [total + added for total, added in zip(totals, points, strict=True)]

    def over(self, totals: Sequence[int]) -> bool:
        """Whether the match ends by its target: a total that reaches it (6)."""
        return max(totals) >= self.option("target")

    def ends_at_run_out(self, run_outs: int) -> bool:
        """Whether the deck's n-th run-out ends the round: never, it is shuffled again (3)."""
        return False

    def reshuffled(self, pile: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """The pile's cards that become the draw pile, and those that stay: none (3)."""
        return pile, ()

    def ranks(
        self, totals: Sequence[int], claims: Sequence[int], hands: Sequence[int]
    ) -> list[int]:
        """Every seat's rank: total, then more good claims, then the lower last hand (6, X11)."""
        good = [-count for count in claims]
        return ranks_of(list(zip(totals, good, hands, strict=True)))
