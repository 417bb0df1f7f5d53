"""Random players that write whole replays with the scorer's own rules, to try the scorer on.

What such a replay shows is that the scorer follows its own rules, and, tampered with, that it
refuses whatever departs from them. That the rules are right is for RULINGS' worked examples to
show, and for the arena's replays.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer_burning import RULES, match_end
from scorer_cards import canonical
from scorer_chance import Chance
from scorer_claro import STARS_TO_WIN, Refill, Table, read_deck
from scorer_claro import Round as ClaroRound
from scorer_options import BurnRules
from scorer_ranks import ranks_of
from scorer_round import Round

Replay = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Habits:
    """How often the random players do what they may, as chances from 0 to 1."""

    claim: float = 0.5
    pile: float = 0.3
    default: float = 0.05
    discard: float = 0.5


class Sample:
    """A replay in the making."""

    def __init__(
        self, game: str, seats: int, number: int, options: Mapping[str, object], habits: Habits
    ) -> None:
        self.seats = seats
        self.habits = habits
        self.random = random.Random(number)
        seed = self.random.randbytes(32)
        self.chance = Chance(seed, game)
        self.lines: Replay = []
        self.faults: list[list[dict[str, object]]] = [[] for _ in range(seats)]
        self.write(
            "header",
            format="arena-replay/1",
            engine="sample",
            game=game,
            options=dict(options),
            seed=seed.hex(),
            match=f"{game}-{number}",
            seats=[{"bot": f"random-{seat}"} for seat in range(seats)],
        )

    def write(self, kind: str, **keys: object) -> None:
        """Add a line."""
        self.lines.append({"type": kind, **keys})

    def likely(self, chance: float) -> bool:
        """True with this chance."""
        return self.random.random() < chance

    def fault(self, round_number: int, turn: int, seat: int) -> dict[str, object]:
        """The keys that say whether a default move stands in this time."""
        if not self.likely(self.habits.default):
            return {"default": False, "fault": None}
        self.faults[seat].append({"round": round_number, "turn": turn, "kind": "TIMEOUT"})
        return {"default": True, "fault": "TIMEOUT"}

    def result(self, reason: str, totals: list[int], ranks: list[int]) -> Replay:
        """Write the last line; the replay."""
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        self.write(
            "result",
            reason=reason,
            totals=totals,
            ranks=ranks,
            winners=winners,
            faults=self.faults,
        )
        return self.lines


def sample(
    game: str,
    seats: int,
    number: int,
    options: Mapping[str, object] | None = None,
    habits: Habits | None = None,
) -> Replay:
    """The replay of a match of random players; the number makes it a different one."""
    writer = Sample(game, seats, number, options or {}, habits or Habits())
    return _claro(writer) if game == "claro" else _burning(writer, RULES[game](options or {}))


def _burning(writer: Sample, rules: BurnRules) -> Replay:
    totals, good_claims = [0] * writer.seats, [0] * writer.seats
    number, reason = 0, None
    while reason is None:
        number += 1
        table = Round.dealt(rules, writer.chance, number, writer.seats)
        writer.write(
            "round",
            round=number,
            starter=table.starter,
            zero=table.zero,
            hands=[list(hand) for hand in table.hands],
            deck=list(table.deck),
        )
        while table.end is None:
            _burning_turn(writer, table)
            if table.reshuffle_due:
                deck = table.reshuffle()
                writer.write("reshuffle", round=number, number=table.reshuffles, deck=deck)
        points = table.points()
        totals = rules.new_totals(totals, points)
        success = None
        if table.claimer is not None:
            success = points[table.claimer] == 0
            good_claims[table.claimer] += success
        writer.write(
            "round_end",
            round=number,
            reason=table.end,
            claimer=table.claimer,
            success=success,
            hands=[canonical(hand) for hand in table.hands],
            points=points,
            totals=totals,
        )
        reason = match_end(rules, totals, number)
    return writer.result(reason, totals, rules.ranks(totals, good_claims, table.values()))


def _burning_choice(writer: Sample, table: Round) -> tuple[list[str], str]:
    """The cards to burn and the source of the draw; no cards for a claim."""
    if table.claim_fault() is None and writer.likely(writer.habits.claim):
        return [], ""
    hand = table.hands[table.seat]
    rank = writer.random.choice(hand)[0]
    same = [card for card in hand if card[0] == rank]
    burn = writer.random.sample(same, writer.random.randint(1, len(same)))
    pile = table.takeable is not None and writer.likely(writer.habits.pile)
    return burn, "pile" if pile else "deck"


def _burning_turn(writer: Sample, table: Round) -> None:
    turn, seat = table.turn, table.seat
    keys = writer.fault(table.number, turn, seat)
    default = [table.default()], "deck"
    burn, source = default if keys["default"] else _burning_choice(writer, table)
    action: dict[str, object] = {"claim": True}
    drawn = None
    if burn:
        action = {"burn": burn, "draw": source}
        drawn = table.burn(burn, source)
    else:
        table.claim()
    writer.write(
        "turn",
        round=table.number,
        turn=turn,
        seat=seat,
        action=action,
        drawn=drawn,
        **keys,
        measured={"charged_ms": 1.5},
    )


def _claro(writer: Sample) -> Replay:
    table = Table.dealt(read_deck(None), writer.chance, writer.seats)
    number, leader = 0, 0
    while STARS_TO_WIN not in table.stars:
        if number:
            _claro_refills(writer, table, number, leader)
        number += 1
        hands = [list(hand) for hand in table.hands]
        deck = list(table.draw)
        writer.write("round", round=number, starter=leader, zero=None, hands=hands, deck=deck)
        play = ClaroRound(table.deck, table.hands, leader)
        while play.end is None:
            _claro_turn(writer, table, play, number)
        assert play.winner is not None
        leader = play.winner
        table.stars[leader] += 1
        table.discard += play.played
        writer.write(
            "round_end", round=number, reason=play.end, winner=leader, stars=list(table.stars)
        )
    return writer.result("stars", table.stars, ranks_of([-stars for stars in table.stars]))


def _claro_turn(writer: Sample, table: Table, play: ClaroRound, number: int) -> None:
    turn, seat, choices = play.turn, play.seat, play.choices()
    if not choices:
        play.skip()
        writer.write("pass", round=number, turn=turn, seat=seat)
        return
    keys = writer.fault(number, turn, seat)
    if keys["default"]:
        card = table.chance.default(choices, number, turn)
    else:
        card = writer.random.choice(choices)
    play.play(card)
    writer.write("play", round=number, turn=turn, seat=seat, card=card, **keys)


def _claro_refills(writer: Sample, table: Table, number: int, winner: int) -> None:
    asked = [seat for seat in range(writer.seats) if seat != winner and table.hands[seat]]
    _write_refill(writer, table, number, table.refill(winner))
    for seat in asked:
        late = writer.likely(writer.habits.default)
        cards = [card for card in table.hands[seat] if writer.likely(writer.habits.discard)]
        cards = [] if late else cards
        table.throw(seat, cards)
        table.discard += cards
        fault = "TIMEOUT" if late else None
        writer.write("discard", round=number, seat=seat, cards=cards, default=late, fault=fault)
    for i in range(1, writer.seats):
        _write_refill(writer, table, number, table.refill((winner + i) % writer.seats))


def _write_refill(writer: Sample, table: Table, number: int, refill: Refill) -> None:
    if refill.new_pile is not None:
        deck = refill.new_pile
        writer.write("reshuffle", round=number, number=table.reshuffles, deck=deck)
    writer.write("refill", round=number, seat=refill.seat, cards=refill.cards)
