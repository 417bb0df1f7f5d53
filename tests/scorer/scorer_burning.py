"""A whole replay of Claims or Claim!, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from scorer_claim import Claim
from scorer_claims import Claims
from scorer_lines import Line, Lines, Refused, hands_of, mapping, require, strings, text
from scorer_match import Header, Tally, check_result, check_seats, check_turn
from scorer_options import BurnRules
from scorer_round import Round

RULES: Mapping[str, type[BurnRules]] = {"claims": Claims, "claim": Claim}


def check_burning(lines: Lines, header: Header, tally: Tally) -> None:
    """Every line after the header."""
    kind = RULES[header.chance.game]
    check_seats(kind.game, header.seats, kind.seats)
    rules = kind(header.options)
    good_claims = [0] * header.seats
    reason = None
    while reason is None:
        tally.rounds += 1
        table = Round.dealt(rules, header.chance, tally.rounds, header.seats)
        _check_deal(lines.take("round", "no total has reached the end"), table)
        while table.end is None:
            _check_turn(lines.take("turn", "the round goes on"), table, tally)
            if table.reshuffle_due:
                _check_reshuffle(lines.take("reshuffle", "the deck has run out"), table)
        _check_round_end(lines, table, tally, good_claims)
        reason = match_end(rules, tally.totals, tally.rounds)
    ranks = rules.ranks(tally.totals, good_claims, table.values())
    check_result(lines, tally, reason, ranks)


def match_end(rules: BurnRules, totals: list[int], rounds: int) -> str | None:
    """Why the match ends after this round, None if it goes on (Claims 9, Claim! 6, X8)."""
    if rules.over(totals):
        return "target"
    return "max_rounds" if rounds == rules.option("max_rounds") else None


def _check_deal(line: Line, table: Round) -> None:
    require(line, "round", table.number)
    require(line, "starter", table.starter)
    require(line, "zero", table.zero)
    require(line, "hands", table.hands)
    require(line, "deck", list(table.deck))


def _check_turn(line: Line, table: Round, tally: Tally) -> None:
    seat = table.seat
    check_turn(line, table.number, table.turn, seat)
    is_default = tally.decided(line, seat, table.number, table.turn)
    action = mapping(line, "action")
    if is_default:
        require(action, "burn", [table.default()])
        require(action, "draw", "deck")
    if "claim" in action:
        require(action, "claim", expected=True)
        if "burn" in action or "draw" in action:
            raise Refused("an action is either a claim or a burn with a draw")
        table.claim()
        require(line, "drawn", None)
    else:
        require(line, "drawn", table.burn(strings(action, "burn"), text(action, "draw")))


def _check_reshuffle(line: Line, table: Round) -> None:
    deck = table.reshuffle()
    require(line, "round", table.number)
    require(line, "number", table.reshuffles)
    require(line, "deck", deck)


def _check_round_end(lines: Lines, table: Round, tally: Tally, good_claims: list[int]) -> None:
    """The end of a round; adds it to the totals and the good claims."""
    points = table.points()
    success = table.claimer is not None and points[table.claimer] == 0
    if table.claimer is not None:
        good_claims[table.claimer] += success
    tally.totals = table.rules.new_totals(tally.totals, points)
    line = lines.take("round_end", f"the round has ended: {table.end}")
    require(line, "round", table.number)
    require(line, "reason", table.end)
    require(line, "claimer", table.claimer)
    if table.claimer is not None or line.get("success") is not None:
        require(line, "success", success)
    hands = [sorted(hand) for hand in hands_of(line)]
    if hands != [sorted(hand) for hand in table.hands]:
        raise Refused("the hands are not those that the round ended with")
    require(line, "points", points)
    require(line, "totals", tally.totals)
