"""``arena tournament``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.app.errors import WrongCall
from arena.app.exports import documents, verifying
from arena.app.exports.verifying import Verified
from arena.app.options import fresh_seed, game_of, given_options, secret_seed
from arena.app.tournaments.setting_up import MOST_BLOCKS, Plan
from arena.cli import entering, looking, playing
from arena.cli.console import FAULT, counted, say, show_json, show_table
from arena.cli.entering import show_drawn, show_opened
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
    timers,
)
from arena.cli.progress import bar
from arena.cli.where import Profile, Server, desk
from arena.tournament.job import Isolation, Lodging
from arena.tournament.pondering import Ponder

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Set tournaments up, run them, look at them."
)
for _more in (entering, playing, looking):
    _more.add_to(app)

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
    league: Annotated[
        str | None,
        typer.Option(
            "--league", metavar="NAME", help="The series of tournaments that it is part of."
        ),
    ] = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
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
        league=league,
    )
    with desk() as asked:
        made, at = asked.create(wanted, [*(bots or ()), *(more or ())])
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


@app.command("list")
def _list(
    game: AnyGame = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """List the tournaments in the order of their creation."""
    with desk() as asked:
        found = asked.tournaments(game)
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
            len(known.entries) or None,
            known.table_size,
            f"{known.created:%Y-%m-%d %H:%M}",
        )
        for known, at in found
    ]
    show_table(("name", "game", "state", "matches>", "bots>", "table>", "since"), rows)


@app.command("cancel")
def _cancel(
    name: Name, _home: Home = None, _server: Server = None, _profile: Profile = None
) -> None:
    """Stop a tournament for good; its results so far stay, and its seed is shown."""
    with desk() as asked:
        asked.cancel(name)
    say(f"{name} is cancelled: it takes no more results")


@app.command("export")
def _export(
    name: Name,
    target: Annotated[
        str, typer.Argument(metavar="DIR|FILE", help="A folder, or a file .jsonl or .csv.")
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Write results, standings and released replays to a folder, or only the results to a file.

    What an earlier export wrote there is written anew.
    """
    if not target:  # which as a path would be the current folder
        raise WrongCall("the target of the export is empty: name a folder or a file")
    with desk() as asked:
        written = asked.export(name, Path(target))
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


@app.command("verify")
def _verify(
    what: Annotated[
        str, typer.Argument(metavar="EXPORT|NAME", help="An export, folder or .zip; or a name.")
    ],
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Verify a whole tournament from its export alone: deals, replays, results, ranking.

    Of a tournament by name an export is made first.  Ends with 1 if anything does not hold.
    """
    found = _verified(what)
    if json:
        show_json(
            {
                "tournament": found.tournament,
                "holds": found.holds,
                "checked": list(found.checked),
                "not_yet": list(found.not_yet),
                "wrong": found.wrong,
            }
        )
    else:
        for sentence in found.checked:
            say(sentence)
        for sentence in found.not_yet:
            say(f"not yet: {sentence}", "yellow")
        if found.wrong is None:
            say(f"{found.tournament} holds", "bold")
        else:
            say(f"does not hold: {found.wrong}", FAULT)
    if not found.holds:
        raise typer.Exit(1)


def _verified(what: str) -> Verified:
    with bar("replays") as shown:

        def tell(done: int, total: int) -> None:
            if done == 1:
                shown.begin(0, total)
            shown.move(done)

        if what and Path(what).exists():
            return verifying.verify(Path(what), tell=tell)
        with desk() as asked, tempfile.TemporaryDirectory(prefix="arena-verify-") as folder:
            asked.export(what, Path(folder))
            return verifying.verify(Path(folder), tell=tell)
