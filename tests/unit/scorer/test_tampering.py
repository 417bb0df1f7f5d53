"""Every kind of line, tampered with in turn, is refused, and with its own number."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
import scorer
import scorer_claro
from scorer_cards import CARDS
from scorer_chance import Chance
from scorer_claim import Claim
from scorer_claims import Claims
from scorer_claro import Deck
from scorer_ranks import ranks_of
from scorer_round import Round
from scorer_samples import Habits, Replay, sample

SHORT = {"max_rounds": 2, "max_laps": 8, "stall_laps": 8}
REPLAYS = {
    # Kept short: small tables by the caps, large ones that reshuffle by one round.
    "claims": sample("claims", 3, 4, SHORT, Habits(default=0.2)),
    "claims-reshuffles": sample("claims", 7, 1, {"max_rounds": 1}, Habits(claim=0, default=0.1)),
    "claim": sample("claim", 3, 4, SHORT, Habits(default=0.2)),
    "claim-reshuffles": sample("claim", 8, 1, {"max_rounds": 1, "max_laps": 9}, Habits(claim=0)),
    "claro": sample("claro", 3, 5, habits=Habits(default=0.2)),
    "claro-reshuffles": sample("claro", 6, 72, habits=Habits(discard=0.8)),
}
NAMES = list(REPLAYS)
# What may be otherwise, names and players' choices, or shows only later; tests of their own
# below tamper with most of these.
FREE = {
    "header": {"engine", "match", "seats", "options", "seed"},
    "turn": {"action", "fault", "measured"},
    "play": {"card", "fault"},
    "discard": {"cards", "fault"},
}


def refused(replay: Replay, line: int, reason: str = "") -> None:
    """Assert that the replay is refused at this line (from 1), for a reason with these words."""
    verdict = scorer.score(replay)
    assert not verdict.ok
    assert (verdict.line, reason in str(verdict.reason)) == (line, True), verdict


def tampered(replay: Replay, index: int, **changes: object) -> Replay:
    """A copy in which one line says something else."""
    return [*replay[:index], {**replay[index], **changes}, *replay[index + 1 :]]


def find(replay: Replay, kind: str, **values: object) -> int:
    """The index of the first line of this type with these values."""
    return next(
        i
        for i, line in enumerate(replay)
        if line["type"] == kind and values.items() <= {k: line.get(k) for k in values}.items()
    )


def wrong(value: Any) -> Iterator[object]:
    """Values that differ from this one."""
    if isinstance(value, list):
        lists = (value[:-1], [*value, *value[:1]], value[::-1], [*value, "x"], None)
        yield from (other for other in lists if other != value)
    elif isinstance(value, bool) or value is None:
        yield from (0, "x", value is None or not value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, float(value), value == 1, str(value), None)
    else:
        yield from (f"{value}x", "", None, 3)


@pytest.mark.parametrize("name", NAMES)
def test_any_value_changed_is_refused_at_its_line(name: str) -> None:
    replay = REPLAYS[name]
    for index, line in enumerate(replay):
        for key in line.keys() - FREE.get(line["type"], set()):
            for other in wrong(line[key]):
                refused(tampered(replay, index, **{key: other}), index + 1)


@pytest.mark.parametrize("name", NAMES)
def test_any_line_left_out_is_refused_where_it_is_missing(name: str) -> None:
    replay = REPLAYS[name]
    for index, line in enumerate(replay):
        shorter = [*replay[:index], *replay[index + 1 :]]
        if replay[index - 1]["type"] == "round_end" and line["type"] in {"refill", "reshuffle"}:
            # The winner's refill may also come behind the discards, so it is missed there.
            assert not scorer.score(shorter).ok
        elif not (line["type"] == "refill" and line["cards"] == []):
            refused(shorter, index + 1)


@pytest.mark.parametrize("name", NAMES)
def test_any_line_said_twice_is_refused_the_second_time(name: str) -> None:
    replay = REPLAYS[name]
    for index in range(len(replay)):
        refused([*replay[: index + 1], *replay[index:]], index + 2)


@pytest.mark.parametrize("name", NAMES)
def test_two_lines_in_the_wrong_order_are_refused_at_the_first(name: str) -> None:
    replay = REPLAYS[name]
    for index, (line, after) in enumerate(pairwise(replay)):
        kinds = line["type"], after["type"]
        # The place of a winner's refill, and whether an empty one is written, is free.
        if kinds != ("refill", "discard") and not (kinds[0] == "refill" and not line["cards"]):
            refused([*replay[:index], after, line, *replay[index + 2 :]], index + 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_cut_off_anywhere_is_refused_at_its_end(name: str) -> None:
    replay = REPLAYS[name]
    for length in range(len(replay)):
        refused(replay[:length], length + 1, "the replay ends")


@pytest.mark.parametrize("name", NAMES)
def test_two_cards_swapped_anywhere_in_a_deal_or_a_new_deck_are_refused(name: str) -> None:
    replay = REPLAYS[name]
    for index, line in enumerate(replay):
        for i in range(len(line.get("deck", ())) - 1):
            deck = list(line["deck"])
            deck[i], deck[i + 1] = deck[i + 1], deck[i]
            refused(tampered(replay, index, deck=deck), index + 1, "deck")
        if line["type"] in {"round", "round_end"} and "hands" in line:
            hands = copy.deepcopy(line["hands"])
            hands[0][-1], hands[1][-1] = hands[1][-1], hands[0][-1]
            refused(tampered(replay, index, hands=hands), index + 1, "hands")


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_is_refused_at_the_first_deal(name: str) -> None:
    seed = REPLAYS[name][0]["seed"]
    refused(tampered(REPLAYS[name], 0, seed=f"{seed[:-1]}{'01'[seed[-1] == '0']}"), 2)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "arena-replay/2"}, "format"),
        ({"game": "poker"}, "no game"),
        ({"game": "claro", "options": {"target": 300}}, "no option"),
        ({"seed": "0" * 63}, "64 hexadecimal"),
        ({"seed": " " + "0" * 63}, "64 hexadecimal"),
        ({"seats": []}, "2 to 7 players, not 0"),
        ({"seats": [{}] * 8}, "2 to 7 players, not 8"),
        ({"seats": 3}, "not a list"),
        ({"options": {"target": 200}}, "target can't be 200"),
        ({"options": {"house_rule": 1}}, "no option house_rule"),
        ({"options": {"max_rounds": 2.0}}, "max_rounds can't be 2.0"),
        ({"options": None}, "not an object"),
    ],
)
def test_a_header_that_no_match_can_have_is_refused(
    changes: dict[str, object], reason: str
) -> None:
    refused(tampered(REPLAYS["claims"], 0, **changes), 1, reason)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"target": 300}, "no option target"),
        ({"deck": 3}, "the deck is not an object"),
        ({"deck": {"star_colours": ["red"], "cards": []}}, "three colours"),
    ],
)
def test_a_header_that_no_match_of_claro_can_have_is_refused(
    options: dict[str, object], reason: str
) -> None:
    refused(tampered(REPLAYS["claro"], 0, options=options), 1, reason)


def test_a_match_of_claro_may_name_no_deck_for_the_standard_one() -> None:
    assert scorer.score(tampered(REPLAYS["claro"], 0, options={"deck": None})).ok


def test_a_line_that_is_no_object_or_has_no_type_is_refused() -> None:
    replay: list[Any] = list(REPLAYS["claims"])
    odd_lines: list[tuple[Any, str]] = [([], "not an object"), ({"round": 1}, "type")]
    for line, reason in odd_lines:
        refused([*replay[:4], line, *replay[4:]], 5, reason)


@pytest.mark.parametrize("name", ["claims", "claim"])
@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (None, "not an object"),
        ({}, "not a list"),
        ({"claim": True}, "may not claim"),
        ({"claim": False}, "claim is false"),
        ({"claim": True, "burn": ["As"], "draw": "deck"}, "either"),
        ({"burn": [], "draw": "deck"}, "nothing is burned"),
        ({"burn": "As", "draw": "deck"}, "not a list"),
        ({"burn": ["HELD", "HELD"], "draw": "deck"}, "twice"),
        ({"burn": ["OTHER"], "draw": "deck"}, "not held"),
        ({"burn": ["HELD", "MIXED"], "draw": "deck"}, "different ranks"),
        ({"burn": ["HELD"], "draw": "pile"}, "nothing may be taken"),
        ({"burn": ["HELD"], "draw": "sleeve"}, "neither deck nor pile"),
        ({"burn": ["HELD"]}, "draw"),
    ],
)
def test_an_illegal_first_turn_is_refused(name: str, action: object, reason: str) -> None:
    replay = REPLAYS[name]
    hands = replay[1]["hands"]
    held = hands[0][0]
    mixed = next(card for card in hands[0] if card[0] != held[0])
    shown = json.dumps(action).replace("HELD", held).replace("OTHER", hands[1][0])
    action = json.loads(shown.replace("MIXED", mixed))
    turn = tampered(replay, 2, action=action, default=False, fault=None)
    refused(turn, 3, reason)


def test_a_claim_above_ten_is_refused_in_claims() -> None:
    replay = sample("claims", 2, 0, {"max_laps": 3, "max_rounds": 1}, Habits(claim=0, default=0))
    index = find(replay, "turn", turn=3)
    refused(tampered(replay, index, action={"claim": True}), index + 1, "more than 10")


def test_a_claim_one_lap_too_early_is_refused_in_claim() -> None:
    replay = sample("claim", 2, 0, {"max_laps": 3, "max_rounds": 1}, Habits(claim=0, default=0))
    early, due = find(replay, "turn", turn=4), find(replay, "turn", turn=5)
    claim: dict[str, object] = {"action": {"claim": True}, "drawn": None}
    refused(tampered(replay, early, **claim), early + 1, "completed 1 of 2 turns")
    refused(tampered(replay, due, **claim), due + 2, "the round has ended: claim")


@pytest.mark.parametrize("game", ["claims", "claim"])
def test_an_older_card_of_the_pile_can_not_be_taken(game: str) -> None:
    replay = sample(game, 3, 2, {"max_laps": 3, "max_rounds": 1}, Habits(0, 1, 0))
    index = find(replay, "turn", turn=3)
    older = replay[2]["action"]["burn"][-1]
    assert replay[index]["action"]["draw"] == "pile"
    refused(tampered(replay, index, drawn=older), index + 1, "drawn")


def test_the_pile_can_not_be_drawn_from_after_a_reshuffle_of_claim() -> None:
    replay = REPLAYS["claim-reshuffles"]
    index = find(replay, "reshuffle") + 1
    action = {**replay[index]["action"], "draw": "pile"}
    refused(tampered(replay, index, action=action), index + 1, "nothing may be taken")


@pytest.mark.parametrize("name", ["claims", "claims-reshuffles", "claim"])
def test_a_default_move_that_burns_another_card_or_takes_from_the_pile_is_refused(
    name: str,
) -> None:
    replay = REPLAYS[name]
    index = find(replay, "turn", default=True)
    action = replay[index]["action"]
    for card in set(CARDS) - set(action["burn"]):
        other = {**action, "burn": [card]}
        refused(tampered(replay, index, action=other), index + 1, "burn[0]")
    refused(tampered(replay, index, action={**action, "draw": "pile"}), index + 1, "draw")
    refused(tampered(replay, index, action={"claim": True}), index + 1, "burn")


def test_a_default_play_of_another_card_is_refused() -> None:
    replay = REPLAYS["claro"]
    index = find(replay, "play", default=True)
    for card in set(scorer_claro.CARDS) - {replay[index]["card"]}:
        refused(tampered(replay, index, card=card), index + 1, "card is")


def test_a_default_discard_discards_nothing() -> None:
    replay = REPLAYS["claro"]
    index = find(replay, "discard", default=True)
    hand = _hand_before(replay, index)
    refused(tampered(replay, index, cards=hand[:1]), index + 1, "cards")


def test_discards_that_are_not_held_or_named_twice_are_refused() -> None:
    replay = sample("claro", 3, 5, habits=Habits(default=0, discard=0))
    index = find(replay, "discard")
    hand = _hand_before(replay, index)
    other = next(card for card in replay[1]["deck"] if card not in hand)
    refused(tampered(replay, index, cards=[other]), index + 1, "discards")
    refused(tampered(replay, index, cards=hand[:1] * 2), index + 1, "discards")


def _hand_before(replay: Replay, index: int) -> list[str]:
    """What the seat of a discard holds: its first round's hand without the cards it played."""
    seat = replay[index]["seat"]
    first = max(i for i in range(index) if replay[i]["type"] == "round")
    played = [line["card"] for line in replay[first:index] if line["type"] == "play"]
    return [card for card in replay[first]["hands"][seat] if card not in played]


