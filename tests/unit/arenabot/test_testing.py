"""What bot authors test with: positions from text, one turn, a whole match, clear errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from arena.games import GAMES, game
from arena.games import claims as claims_rules
from arenabot import (
    CLAIM,
    Bot,
    Card,
    ClaimBot,
    ClaimOptions,
    ClaimsBot,
    ClaimsOptions,
    ClaroBot,
    ClaroCard,
    Discard,
    Play,
    Reshuffle,
    Turn,
    burn,
    testing,
)
from arenabot.cards import cards
from arenabot.testing import BadMove, claro_observation, observation, play_match, play_turn

# --- positions


def test_a_position_of_a_few_words_is_an_ordinary_one() -> None:
    """The seat's second turn, everybody at 0 with a full hand, all draws from the deck."""
    seen = observation("Ks Kh 9s", zero="7d")
    assert seen.hand == cards("9s Ks Kh")
    assert (seen.seat, seen.seats, seen.round, seen.turn, seen.starter) == (0, 2, 1, 3, 0)
    assert (seen.hand_sizes, seen.totals) == ((3, 5), (0, 0))
    assert (seen.deck_size, seen.reshuffles, seen.history) == (39, 0, ())
    assert (seen.takeable, seen.can_claim) == (None, False)
    assert seen.options == ClaimsOptions()


def test_a_card_to_take_was_burned_by_the_previous_player() -> None:
    """History and pile say so, too."""
    seen = observation("Ks", zero="7d", takeable="Qc", seat=0, seats=3)
    assert seen.takeable == Card("Qc")
    assert seen.history == (Turn(2, burn("Qc"), None, False),)
    assert seen.pile() == cards("Qc")


def test_history_says_what_may_be_taken_and_which_turn_it_is() -> None:
    """The top of the last burn, after a reshuffle too; in Claim! that takes it along."""
    history: list[Turn | Reshuffle] = [
        Turn(0, burn("4s"), Card("5s"), False),
        Turn(1, burn("Qc Qd"), None, False),
        Reshuffle(1, None, 1),
    ]
    seen = observation("Ks", zero="7d", history=history)
    assert (seen.turn, seen.reshuffles, seen.takeable) == (3, 1, Card("Qd"))
    claim = observation("Ks", zero="7d", history=history, options=ClaimOptions())
    assert claim.takeable is None
    assert observation("Ks", zero="7d", history=[]).takeable is None


@pytest.mark.parametrize(
    ("hand", "turn", "options", "may"),
    [
        ("2s 3s 5s", None, None, True),
        ("2s 4s 5s", None, None, False),
        ("2s 3s", 2, None, False),
        ("2s 3s", 3, None, True),
        ("Ks Qs", 5, ClaimOptions(), True),
        ("Ks Qs", 4, ClaimOptions(), False),
        ("Ks Qs", 1, ClaimOptions(claim_laps=0), True),
    ],
)
def test_a_claim_is_open_as_the_rules_say(
    hand: str, turn: int | None, options: Any, may: bool
) -> None:
    """Claims: from the second turn with 10 points or less; Claim!: after its laps."""
    assert observation(hand, zero="7d", turn=turn, options=options).can_claim is may
    assert testing.CLAIM_LIMIT == claims_rules.CLAIM_LIMIT


