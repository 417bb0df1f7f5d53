"""Plays Claro by sampling: deals the cards that it cannot see, plays the round out, and counts.

The unseen cards are dealt to the other hands again and again, as far as their plays and passes
allow. Each card that fits is tried on every deal, and the one that wins the round most often is
played. Two things make that strong:

- All tries of a turn use the same deals, so that the difference between two cards is not drowned
  in the luck of the deal.
- Everybody else is taken to play as sensible players do, the lowest card that fits; so a card
  played also tells what its player does not hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arenabot import ClaroBot, ClaroCard, ClaroObservation, Play, serve
from arenabot.claro import Passed, Played

#: How many deals a turn is decided on: twice as many win hardly more.
DEALS = 60
#: A card with a lower number than this is not worth keeping for the next round. (To find the
#: discards by sampling, too, was tried; it did worse than this.)
KEEP_FROM = 34


class SamplingClaro(ClaroBot):
    def play(self, observation: ClaroObservation) -> Play:
        fitting = observation.fitting()
        if len(fitting) == 1:
            return Play(fitting[0])
        fits_on = observation.options.deck.fitting
        mine = sum(card.bit for card in observation.hand)
        unseen = [card.bit for card in observation.unseen()]
        others = others_of(observation)
        wins = Counter(dict.fromkeys(fitting, 0))
        for _ in range(DEALS):
            hands = self.deal(unseen, others, observation.seats)
            for card in fitting:
                hands[observation.seat] = mine ^ card.bit
                winner = last_to_play(hands.copy(), observation.seat, card, fits_on)
                wins[card] += winner == observation.seat
        return Play(wins.most_common(1)[0][0])

    def discard(self, observation: ClaroObservation) -> Iterable[ClaroCard]:
        # Jokers have no number and are kept.
        return [card for card in observation.hand if card.number and card.number < KEEP_FROM]

    def deal(self, unseen: list[int], others: list[Other], seats: int) -> list[int]:
        """Deal unseen cards to the other hands, each as likely as the others; one's own is empty.

        Cards and hands are bits here: a hand is the union of its cards' bits.
        """
        self.rng.shuffle(unseen)
        hands = [0] * seats
        dealt = 0
        for other in others:
            taken = dealt | other.without
            cards = [bit for bit in unseen if not bit & taken][: other.size]
            if len(cards) < other.size:
                # Somebody has not played as expected: then anything is possible.
                cards = [bit for bit in unseen if not bit & dealt][: other.size]
            hand = sum(cards)
            dealt |= hand
            hands[other.seat] = 0 if other.passed else hand
        return hands


class Other(NamedTuple):
    """What is known of another seat's hand."""

    seat: int
    size: int
    #: Cards that it does not hold.
    without: int
    #: Its cards play no more in this round; but nobody else has them.
    passed: bool


def others_of(observation: ClaroObservation) -> list[Other]:
    """What this round tells of each other hand; those that could hold least come first."""
    fits_on = observation.options.deck.fitting
    without = [0] * observation.seats
    fits = -1  # whoever leads may play any card
    for event in observation.history:
        if isinstance(event, Played):
            without[event.seat] |= fits & (event.card.bit - 1)
            fits = fits_on[event.card]
        elif isinstance(event, Passed):
            without[event.seat] |= fits
    others = [
        Other(seat, observation.hand_sizes[seat], without[seat], observation.passed[seat])
        for seat in range(observation.seats)
        if seat != observation.seat
    ]
    return sorted(others, key=lambda other: -other.without.bit_count())


def last_to_play(hands: list[int], seat: int, top: int, fits_on: Sequence[int]) -> int:
    """Play a round on from the card ``top`` that ``seat`` has just played; who wins it?

    Everyone plays the lowest card that fits. (That the last one left need not go on alone makes
    no difference to who was last.)
    """
    last = seat
    while any(hands):
        seat = (seat + 1) % len(hands)
        fitting = hands[seat] & fits_on[top]
        if fitting:
            card = fitting & -fitting
            hands[seat] ^= card
            top = card.bit_length() - 1
            last = seat
        else:
            hands[seat] = 0  # passes
    return last


if __name__ == "__main__":
    serve(SamplingClaro)
