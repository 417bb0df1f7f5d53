"""What every game's replay has: a header, a running count, decisions, and a result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer_chance import Chance
from scorer_lines import Line, Lines, Refused, default_kind, integer, items, mapping, require, text

GAMES = ("claims", "claim", "claro")


@dataclass(frozen=True, slots=True)
class Header:
    """The part of the header line that the rules depend on."""

    chance: Chance
    options: Line
    seats: int


@dataclass(slots=True)
class Tally:
    """What has been derived so far; `ranks` are known once the match has ended."""

    game: str | None = None
    rounds: int = 0
    turns: int = 0
    totals: list[int] = field(default_factory=list)
    ranks: list[int] | None = None
    defaults: list[set[tuple[int, int, str]]] = field(default_factory=list)

    def decided(self, line: Line, seat: int, round_number: int, turn: int) -> bool:
        """Count a turn's decision; whether it was the default move."""
        self.turns += 1
        kind = default_kind(line)
        if kind is not None:
            self.defaults[seat].add((round_number, turn, kind))
        return kind is not None


def read_header(lines: Lines, tally: Tally) -> Header:
    """The first line, whose game and number of seats begin the tally."""
    line = lines.take("header")
    require(line, "format", "arena-replay/1")
    game, seed = text(line, "game"), text(line, "seed")
    if game not in GAMES:
        raise Refused(f"there is no game {game}")
    if not re.fullmatch("[0-9a-f]{64}", seed):
        raise Refused("the seed is not 64 hexadecimal digits")
    seats = len(items(line, "seats"))
    tally.game = game
    tally.totals = [0] * seats
    tally.defaults = [set() for _ in range(seats)]
    return Header(Chance(bytes.fromhex(seed), game), mapping(line, "options"), seats)


def check_seats(game: str, seats: int, allowed: range) -> None:
    """Refuse a table that the game isn't played at."""
    if seats not in allowed:
        raise Refused(f"{game} is for {allowed[0]} to {allowed[-1]} players, not {seats}")


def check_turn(line: Line, round_number: int, turn: int, seat: int) -> None:
    """Refuse a turn's line that is another turn's, or another seat's."""
    require(line, "round", round_number)
    require(line, "turn", turn)
    require(line, "seat", seat)


def check_result(lines: Lines, tally: Tally, reason: str, ranks: list[int]) -> None:
    """The last line: why the match ended, and how (X11)."""
    tally.ranks = ranks
    line = lines.take("result", f"the match has ended: {reason}")
    require(line, "reason", reason)
    require(line, "totals", tally.totals)
    require(line, "ranks", ranks)
    require(line, "winners", [seat for seat, rank in enumerate(ranks) if rank == 1])
    if "faults" in line:
        _check_faults(line, tally)
    lines.finish()


def _check_faults(line: Line, tally: Tally) -> None:
    """Every fault that names a turn must be one in which the default move stood in.

    Faults without a turn (a bot that never started, say) leave no trace in the cards.
    """
    faults = items(line, "faults")
    if len(faults) != len(tally.totals):
        raise Refused(f"faults has {len(faults)} lists for {len(tally.totals)} seats")
    for seat, (listed, known) in enumerate(zip(faults, tally.defaults, strict=True)):
        for fault in listed if isinstance(listed, list) else [listed]:
            if not isinstance(fault, Mapping):
                raise Refused(f"faults of seat {seat} are not a list of objects")
            turn = fault.get("turn")
            if type(turn) is not int or turn < 1:
                continue
            kind = text(fault, "kind")
            if (integer(fault, "round"), turn, kind) not in known:
                raise Refused(f"seat {seat} played no default move for {kind} in turn {turn}")
