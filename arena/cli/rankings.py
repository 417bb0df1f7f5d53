"""``arena rankings``."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.app import documents, ranking
from arena.app.options import game_of
from arena.cli.console import counted, note, say, show_json
from arena.cli.home import store
from arena.cli.options import AnyGame, Home, Json
from arena.cli.standings import show_standings

app = typer.Typer(add_completion=False)


@app.command("rankings")
def _rankings(
    game: AnyGame = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="NAME", help="Only this tournament.")
    ] = None,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Rank everyone who played a game (by default claims), in all tournaments or in one."""
    with store() as opened:
        if tournament is None:
            game = game or "claims"
            found = ranking.ranking(opened, game)
            ranked, names, holes = found.ranked, [t.name for t in found.tournaments], found.holes
        else:
            one = ranking.overview(opened, tournament)
            game = one.tournament.game
            ranked, names = one.ranked, [tournament]
            holes = {tournament: len(one.hole_blocks)} if one.hole_blocks else {}
    if json:
        show_json(
            {
                "game": game,
                "tournaments": names,
                "holes": holes,
                "ranking": [documents.ranked(row) for row in ranked],
            }
        )
        return
    if not ranked:
        say("nothing to rank yet: arena demo plays a first tournament")
        return
    where = f"tournament {names[0]}" if len(names) == 1 else f"{len(names)} tournaments"
    show_standings(ranked, game, f"{game_of(game).name}, {where}")
    for name, blocks in holes.items():
        note(f"{name}: {counted(blocks, 'block')} left out, since a match could not be played")