def test_a_pass_with_a_fitting_card_and_a_play_without_one_are_refused() -> None:
    replay = REPLAYS["claro"]
    play = find(replay, "play", turn=2)
    pass_ = {"type": "pass", "round": 1, "turn": 2, "seat": 1}
    refused([*replay[:play], pass_, *replay[play + 1 :]], play + 1, "holds")
    index = find(replay, "pass")
    line = {**replay[index], "type": "play", "card": "1", "default": False, "fault": None}
    refused([*replay[:index], line, *replay[index + 1 :]], index + 1, "nothing that seat")


def test_a_card_that_does_not_fit_or_is_not_held_is_refused() -> None:
    replay = sample("claro", 6, 0, habits=Habits(default=0))
    index = find(replay, "play", turn=2)
    seat, top = replay[index]["seat"], replay[index - 1]["card"]
    deck = scorer_claro.read_deck(None)
    unfit = next(card for card in replay[1]["hands"][seat] if not deck.fits(card, top))
    refused(tampered(replay, index, card=unfit), index + 1, "does not fit")
    refused(tampered(replay, index, card=replay[1]["deck"][0]), index + 1, "does not hold")


@pytest.mark.parametrize("game", ["claims", "claim"])
def test_a_round_too_many_and_a_round_too_few_are_refused(game: str) -> None:
    two, three = (sample(game, 4, 3, {"max_laps": 4, "max_rounds": rounds}) for rounds in (2, 3))
    refused([two[0], *three[1:]], len(two), "a round line where a result line should be")
    refused([three[0], *two[1:]], len(two), "a result line where a round line should be")


