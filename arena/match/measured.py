"""What is known of the time from a question to its answer, beside what the seat is charged."""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """In seconds; the replay shows it in milliseconds."""

    #: CPU time that the bot used; ``None`` where it can't be measured.
    cpu: float | None
    #: What is not charged: waiting for a CPU that others had, and our being late.  With what is
    #: charged they make up the time on the wall.
    delay: float
    lag: float
