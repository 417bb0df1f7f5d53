"""``arena demo``."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from arena.app import demo
from arena.app.exports import documents
from arena.app.rankings.ranking import Overview
from arena.cli.console import counted, note, program, say, show_json
from arena.cli.home import store
from arena.cli.options import Home, Json, Workers
from arena.cli.run_view import run_with_bar
from arena.cli.standings import show_standings
from arena.tournament.job import Lodging

_HOW = {
    Lodging.DOCKER: "in containers",
    Lodging.PROCESS: "as processes, which is for trusted bots like these",
}

app = typer.Typer(add_completion=False)


@app.command("demo")
def _demo(workers: Workers = None, home: Home = None, json: Json = False) -> None:
    """Play a tournament between the sample bots and show the ranking; needs no server.

    Each demo is a tournament of its own in the arena's folder.
    """
    with store() as opened:
        begun = demo.begin(opened, note)
        note(f"{begun.tournament.name}: bots run {_HOW[begun.choice.lodging]}: {begun.choice.why}")
        run_with_bar(opened, begun.tournament.name, workers)
        overview, folder = demo.finish(opened, begun)
    if json:
        show_json({**documents.tournament(overview), "folder": str(folder)})
    else:
        _show(overview, folder, "" if home is None else f" --home {shlex.quote(str(home))}")


def _show(overview: Overview, folder: Path, home: str) -> None:
    tournament, at = overview.tournament, overview.progress
    title = f"{tournament.name}: {counted(at.done, 'match', 'matches')} of Claims, tables of two"
    show_standings(overview.ranked, tournament.game, title)
    say("score is mu - 3 sigma; sleeper is too slow now and then, cheat burns cards it lacks")
    replays = sorted((folder / "replays").glob("*"))
    if replays:
        say(f"replays and results lie in {folder}")
    say("next:")
    arena = program()
    for replay in replays[:1]:
        say(f"  {arena} replay show {shlex.quote(str(replay))}")
    for command in (
        f"tournament show {tournament.name} --matches{home}",
        "bot new my-bot",
        f"play my-bot greedy --game claims --matches 10{home}",
    ):
        say(f"  {arena} {command}")
