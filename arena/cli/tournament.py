"""``arena tournament``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.app import documents, export, kept_matches, ranking, tournaments
from arena.app.errors import WrongCall
from arena.app.options import fresh_seed, game_of, given_options, secret_seed
from arena.app.ranking import Overview
from arena.app.table import Duel
from arena.app.tournaments import MOST_BLOCKS, Plan
from arena.cli.clarity_view import show_clarity
from arena.cli.console import counted, options_text, say, show_json, show_table
from arena.cli.entering import add_to, show_drawn, show_opened
from arena.cli.home import store
from arena.cli.match_view import show_log, show_match, show_matches
from arena.cli.options import (
    AnyGame,
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
from arena.cli.proofs import Against, HeadToHead, show_duels, show_shares
from arena.cli.run_view import run_with_bar
from arena.cli.standings import show_standings
from arena.store import Store, Tournament
from arena.tournament.job import Isolation, Lodging
from arena.tournament.pondering import Ponder

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Set tournaments up, run them, look at them."
)
add_to(app)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament's name.")]


@app.command("create")
def _create(
    name: Name,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT...", help="Bots: folders, archives, name[:version], samples."),
    ] = None,
    *,
    game: Game,
    bots: Annotated[
        list[str] | None, typer.Option("--bots", metavar="BOT...", help="As BOT...")
    ] = None,
    table_size: Annotated[
        int | None,
        typer.Option(
            "--table-size",
            min=2,
            max=8,
            help="How many sit at a table; by default as few as the game allows.",
        ),
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            "--blocks", min=1, max=MOST_BLOCKS, help="A block: a table's matches on equal deals."
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            "--matches", min=1, max=MOST_BLOCKS, help="As --blocks, in matches, rounded up."
        ),
    ] = None,
    until_clear: Annotated[
        float | None,
        typer.Option(
            "--until-clear",
            metavar="P",
            help="Play until the order is proven with probability P, like 0.95, or blocks are out.",
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="HEX", help="64 hex digits; secret.")
    ] = None,
    option: GameOptions = None,
    turn: Turn = 20.0,
    ready: Ready = 60.0,
    start: Start = 10.0,
    budget: Budget = 600.0,
    max_faults: MaxFaults = 10,
    sandbox: Annotated[
        Literal["docker", "process"], typer.Option("--sandbox", help="Where the bots will run.")
    ] = "docker",
    isolation: Isolating = "match",
    ponder: Pondering = "freeze",
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Vouch for every bot: for process, and for warm.")
    ] = False,
    private: Annotated[
        bool, typer.Option("--private", help="Only for you and the authors of its bots.")
    ] = False,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Set a tournament up with its schedule; without bots it is open for entry.  Bots are kept."""
    seats = table_size or game_of(game).seats.start
    wanted = Plan(
        name=name,
        game=game,
        options=given_options(option or ()),
        table_size=seats,
        blocks=_blocks(blocks, matches, seats),
        until_clear=until_clear,
        seed=fresh_seed() if seed is None else secret_seed(seed),
        timers=timers(turn, ready, start, budget),
        max_faults=max_faults,
        lodging=Lodging(sandbox),
        isolation=Isolation(isolation),
        ponder=Ponder(ponder),
        trusted=trusted,
        private=private,
    )
    with store() as opened:
        made = tournaments.create(opened, wanted, [*(bots or ()), *(more or ())])
        at = opened.progress(made.tournament.id)
    if json:
        show_json(
            {
                **documents.setup(made.tournament, at),
                "progress": documents.progress(at),
                **documents.figures(made.figures),
            }
        )
    elif made.figures is None:
        show_opened(made.tournament)
    else:
        show_drawn(made)


def _blocks(blocks: int | None, matches: int | None, table_size: int) -> int | None:
    if blocks is not None and matches is not None:
        raise WrongCall("--blocks and --matches are two ways to say one thing: give one of them")
    return blocks if matches is None else -(-matches // table_size)


@app.command("run")
def _run(name: Name, workers: Workers = None, _home: Home = None, json: Json = False) -> None:
    """Play what is pending; may be stopped anywhere and called again."""
    with store() as opened:
        run_with_bar(opened, name, workers)
        overview = ranking.overview(opened, name)
    if json:
        show_json(documents.tournament(overview))
    else:
        _show_overview(overview)


@app.command("show")
def _show(
    name: Name,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="Show this match: an id's beginning.")
    ] = None,
    *,
    matches: Annotated[bool, typer.Option("--matches", help="List all matches.")] = False,
    log: Annotated[
        int | None, typer.Option("--log", metavar="SEAT", min=0, help="With MATCH: a seat's log.")
    ] = None,
    head_to_head: HeadToHead = False,
    against: Against = None,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Show a tournament's state and standings, all its matches, or one of them."""
    with store() as opened:
        if match is not None:
            _one_match(opened, opened.tournament(name), match, log, json=json)
        elif log is not None:
            raise WrongCall("--log needs a match: arena tournament show NAME MATCH --log SEAT")
        elif matches:
            _all_matches(opened, opened.tournament(name), json=json)
        else:
            overview = ranking.overview(opened, name)
            duels = overview.table.duels(against) if head_to_head or against else None
            if json:
                show_json({**documents.tournament(overview), **documents.duels(duels)})
            else:
                _show_overview(overview, duels)