def test_a_position_of_claro_is_as_brief() -> None:
    """The last card played is the top; with none, one leads."""
    seen = claro_observation("12 20 31 J1", played="11 28", passed=[1])
    assert [str(card) for card in seen.fitting()] == ["20", "31", "J1"]
    assert (seen.top, seen.turn, seen.starter) == (ClaroCard("28"), 4, 0)
    assert (seen.passed, seen.stars) == ((False, True, False), (0, 0, 0))
    assert seen.draw_size == 55 - 4 - 5 - 5 - 2
    leading = claro_observation("12 20")
    assert leading.legal_actions() == [Play(ClaroCard("12")), Play(ClaroCard("20"))]
    assert claro_observation("12", discarding=True).legal_actions() == [
        Discard(),
        Discard((ClaroCard("12"),)),
    ]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda: observation("", zero="7d"), "at least one card"),
        (lambda: observation("Ks Ks", zero="7d"), "named twice: Ks"),
        (lambda: observation("Ks 7d", zero="7d"), "named twice: 7d"),
        (lambda: observation("Ks", zero="7d", takeable="Ks"), "named twice: Ks"),
        (lambda: observation("10s", zero="7d"), "no such card: '10s'"),
        (lambda: observation("Ks", zero="7"), "no such card: '7'"),
        (lambda: observation("Ks", zero="7d", seat=2), "with 2 seats they are 0 to 1"),
        (lambda: observation("Ks", zero="7d", totals=[1]), "1 numbers were given for 2 seats"),
        (lambda: observation("Ks", zero="7d", hand_sizes=[2, 5]), "seat 0, which holds 1 cards"),
        (lambda: observation("Ks", zero="7d", takeable="Qc", turn=1), "first turn of a round"),
        (
            lambda: observation("Ks", zero="7d", takeable="Qc", history=[]),
            "takeable or history, not both",
        ),
        (lambda: claro_observation("12 12"), "named twice: 12"),
        (lambda: claro_observation("12", played="12"), "named twice: 12"),
        (lambda: claro_observation("51"), "no such card: '51'"),
    ],
)
def test_what_cannot_be_at_a_table_is_refused(wrong: Callable[[], object], error: str) -> None:
    """One line that says what is wrong."""
    with pytest.raises(ValueError, match=error) as raised:
        wrong()
    assert "\n" not in str(raised.value)


# --- one turn


class Returning(ClaimsBot):
    """Returns what it was made to return."""

    what: Any = None

    def turn(self, observation: Any) -> Any:
        return self.what


def returning(what: Any) -> ClaimsBot:
    """A bot that will return ``what``."""
    bot = Returning()
    bot.what = what
    return bot


@pytest.mark.parametrize("move", [burn("Ks"), burn("Kh Ks", "pile"), burn("9s", "pile")], ids=str)
def test_a_legal_move_comes_back_as_the_bot_made_it(move: Any) -> None:
    """In the bot's own order of burning."""
    seen = observation("Ks Kh 9s", zero="7d", takeable="Qc")
    assert play_turn(returning(move), seen) is move


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (None, "Returning.turn returned no action: None"),
        ("claim", "Returning.turn returned no action: 'claim'"),
        ([burn("Ks")], "Returning.turn returned no action: [Burn("),
        ("\x1b[31m" + "x" * 500, "Returning.turn returned no action: '\\x1b[31mxxx"),
        (burn("Qs"), "Returning.turn returned an illegal move: burn Qs, draw from the deck"),
        (burn("Ks Ks"), "Returning.turn returned an illegal move: burn Ks Ks, draw"),
        (burn("Ks", "pile"), "Returning.turn returned an illegal move: burn Ks, draw from the pi"),
        (CLAIM, "Returning.turn returned an illegal move: claim"),
        (Play(ClaroCard("12")), "Returning.turn returned an illegal move: play 12"),
    ],
)
def test_nonsense_fails_with_what_was_returned_and_what_is_legal(what: Any, said: str) -> None:
    """Three short lines: what it returned, in which position, and the legal moves."""
    with pytest.raises(BadMove, match=re.escape(said)) as raised:
        play_turn(returning(what), observation("Ks 9s", zero="7d"))
    first, position, legal = str(raised.value).splitlines()
    assert len(first) < 300
    assert position == "  with hand 9s Ks, zero card 7d, no pile card to take"
    assert legal == "  legal: burn 9s, draw from the deck | burn Ks, draw from the deck"


def test_a_long_list_of_legal_moves_is_cut() -> None:
    """The first twelve, and how many more there are."""
    seen = observation("Ks Kh Kd 9s 9h", zero="7d", takeable="Qc")
    assert len(seen.legal_actions()) == 20
    with pytest.raises(BadMove, match=r"\| and 8 more$"):
        play_turn(returning(None), seen)


