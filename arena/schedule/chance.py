"""Choices drawn from SHA-256: equal seeds give equal choices on every platform and Python."""

import hashlib
from collections.abc import Iterator

_WORD = 4  # bytes a choice takes, so a choice may be among up to 2**32


class Chance:
    """A stream of choices that belongs to one seed and one purpose.

    The same scheme as the deals' (RULINGS X6), with wider words: a schedule may have more than
    65536 of something.
    """

    __slots__ = ("_words",)

    def __init__(self, seed: bytes, purpose: str) -> None:
        text = f"|schedule|{purpose}".encode("ascii")
        # The seed is hashed first: it may have any length, so it must not run into the purpose.
        key = hashlib.sha256(hashlib.sha256(seed).digest() + text).digest()
        self._words = _words(key)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, all equally likely."""
        limit = (1 << 8 * _WORD) // bound * bound
        while True:
            word = next(self._words)
            if word < limit:
                return word % bound

    def shuffled(self, count: int) -> list[int]:
        """The numbers 0..count-1 in an order that is uniform over all orders."""
        items = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(key + counter.to_bytes(4, "big")).digest()
        for start in range(0, len(block), _WORD):
            yield int.from_bytes(block[start : start + _WORD], "big")
        counter += 1
