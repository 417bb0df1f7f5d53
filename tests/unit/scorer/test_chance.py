"""X6: the algorithm of chance. The numbers come from a Perl program written from X6 alone."""

from __future__ import annotations

from collections import Counter

import pytest
import scorer_cards
import scorer_claro
from scorer_chance import Chance, Stream

SEED = bytes(32)
CLAIMS_DEAL = """
Ah 3h 4d 7s Qh 7h 4h Th Kc 8h Td 8d Ts
Kd As Ks 2d 6h 8s 8c 9s 5c Jd Kh Ac Js
3c Qs 2s 6s 6d 2h Jh Qd Ad 7c 4s 3s 4c
6c 9c 5d 7d 2c 9h 5s 5h Qc Tc 9d 3d Jc
"""
CLAIM_DEAL = """
Kh 9c 5d 2s Js 7d 3h 2c 4h 7c Kc 4d 5c
4s 6d 4c 3s 5h 5s 6h Jd 7s 8h 8s 2d Jh
As 9h 8c 3c 3d Th Ac Qs Qh Ts 7h Ks 6s
Jc 9s Ah 2h 9d Tc Qc Td Qd Kd 8d 6c Ad
"""
CLARO_DEAL = """
35 37 J1 5 33 44 2 49 30 29 38 41 23
47 43 42 J2 50 40 45 20 21 32 48 8 4
25 31 18 14 36 27 10 1 39 34 16 11 6
26 J5 7 15 46 19 13 J4 3 12 28 17 22
J3 24 9
"""


@pytest.mark.parametrize(
    ("game", "cards", "round_number", "expected"),
    [
        (
            "claims",
            scorer_cards.CARDS,
            1,
            CLAIMS_DEAL,
        ),
        (
            "claim",
            scorer_cards.CARDS,
            2,
            CLAIM_DEAL,
        ),
        (
            "claro",
            scorer_claro.CARDS,
            0,
            CLARO_DEAL,
        ),
    ],
)
def test_a_deal_is_the_one_another_program_derives(
    game: str, cards: tuple[str, ...], round_number: int, expected: str
) -> None:
    assert Chance(SEED, game).deal(cards, round_number) == expected.split()


def test_a_reshuffle_is_the_one_another_program_derives() -> None:
    pile = ["2s", "9s", "4h", "9d", "Qc"]
    assert Chance(SEED, "claims").reshuffle(pile, 3, 2) == ["9d", "Qc", "4h", "9s", "2s"]


def test_a_default_move_picks_the_card_another_program_derives() -> None:
    assert Chance(SEED, "claims").default(["As", "5h", "9d"], 2, 7) == "5h"
    assert Chance(SEED, "claro").default(["20", "40", "45"], 2, 2) == "20"


def test_a_bots_seed_is_the_first_eight_bytes_of_its_stream() -> None:
    assert Chance(SEED, "claims").bot_seed(3) == 11957988540528287449


def test_numbers_at_or_above_the_largest_multiple_are_drawn_again() -> None:
    class Scripted(Stream):
        def __init__(self, *numbers: int) -> None:
            self._unread = b"".join(number.to_bytes(2, "big") for number in numbers)

    # 65536 = 5041 * 13 + 3, so 65533 to 65535 would favour 0, 1 and 2.
    assert Scripted(65535, 65533, 65532).below(13) == 12
    assert Scripted(65535).below(2) == 1


def test_every_order_of_three_cards_is_as_likely_as_the_others() -> None:
    orders = Counter(
        tuple(Chance(SEED, "claims").reshuffle(["As", "2s", "3s"], 1, k)) for k in range(6000)
    )
    assert len(orders) == 6
    assert all(880 < count < 1120 for count in orders.values())
