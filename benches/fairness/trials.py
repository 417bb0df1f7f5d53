"""One run of all ways on one field. (Apart from the command, so that other processes find it.)"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from arena.rating import ByMatch, TrueSkillRater
from benches.fairness import ways
from benches.fairness.cases import Case, Played

#: A run of (c) stops when neighbours are separated with this probability.
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Run:
    """What became of one field with one seed."""

    #: For each way: was its order right, by mark?
    right: dict[str, list[bool]]
    #: After how many matches the adaptive way stopped; None if it did not before the last mark.
    stopped: int | None
    #: Whether it called two separated that stood the wrong way round.
    wrong: bool


def run(case: Case | Played, marks: list[int], seed: int) -> Run:
    """Run all ways on one field."""
    name = str(seed)
    field = case.field(name)
    told = (field, case.seats, marks, name)
    ours = ByMatch(TrueSkillRater(draw_probability=case.draws))
    orders = {
        "a": ways.random_tables(*told),
        "a'": ways.random_tables(*told, partial(ways.as_peers_do, drift=0)),
        "b": ways.our_blocks(*told, lambda: ours),
    }
    right = {way: [order == field.right_order for order in seen] for way, seen in orders.items()}
    waves = list(ways.adaptive(field, case.seats, marks[-1], name, CONFIDENCE))
    seen = [next((w.order for w in reversed(waves) if w.matches <= mark), ()) for mark in marks]
    right["c"] = [order == field.right_order for order in seen]
    last = waves[-1]
    return Run(right, last.matches if last.clear else None, any(wave.wrong for wave in waves))