def test_a_class_is_started_as_at_the_start_of_a_match() -> None:
    """It knows its seat and has chance of its own, from the seed that was given."""

    class Rolling(ClaimsBot):
        def match_started(self, match: Any) -> None:
            self.started = (match.seat, match.seats, match.options.target)

        def turn(self, observation: Any) -> Any:
            assert self.started == (1, 3, 150)
            return self.rng.choice(observation.legal_actions())

    seen = observation("2s 3s 4s 5s 6s", zero="7d", seat=1, seats=3, options=ClaimsOptions(150))
    moves = [play_turn(Rolling, seen, bot_seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert moves[0] == moves[1]
    assert len(set(moves)) > 1


def test_an_object_keeps_its_memory_from_turn_to_turn() -> None:
    """It is started once, at its first turn, if its author has not done so."""

    class Counting(ClaimsBot):
        def match_started(self, match: Any) -> None:
            self.turns = 0

        def turn(self, observation: Any) -> Any:
            self.turns += 1
            return observation.legal_actions()[0]

    bot = Counting()
    for _ in range(3):
        play_turn(bot, observation("Ks", zero="7d"))
    assert bot.turns == 3


def test_an_error_of_the_bots_own_comes_through() -> None:
    """With its own traceback."""

    class Broken(ClaimsBot):
        def turn(self, observation: Any) -> Any:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        play_turn(Broken, observation("Ks", zero="7d"))


def test_a_bot_of_another_game_is_refused() -> None:
    """The error names both games."""

    class Other(ClaimBot):
        def turn(self, observation: Any) -> Any:
            raise NotImplementedError

    with pytest.raises(ValueError, match="Other plays claim, but this is claims"):
        play_turn(Other, observation("Ks", zero="7d"))


def test_a_turn_of_claro_and_its_discards() -> None:
    """Both methods of a ``ClaroBot`` are reached through one turn."""

    class Low(ClaroBot):
        def play(self, observation: Any) -> Any:
            return observation.legal_actions()[0]

        def discard(self, observation: Any) -> Any:
            return observation.hand[:1]

    assert play_turn(Low, claro_observation("12 31", played="28")) == Play(ClaroCard("31"))
    assert play_turn(Low, claro_observation("12 31", discarding=True)) == Discard(
        (ClaroCard("12"),)
    )

    class Dreamer(Low):
        def play(self, observation: Any) -> Any:
            return Play(ClaroCard("12"))

    with pytest.raises(BadMove, match="on top 28\n  legal: play 31"):
        play_turn(Dreamer, claro_observation("12 31", played="28"))


# --- whole matches


class Diary:
    """What happens to a bot, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []


def writing(base: Any, diary: Diary) -> type[Bot]:
    """A bot of any game that plays at random and writes a diary."""

    class Writing(base):  # type: ignore[misc]
        def match_started(self, match: Any) -> None:
            diary.lines.append("start")

        def turn(self, observation: Any) -> Any:
            diary.lines.append("turn")
            return self.rng.choice(observation.legal_actions())

        def play(self, observation: Any) -> Any:
            raise NotImplementedError

        def round_ended(self, end: Any) -> None:
            diary.lines.append("round")

        def match_ended(self, result: Any) -> None:
            diary.lines.append("end")

    return Writing


@pytest.mark.parametrize(
    ("name", "base"), [("claims", ClaimsBot), ("claim", ClaimBot), ("claro", ClaroBot)]
)
def test_a_whole_match_is_played_and_told_from_start_to_end(name: str, base: Any) -> None:
    """Each bot hears the start once, each round's end, and the end once, last."""
    seats = GAMES[name].seats[0]
    diaries = [Diary() for _ in range(seats)]
    match = game(name).new_match(seats=seats, seed=bytes(32))
    result = play_match(match, [writing(base, diary) for diary in diaries])
    assert result == match.result()
    for diary in diaries:
        assert (diary.lines[0], diary.lines[-1]) == ("start", "end")
        assert diary.lines.count("start") == diary.lines.count("end") == 1
        assert diary.lines.count("round") == match.round
        assert "turn" in diary.lines


def test_equal_seeds_give_equal_matches() -> None:
    """The bots' own chance included."""
    totals = {
        play_match(
            game("claims").new_match(seats=2, seed=bytes(32)),
            [writing(ClaimsBot, Diary())] * 2,
            bot_seed=seed,
        ).totals
        for seed in (1, 1, 2, 3)
    }
    assert 1 < len(totals) < 4


def test_a_match_needs_a_bot_for_each_seat() -> None:
    """The error says how many."""
    with pytest.raises(ValueError, match="the match has 2 seats, but 3 bots were given"):
        play_match(game("claims").new_match(seats=2, seed=bytes(32)), [Returning] * 3)


def test_a_match_stops_at_the_first_bad_move() -> None:
    """With the same text as a single turn."""
    with pytest.raises(BadMove, match=r"Returning\.turn returned no action: None"):
        play_match(game("claims").new_match(seats=2, seed=bytes(32)), [Returning] * 2)
