"""A whole replay of Claro, line by line."""

from __future__ import annotations

from scorer_claro import STARS_TO_WIN, Refill, Round, Table, read_deck
from scorer_lines import Line, Lines, Refused, default_kind, hands_of, require, strings, text
from scorer_match import Header, Tally, check_result, check_seats, check_turn
from scorer_ranks import ranks_of

SEATS = range(3, 7)


def check_claro(lines: Lines, header: Header, tally: Tally) -> None:
    """Every line after the header."""
    check_seats("claro", header.seats, SEATS)
    for name in header.options:
        if name != "deck":
            raise Refused(f"claro has no option {name}")
    table = Table.dealt(read_deck(header.options.get("deck")), header.chance, header.seats)
    tally.totals = table.stars
    leader = 0
    while STARS_TO_WIN not in table.stars:
        if tally.rounds:
            _check_refills(lines, table, tally, leader)
        tally.rounds += 1
        _check_start(lines.take("round", "nobody has three stars"), table, tally, leader)
        leader = _check_round(lines, table, tally, leader)
    check_result(lines, tally, "stars", ranks_of([-stars for stars in table.stars]))


def _check_start(line: Line, table: Table, tally: Tally, leader: int) -> None:
    require(line, "round", tally.rounds)
    require(line, "starter", leader)
    require(line, "zero", None)
    if tally.rounds == 1:
        require(line, "hands", table.hands)
    elif [sorted(hand) for hand in hands_of(line)] != [sorted(hand) for hand in table.hands]:
        raise Refused("the hands are not those kept and refilled")
    require(line, "deck", list(table.draw))


def _check_round(lines: Lines, table: Table, tally: Tally, leader: int) -> int:
    """A round's turns and its end; the winner, who gets a star."""
    play = Round(table.deck, table.hands, leader)
    while play.end is None:
        _check_turn(lines, play, table, tally)
    assert play.winner is not None
    table.stars[play.winner] += 1
    table.discard += play.played
    line = lines.take("round_end", f"the round has ended: {play.end}")
    require(line, "round", tally.rounds)
    require(line, "reason", play.end)
    require(line, "winner", play.winner)
    require(line, "stars", table.stars)
    return play.winner


def _check_turn(lines: Lines, play: Round, table: Table, tally: Tally) -> None:
    choices = play.choices()
    if not choices:
        line = lines.take("pass", f"nothing that seat {play.seat} holds fits")
        check_turn(line, tally.rounds, play.turn, play.seat)
        tally.turns += 1
        play.skip()
        return
    line = lines.take("play", f"seat {play.seat} holds {' '.join(choices)} to play")
    check_turn(line, tally.rounds, play.turn, play.seat)
    if tally.decided(line, play.seat, tally.rounds, play.turn):
        require(line, "card", table.chance.default(choices, tally.rounds, play.turn))
    play.play(text(line, "card"))


def _check_refills(lines: Lines, table: Table, tally: Tally, winner: int) -> None:
    """Discards and refills between two rounds (6).

    The winner refills before the others choose, so a reshuffle for it never holds their
    discards; its lines may stand before the discards or with the other refills.
    """
    seats = len(table.hands)
    asked = [seat for seat in range(seats) if seat != winner and table.hands[seat]]
    winners = table.refill(winner)
    discards_first = lines.peek().get("type") == "discard"
    if not discards_first:
        _check_refill(lines, table, tally, winners)
    for seat in asked:
        table.discard += _check_discard(lines, table, tally, seat)
    if discards_first:
        _check_refill(lines, table, tally, winners)
    for i in range(1, seats):
        _check_refill(lines, table, tally, table.refill((winner + i) % seats))


def _check_discard(lines: Lines, table: Table, tally: Tally, seat: int) -> list[str]:
    line = lines.take("discard", f"seat {seat} is asked what to discard")
    require(line, "round", tally.rounds)
    require(line, "seat", seat)
    if default_kind(line) is not None:
        require(line, "cards", [])
    cards = strings(line, "cards")
    table.throw(seat, cards)
    return cards


def _check_refill(lines: Lines, table: Table, tally: Tally, refill: Refill) -> None:
    """A refill's line, after that of the reshuffle in the midst of it.

    A refill of no cards may be written or left out: nothing happens in it.
    """
    if refill.new_pile is not None:
        line = lines.take("reshuffle", f"the draw pile is empty when seat {refill.seat} refills")
        require(line, "round", tally.rounds)
        require(line, "number", table.reshuffles)
        require(line, "deck", refill.new_pile)
    following = lines.peek()
    written = following.get("type") == "refill" and following.get("seat") == refill.seat
    if not refill.cards and not written:
        return
    line = lines.take("refill", f"seat {refill.seat} refills")
    require(line, "round", tally.rounds)
    require(line, "seat", refill.seat)
    require(line, "cards", refill.cards)
