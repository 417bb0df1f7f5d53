"""How many pages may follow at once what happens: each keeps a connection open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from arena.web.failures import Refused
from arena.web.visits import Visit

_MOST: Final = 500
_MOST_EACH: Final = 10
"""How many may be followed at once: by all who are signed in, by all who aren't, and by each person
or, not signed in, from each address."""


class Streams:
    """How many are open, of all kinds together.

    Whoever isn't signed in takes no place from those who are: somebody of these may be at a table.
    """

    def __init__(self) -> None:
        self._people: Counter[str] = Counter()
        self._places: Counter[str] = Counter()

    def check(self, visit: Visit) -> None:
        """Raises Refused if there are too many."""
        others, who = self._beside(visit)
        if others.total() >= _MOST or others[who] >= _MOST_EACH:
            raise Refused(429, "Too many pages follow what happens already.", again_in=30)

    @contextmanager
    def one_more(self, visit: Visit) -> Iterator[None]:
        """While one is open."""
        others, who = self._beside(visit)
        others[who] += 1
        try:
            yield
        finally:
            others[who] -= 1
            others += Counter()  # forgets who has none open

    def _beside(self, visit: Visit) -> tuple[Counter[str], str]:
        """Among whom a visitor is counted, and as whom."""
        author = visit.visitor.author
        return (self._places, visit.place) if author is None else (self._people, author)
