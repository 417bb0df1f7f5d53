"""``arena play``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from arena.app.bots import quickplay
from arena.app.bots.quickplay import QuickMatch, QuickMatches, Table
from arena.app.files import make_folder, write_file
from arena.app.options import any_seed, fresh_seed, game_of, given_options
from arena.app.tournaments.replays import SUFFIX
from arena.cli import signals
from arena.cli.console import (
    FAULT,
    counted,
    faults_text,
    note,
    say,
    screen,
    show_json,
    show_table,
    size_text,
)
from arena.cli.home import store
from arena.cli.options import (
    Bots,
    Budget,
    Game,
    GameOptions,
    Home,
    Isolating,
    Json,
    MaxFaults,
    Pondering,
    Ready,
    Start,
    Turn,
    Workers,
    timers,
)
from arena.cli.progress import bar
from arena.match.faults import Fault
from arena.sandbox.logs import escaped
from arena.tournament.job import Isolation, Lodging
from arena.tournament.pondering import Ponder

#: Every match is set up before the first one is played; a tournament is for more.
MOST_MATCHES = 100_000
#: More than this is for --json: matches listed one by one, faults told, lines of a log.
_MATCHES, _FAULTS, _LOG_LINES = 12, 20, 15

app = typer.Typer(add_completion=False)


@app.command("play")
def _play(
    bots: Bots,
    *,
    game: Game,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=MOST_MATCHES, help="How many matches.")
    ] = 1,
    seed: Annotated[
        str | None, typer.Option("--seed", help="64 hex digits, or any text: equal deals again.")
    ] = None,
    sandbox: Annotated[
        Literal["docker", "process", "none"],
        typer.Option("--sandbox", help="Where bots run; process and none: only bots you trust."),
    ] = "docker",
    isolation: Isolating = "match",
    ponder: Pondering = "freeze",
    replay: Annotated[
        Path | None, typer.Option("--replay", metavar="DIR", help="Write each match's replay here.")
    ] = None,
    option: GameOptions = None,
    turn: Turn = 20.0,
    ready: Ready = 60.0,
    start: Start = 10.0,
    budget: Budget = 600.0,
    max_faults: MaxFaults = 10,
    workers: Workers = None,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Play matches between bots and show how each fared.

    More matches than one are played in blocks: equal deals, everyone in every seat.  A bot may be
    named twice.
    """
    wanted = QuickMatches(
        bots=tuple(bots),
        game=game,
        options=given_options(option or ()),
        matches=matches,
        seed=fresh_seed() if seed is None else any_seed(seed),
        timers=timers(turn, ready, start, budget),
        max_faults=max_faults,
        lodging=Lodging(sandbox),
        isolation=Isolation(isolation),
        ponder=Ponder(ponder),
    )
    if replay is not None:
        make_folder(replay)
    with store() as opened, quickplay.table(opened, wanted, tell=note) as table:
        played = signals.run(_all(table, workers, replay))
    if json:
        show_json(_document(wanted, played, replay))
    else:
        _show(wanted, played)
        if replay is not None:
            say(f"replays: {replay / f'*{SUFFIX}'} (see: arena replay show FILE)")


async def _all(table: Table, workers: int | None, folder: Path | None) -> list[QuickMatch]:
    """Play, keep replays as they come, and give the matches in their order."""
    played: list[QuickMatch] = []
    with bar("matches", table.wanted.matches) as progress:
        async with aclosing(table.play(workers)) as matches:
            async for match in matches:
                if folder is not None:
                    write_file(_replay_path(folder, match), match.record.replay)
                played.append(match)
                progress.move(len(played))
    return sorted(played, key=lambda match: match.number)


def _replay_path(folder: Path, match: QuickMatch) -> Path:
    return folder / f"{match.record.match_id}{SUFFIX}"


class _Account:
    """How one of the bots fared over all matches."""

    def __init__(self, place: int, matches: Sequence[QuickMatch]) -> None:
        seats = [(match.record, match.seating.index(place)) for match in matches]
        results = [
            (record.result.ranks[seat], record.result.totals[seat]) for record, seat in seats
        ]
        self.matches = len(results)
        self.wins = sum(rank == 1 for rank, _ in results)
        self.mean_rank = sum(rank for rank, _ in results) / len(results)
        self.mean_total = sum(total for _, total in results) / len(results)
        fared = [record.seats[seat] for record, seat in seats]
        self.kinds = [fault.kind.value for seat in fared for fault in seat.faults]
        self.slowest = max(seat.slowest for seat in fared)
        self.pondered = sum(seat.pondered or 0.0 for seat in fared if seat.held)
        peaks = [seat.peak_memory for seat in fared if seat.peak_memory is not None]
        self.peak = max(peaks, default=None)


def _names(matches: Sequence[QuickMatch]) -> list[str]:
    """The bots' names and versions by place."""
    return [f"{seat.bot} {seat.version}" for seat in _by_place(matches[0])]


def _by_place(match: QuickMatch) -> list[Any]:
    return [match.seats[seat] for seat in map(match.seating.index, range(len(match.seating)))]