def _show_overview(overview: Overview, duels: Sequence[Duel] | None = None) -> None:
    tournament, at = overview.tournament, overview.progress
    say(f"{tournament.name}: {tournament.game}, {at.state.value}", "bold")
    grows = tournament.until_clear is not None and not tournaments.seed_may_be_shown(at)
    say(
        f"{at.done} of {counted(at.matches, 'match', 'matches')} played, {at.pending} pending"
        f"{', more to come' if grows else ''}"
    )
    at_most = "" if tournament.until_clear is None else "at most "
    say(
        f"tables of {tournament.table_size}, {at_most}{counted(tournament.blocks, 'block')}, "
        f"sandbox {tournament.sandbox}, isolation {tournament.isolation}, "
        f"ponder {tournament.ponder}"
    )
    say(f"options: {options_text(tournament.options) or 'none'}")
    if tournaments.seed_may_be_shown(at):
        say(f"seed     {tournament.seed.hex()}")
        say(f"SHA-256  {tournament.seed_hash}")
    else:
        say(f"SHA-256 of the secret seed: {tournament.seed_hash}")
    if at.voids:
        say(f"{counted(at.voids, 'attempt')} void by our own fault", "yellow")
    for entry in tournament.entries:
        if entry.withdrawn is not None:
            results = ", its results annulled" if entry.annulled else ""
            say(f"{entry.version.bot} is withdrawn{results}: {entry.withdrawn_why}", "yellow")
    if overview.left_out:
        lost = [(at.holes, "given up"), (at.annulled, "annulled")]
        why = ", ".join(
            f"{counted(many, 'match', 'matches')} {what}" for many, what in lost if many
        )
        blocks = f"{counted(len(overview.left_out), 'block')} left out of the standings"
        say(f"{why}: {blocks}" if why else blocks, "yellow")
    if overview.clarity is not None:
        show_clarity(overview, overview.clarity)
    if overview.ranked:
        show_standings(overview.ranked, tournament.game)
        show_shares(overview.ranked)
    if duels is not None:
        show_duels(duels)


def _one_match(
    opened: Store, tournament: Tournament, match: str, log: int | None, *, json: bool
) -> None:
    known = opened.match(tournament.id, kept_matches.full_id(opened, tournament, match))
    results = {result.match_id: result for result in opened.results(tournament.id)}
    result = results.get(known.id)
    released = result is not None and opened.is_released(tournament.id, known.id)
    voids = [void for void in opened.voids(tournament.id) if void.match_id == known.id]
    if log is not None:
        seat, printed = kept_matches.seat_log(opened, tournament, known.id, log)
        show_log(tournament, seat, printed)
    elif json:
        show_json(
            {
                **documents.match(tournament, known, result, released=released),
                "voids": [documents.void(void) for void in voids],
            }
        )
    else:
        show_match(tournament, known, result, voids)


def _all_matches(opened: Store, tournament: Tournament, *, json: bool) -> None:
    matches = opened.matches(tournament.id)
    results = {result.match_id: result for result in opened.results(tournament.id)}
    if not json:
        show_matches(tournament, matches, results)
        return
    released = {
        match.id: opened.is_released(tournament.id, match.id)
        for match in matches
        if match.id in results
    }
    show_json(
        {
            "matches": [
                documents.match(
                    tournament,
                    match,
                    results.get(match.id),
                    released=released.get(match.id, False),
                )
                for match in matches
            ]
        }
    )


@app.command("list")
def _list(game: AnyGame = None, _home: Home = None, json: Json = False) -> None:
    """List the tournaments in the order of their creation."""
    with store() as opened:
        found = [(known, opened.progress(known.id)) for known in opened.tournaments(game)]
    if json:
        show_json(
            {
                "tournaments": [
                    {**documents.setup(known, at), "progress": documents.progress(at)}
                    for known, at in found
                ]
            }
        )
        return
    if not found:
        say("no tournaments yet: arena demo plays a first one")
        return
    rows = [
        (
            known.name,
            known.game,
            at.state.value,
            f"{at.done}/{at.matches}",
            len(known.entries),
            known.table_size,
            f"{known.created:%Y-%m-%d %H:%M}",
        )
        for known, at in found
    ]
    show_table(("name", "game", "state", "matches>", "bots>", "table>", "since"), rows)


@app.command("cancel")
def _cancel(name: Name, _home: Home = None) -> None:
    """Stop a tournament for good; its results so far stay, and its seed is shown."""
    with store() as opened:
        opened.cancel(opened.tournament(name).id)
    say(f"{name} is cancelled: it takes no more results")


@app.command("export")
def _export(
    name: Name,
    target: Annotated[
        str, typer.Argument(metavar="DIR|FILE", help="A folder, or a file .jsonl or .csv.")
    ],
    _home: Home = None,
) -> None:
    """Write results, standings and released replays to a folder, or only the results to a file.

    What an earlier export wrote there is written anew.
    """
    if not target:  # which as a path would be the current folder
        raise WrongCall("the target of the export is empty: name a folder or a file")
    with store() as opened:
        written = export.export(opened, name, Path(target))
    say(
        f"{target}: {counted(written.results, 'result')}, {counted(written.replays, 'replay')}",
    )
    if written.held_back:
        say(
            f"{counted(written.held_back, 'replay')} not released yet: matches on equal deals are "
            "still to be played",
            "yellow",
        )
    if written.removed:
        say(f"{counted(written.removed, 'replay')} no longer kept: see `arena prune`", "yellow")