@pytest.mark.parametrize("name", NAMES)
def test_a_default_move_without_a_fault_and_a_fault_without_one_are_refused(name: str) -> None:
    replay = REPLAYS[name]
    for index, line in enumerate(replay):
        if "default" in line:
            for fault in (None, "", 3) if line["default"] else ("TIMEOUT", "", 0):
                refused(tampered(replay, index, fault=fault), index + 1, "fault is")


def test_a_fault_that_no_default_move_answers_is_refused() -> None:
    replay = REPLAYS["claims"]
    turn = find(replay, "turn", default=False)
    seat = replay[turn]["seat"]
    faults = copy.deepcopy(replay[-1]["faults"])
    faults[seat].append({"round": 1, "turn": replay[turn]["turn"], "kind": "TIMEOUT"})
    refused(tampered(replay, len(replay) - 1, faults=faults), len(replay), "no default move")


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        ([[], []], "2 lists for 3 seats"),
        ([[], [], ["TIMEOUT"]], "not a list of objects"),
        ([[], [], "TIMEOUT"], "not a list of objects"),
        ([[], [], [{"round": "1", "turn": 1, "kind": "TIMEOUT"}]], "not an integer"),
        ([[], [], [{"round": 1, "turn": 1}]], "not a string"),
    ],
)
def test_faults_that_can_not_be_read_are_refused(faults: object, reason: str) -> None:
    replay = REPLAYS["claims"]
    refused(tampered(replay, len(replay) - 1, faults=faults), len(replay), reason)