def _show(wanted: QuickMatches, played: Sequence[QuickMatch]) -> None:
    names = _names(played)
    rows = []
    for place, name in enumerate(names):
        account = _Account(place, played)
        rows.append(
            (
                Text(name, "bold"),
                account.matches,
                account.wins,
                account.mean_rank,
                account.mean_total,
                Text(faults_text(account.kinds), FAULT),
                f"{account.slowest * 1000:.1f} ms",
                size_text(account.peak),
            )
        )
    points = "mean\nstars>" if wanted.game == "claro" else "mean\npoints>"
    say(
        f"{game_of(wanted.game).name}, {counted(len(played), 'match', 'matches')}, "
        f"sandbox {wanted.lodging.value}, seed {wanted.seed.hex()}"
    )
    columns = ("bot", "matches>", "wins>", "mean\nrank>", points, "faults", "slowest>", "memory>")
    show_table(columns, sorted(rows, key=lambda row: row[3]))
    if len(played) <= _MATCHES:
        _show_matches(names, played)
    _show_faults(names, played)
    for place, name in enumerate(names):
        if pondered := _Account(place, played).pondered:
            say(
                f"{name} computed for {pondered:.1f} s on others' time, and was held still "
                "between its turns from then on"
            )
    _show_logs(names, played)


def _show_matches(names: Sequence[str], played: Sequence[QuickMatch]) -> None:
    rows = []
    for match in played:
        record = match.record
        outcomes = [
            f"{record.result.totals[seat]} (rank {record.result.ranks[seat]})"
            for seat in map(match.seating.index, range(len(names)))
        ]
        rows.append(
            (
                match.number + 1,
                record.match_id,
                *outcomes,
                record.rounds,
                record.turns,
                record.seconds,
            )
        )
    columns = [f"{place + 1}. {name}>" for place, name in enumerate(names)]
    show_table(("match>", "id", *columns, "rounds>", "turns>", "seconds>"), rows)


def _show_faults(names: Sequence[str], played: Sequence[QuickMatch]) -> None:
    found = [
        (match.number + 1, names[match.seating[seat]], *_fault_cells(fault))
        for match in played
        for seat, fared in enumerate(match.record.seats)
        for fault in quickplay.wrongs(fared)
    ]
    if found:
        columns = ("match>", "bot", "round>", "turn>", "fault", "what happened")
        show_table(columns, found[:_FAULTS], "What went wrong")
    if len(found) > _FAULTS:
        say(f"and {counted(len(found) - _FAULTS, 'fault')} more: --json has all of them")


def _fault_cells(fault: Fault) -> tuple[Any, ...]:
    return fault.round, fault.turn, Text(fault.kind.value, FAULT), fault.detail


def _show_logs(names: Sequence[str], played: Sequence[QuickMatch]) -> None:
    """The end of what a bot printed that could not play on, once for each bot."""
    told = set()
    for match in played:
        for seat, fared in enumerate(match.record.seats):
            place = match.seating[seat]
            if fared.out is None or place in told or not fared.log.strip():
                continue
            told.add(place)
            say(f"The log of {names[place]} in match {match.number + 1} ends:")
            lines = escaped(fared.log).rstrip().splitlines()[-_LOG_LINES:]
            screen().print(Text("\n".join(f"  {line}" for line in lines), "dim"))


def _document(
    wanted: QuickMatches, played: Sequence[QuickMatch], folder: Path | None
) -> dict[str, Any]:
    return {
        "game": wanted.game,
        "options": game_of(wanted.game).options(wanted.options).as_dict(),
        "seed": wanted.seed.hex(),
        "sandbox": wanted.lodging.value,
        "isolation": wanted.isolation.value,
        "ponder": wanted.ponder.value,
        "bots": [_bot_document(place, played) for place in range(len(wanted.bots))],
        "matches": [_match_document(match, folder) for match in played],
    }


def _bot_document(place: int, played: Sequence[QuickMatch]) -> dict[str, Any]:
    account, who = _Account(place, played), _by_place(played[0])[place]
    return {
        "bot": who.bot,
        "version": who.version,
        "digest": who.digest,
        "matches": account.matches,
        "wins": account.wins,
        "mean_rank": account.mean_rank,
        "mean_points": account.mean_total,
        "faults": len(account.kinds),
        "slowest_ms": round(account.slowest * 1000, 3),
        "peak_memory": account.peak,
    }


def _match_document(match: QuickMatch, folder: Path | None) -> dict[str, Any]:
    record = match.record
    return {
        "match": record.match_id,
        "number": match.number + 1,
        "reason": record.result.reason.value,
        "rounds": record.rounds,
        "turns": record.turns,
        "seconds": round(record.seconds, 3),
        "digest": record.digest,
        "replay": None if folder is None else str(_replay_path(folder, match)),
        "seats": [_seat_document(match, seat) for seat in range(len(record.seats))],
    }


def _seat_document(match: QuickMatch, seat: int) -> dict[str, Any]:
    fared, result = match.record.seats[seat], match.record.result
    return {
        "seat": seat,
        "place": match.seating[seat],
        "bot": match.seats[seat].bot,
        "rank": result.ranks[seat],
        "points": result.totals[seat],
        "outcome": "PLAYED" if fared.out is None else fared.out.kind.value,
        "detail": "played to the end" if fared.out is None else fared.out.detail,
        "faults": [
            {
                "round": fault.round,
                "turn": fault.turn,
                "kind": fault.kind.value,
                "detail": fault.detail,
            }
            for fault in fared.faults
        ],
        "charged_ms": round(fared.seconds * 1000, 3),
        "slowest_ms": round(fared.slowest * 1000, 3),
        "peak_memory": fared.peak_memory,
        "pondered_ms": None if fared.pondered is None else round(fared.pondered * 1000, 3),
        "held": fared.held,
        "luck": fared.luck,
        "log": fared.log,
    }
