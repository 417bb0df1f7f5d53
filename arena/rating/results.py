"""What ratings and standings are made from."""

from dataclasses import dataclass


class RatingError(ValueError):
    """Results or settings that make no sense. The message is one line that says which and why."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How one match ended; the lists go by seat. Raises RatingError if they don't fit together."""

    #: The match's place in the schedule, as (block, rotation); across tournaments a number that
    #: orders these comes first. Results are taken in this order, and no two may have the same.
    order: tuple[int, ...]
    #: Who sat there: any numbers, each once.
    entries: tuple[int, ...]
    #: From 1 for the winner; those who tie have the same, and the next are skipped (RULINGS X11).
    ranks: tuple[int, ...]
    #: The game's own count at the end: points, or stars.
    points: tuple[int, ...]
    #: How many faults each seat committed.
    faults: tuple[int, ...]
    #: How much better each seat's cards were than chance owes it, in any unit; None: not known.
    luck: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        seats = len(self.entries)
        if seats < 2 or len(set(self.entries)) < seats:
            raise RatingError(
                f"a match has two or more different entries, but {self.order} has {self.entries}"
            )
        told = (
            self.ranks,
            self.points,
            self.faults,
            self.ranks if self.luck is None else self.luck,
        )
        if any(len(of_seats) != seats for of_seats in told):
            raise RatingError(f"the result {self.order} does not say the same for all its seats")
        if self.ranks != tuple(
            1 + sum(other < rank for other in self.ranks) for rank in self.ranks
        ):
            raise RatingError(f"the ranks {self.ranks} of the result {self.order} do not count up")