def test_a_fault_that_names_no_turn_is_accepted() -> None:
    """A bot that never started has one; it leaves no trace in the cards."""
    replay = REPLAYS["claims"]
    faults = [
        [*listed, {"round": 1, "turn": None, "kind": "START"}] for listed in replay[-1]["faults"]
    ]
    assert scorer.score(tampered(replay, len(replay) - 1, faults=faults)).ok


def _no_fault(*_: object) -> None:
    """Claims at any time."""


def _by_total(_: Claim, totals: Sequence[int], *__: object) -> list[int]:
    return ranks_of(totals)


def _higher(_: Deck, card: str, top: str) -> bool:
    return card[0] != "J" and top[0] != "J" and int(card) > int(top)


CHEATS = [
    ("claims", Claims, "claim_fault", _no_fault),
    ("claims", Claims, "claim_points", Claim.claim_points),
    ("claims", Claims, "end_points", Claim.end_points),
    ("claims", Claims, "new_totals", Claim.new_totals),
    ("claims", Claims, "ends_at_run_out", Claim.ends_at_run_out),
    ("claims", Claims, "reshuffled", Claim.reshuffled),
    ("claims", Round, "default", lambda table: table.hands[table.seat][0]),
    ("claims", Round, "starter", property(lambda _: 0)),
    ("claim", Claim, "claim_fault", _no_fault),
    ("claim", Claim, "claim_points", Claims.claim_points),
    ("claim", Claim, "end_points", Claims.end_points),
    ("claim", Claim, "over", Claims.over),
    ("claim", Claim, "ranks", _by_total),
    ("claim", Claim, "reshuffled", Claims.reshuffled),
    ("claro", Deck, "fits", _higher),
    ("claro", scorer_claro.Round, "choices", lambda play: list(play.hands[play.seat])),
    ("claro", Chance, "reshuffle", lambda _, cards, *__: list(cards)),
]


@pytest.mark.parametrize(("game", "owner", "name", "rule"), CHEATS)
def test_a_match_played_throughout_by_another_rule_is_refused(
    game: str, owner: type, name: str, rule: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays that agree with themselves, but not with the rules."""
    habits = [Habits(), Habits(claim=0.03), Habits(claim=0, pile=0.8)]
    options = {} if game == "claro" else {"target": 150, "max_laps": 20, "stall_laps": 3}
    for number in range(600):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, rule)
            replay = sample(game, 6, number, options, habits[number % 3])
        if not scorer.score(replay).ok:
            return
    pytest.fail("none of the replays was refused")
