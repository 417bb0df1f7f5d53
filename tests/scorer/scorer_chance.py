"""Chance as ruling X6 fixes it: every card that falls follows from the match seed alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Purpose = Literal["deal", "reshuffle", "default", "seat"]


class Stream:
    """The numbers of one purpose: bytes of SHA-256 blocks, read in order (X6)."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._key = sha256(seed + label.encode("ascii")).digest()
        self._blocks = 0
        self._unread = b""

    def read(self, count: int) -> bytes:
        """The next `count` bytes."""
        while len(self._unread) < count:
            self._unread += sha256(self._key + self._blocks.to_bytes(4, "big")).digest()
            self._blocks += 1
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1: two bytes, again while they would favour the low ones."""
        fair = 65536 - 65536 % bound
        while True:
            number = int.from_bytes(self.read(2), "big")
            if number < fair:
                return number % bound


@dataclass(frozen=True, slots=True)
class Chance:
    """All the chance of one match."""

    seed: bytes
    game: str

    def stream(self, round_number: int, purpose: Purpose, k: int) -> Stream:
        """The stream of one shuffle or one default move."""
        return Stream(self.seed, f"|{self.game}|{round_number}|{purpose}|{k}")

    def deal(self, cards: Sequence[str], round_number: int) -> list[str]:
        """A round's deck before the deal, top first; `cards` in canonical order."""
        return _shuffled(cards, self.stream(round_number, "deal", 0))

    def reshuffle(self, cards: Sequence[str], round_number: int, k: int) -> list[str]:
        """The deck after the k-th reshuffle, top first; `cards` in canonical order."""
        return _shuffled(cards, self.stream(round_number, "reshuffle", k))

    def default(self, cards: Sequence[str], round_number: int, turn: int) -> str:
        """The card of a turn's default move; `cards` are its choices in canonical order."""
        return cards[self.stream(round_number, "default", turn).below(len(cards))]

    def bot_seed(self, seat: int) -> int:
        """The seed a seat's bot is given: the first 8 bytes of its stream, in round 0."""
        return int.from_bytes(self.stream(0, "seat", seat).read(8), "big")


def _shuffled(cards: Sequence[str], stream: Stream) -> list[str]:
    shuffled = list(cards)
    for i in range(len(shuffled) - 1, 0, -1):
        j = stream.below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled
