"""The rules that are Claims' own: `claims.txt`, RULINGS X8 and Claims 1 to 10."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from scorer_options import BurnRules, Option
from scorer_ranks import ranks_of


class Claims(BurnRules):
    """Claims: five cards, claims at ten or less, three reshuffles, totals that reset."""

    game = "claims"
    seats = range(2, 8)
    hand_size = 5
    options: ClassVar[dict[str, Option]] = {
        "target": Option(300, (150, 300)),
        "stall_laps": Option(20),
        "max_laps": Option(500),
        "max_rounds": Option(500),
    }

    def claim_fault(self, own_turns: int, total: int) -> str | None:
        """Why a seat that has played so many turns and holds so much may not claim (6)."""
        if own_turns < 1:
            return "it is the seat's first turn of the round"
        if total > 10:
            return f"the hand is worth {total}, more than 10"
        return None

    def claim_points(self, claimer: int, hands: Sequence[int]) -> list[int]:
        """What each seat adds after a claim, from the hands' values (7)."""
        points = list(hands)
        beaten_by = sum(hand <= hands[claimer] for hand in hands) - 1
        points[claimer] = 50 * beaten_by
        return points

    def end_points(self, hands: Sequence[int]) -> list[int]:
        """What each seat adds when nobody claimed: the lowest hands nothing (8, X8)."""
        lowest = min(hands)
        return [0 if hand == lowest else hand for hand in hands]

    def new_totals(self, totals: Sequence[int], points: Sequence[int]) -> list[int]:
        """The totals after a round; hitting the target exactly goes back to 0 (9)."""
        target = self.option("target")
        sums = [total + added for total, added in zip(totals, points, strict=True)]
        return [0 if total == target else total for total in sums]

    def over(self, totals: Sequence[int]) -> bool:
        """Whether the match ends by its target: a total above it (9)."""
        return max(totals) > self.option("target")

    def ends_at_run_out(self, run_outs: int) -> bool:
        """Whether the deck's n-th run-out ends the round: the fourth does (8)."""
        return run_outs > 3

    def reshuffled(self, pile: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """The pile's cards (top last) that become the deck, and those that stay (8)."""
        return pile[:-1], pile[-1:]

    def ranks(
        self,
        totals: Sequence[int],
        claims: Sequence[int],
        hands: Sequence[int],
    ) -> list[int]:
        """Every seat's rank: by total, ties share (9, X11)."""
        return ranks_of(totals)
