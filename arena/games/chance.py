"""All chance of a match, from its seed alone (RULINGS X6).

The algorithm is fixed, so that any program in any language can check a deal from the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

#: A seed is this many bytes long.
SEED_BYTES = 32
#: A block as numbers of two bytes, big-endian.
_NUMBERS = Struct(">16H")


class Chance:
    """One stream of chance: that of ``purpose`` number ``k`` in ``round`` of one match.

    Purposes are ``deal`` (k 0), ``reshuffle`` (k from 1), ``default`` (k the number of the turn
    in its round) and ``seat`` (round 0, k the seat).
    """

    def __init__(self, seed: bytes, game: str, round_: int, purpose: str, k: int) -> None:
        """Open the stream; ``ValueError`` for a seed of another length than 32 bytes."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a match seed has {SEED_BYTES} bytes, not {len(seed)}")
        text = f"|{game}|{round_}|{purpose}|{k}"
        self._key = hashlib.sha256(seed + text.encode("ascii")).digest()
        self._numbers = self._two_bytes()

    def block(self, index: int) -> bytes:
        """Return block ``index`` of the stream, 32 bytes."""
        return hashlib.sha256(self._key + index.to_bytes(4, "big")).digest()

    def _two_bytes(self) -> Iterator[int]:
        for index in count():
            yield from _NUMBERS.unpack(self.block(index))

    def below(self, m: int) -> int:
        """Draw a number from 0 to ``m`` - 1, each as likely as the others."""
        limit = 65536 - 65536 % m
        for number in self._numbers:
            if number < limit:
                return number % m
        raise AssertionError("the stream has no end")  # pragma: no cover

    def shuffled(self, cards: Iterable[T]) -> list[T]:
        """Return ``cards``, given in canonical order, shuffled; the first is the top."""
        shuffled = list(cards)
        m = len(shuffled)
        while m > 1:
            # ``below(m)`` written out: in short rounds, deals are a third of all that is done.
            number = next(self._numbers)
            if number < 65536 - 65536 % m:
                other = number % m
                m -= 1
                shuffled[m], shuffled[other] = shuffled[other], shuffled[m]
        return shuffled


def bot_seed(seed: bytes, game: str, seat: int) -> int:
    """Return the number that the bot on ``seat`` gets for its own chance, below 2**64."""
    return int.from_bytes(Chance(seed, game, 0, "seat", seat).block(0)[:8], "big")
