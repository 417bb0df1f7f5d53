"""One match of a tournament, or all of them, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from arena.cli.console import FAULT, counted, faults_text, say, screen, show_table, size_text
from arena.sandbox.logs import escaped
from arena.store import StoredMatch, StoredResult, Tournament, Void

#: Where nothing happened to a seat its outcome needs no colour.
_PLAYED = "PLAYED"


def show_matches(
    tournament: Tournament, matches: Sequence[StoredMatch], results: Mapping[str, StoredResult]
) -> None:
    """List all matches in schedule order."""
    rows = [
        (
            match.id,
            match.key.block,
            match.key.rotation,
            match.status.value,
            *_outcome(tournament, match, results.get(match.id)),
        )
        for match in matches
    ]
    show_table(("match", "block>", "rotation>", "status", "seats, points, rank", "faults"), rows)


def _outcome(
    tournament: Tournament, match: StoredMatch, result: StoredResult | None
) -> tuple[str, Text | None]:
    names = [tournament.entries[entry].version.bot for entry in match.seating]
    if result is None:
        return ", ".join(names), None
    told = [
        f"{name} {seat.total} ({seat.rank})" for name, seat in zip(names, result.seats, strict=True)
    ]
    kinds = [fault.kind for seat in result.seats for fault in seat.faults]
    return ", ".join(told), Text(faults_text(kinds), FAULT)


def show_match(
    tournament: Tournament, match: StoredMatch, result: StoredResult | None, voids: Sequence[Void]
) -> None:
    """Show one match: every seat's outcome with its reason, and what we spoilt."""
    say(
        f"{tournament.name}, match {match.id}: block {match.key.block}, "
        f"rotation {match.key.rotation}, {match.status.value}",
        "bold",
    )
    if result is not None:
        say(
            f"{counted(result.rounds, 'round')}, {counted(result.turns, 'turn')}, "
            f"ended by {result.reason}"
        )
        _show_seats(tournament, result)
    for void in voids:
        say(f"attempt {void.attempt} was void ({void.reason}): {void.detail}", "yellow")


def _show_seats(tournament: Tournament, result: StoredResult) -> None:
    slowest = result.measured.get("slowest_ms", [None] * len(result.seats))
    rows = [
        (
            seat.seat,
            Text(tournament.entries[seat.entry].version.bot, "bold"),
            seat.rank,
            seat.total,
            None if seat.luck is None else f"{seat.luck:+.1f}",
            Text(seat.outcome, "" if seat.outcome == _PLAYED else FAULT),
            seat.detail,
            Text(faults_text(fault.kind for fault in seat.faults), FAULT),
            f"{seat.charged_ms / 1000:.2f} s",
            None if slow is None else f"{slow:.0f} ms",
            size_text(seat.peak_memory),
        )
        for seat, slow in zip(result.seats, slowest, strict=True)
    ]
    columns = (
        "seat>",
        "bot",
        "rank>",
        "points>",
        "luck>",
        "outcome",
        "reason",
        "faults",
        "time>",
        "slowest>",
        "memory>",
    )
    show_table(columns, rows)


def show_log(seat: int, bot: str, log: bytes) -> None:
    """Show what a seat's bot printed, made harmless."""
    say(f"seat {seat} {bot} printed:", "bold")
    show_printed(log)


def show_printed(log: bytes) -> None:
    """Show what a stranger's program printed, made harmless."""
    text = escaped(log.decode(errors="replace")).rstrip("\n")
    screen().print(Text("\n".join(f"  {line}" for line in text.split("\n"))))
