"""``arena rankings``."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.app import documents, ranking, raters
from arena.app.options import game_of
from arena.cli.console import counted, note, say, show_json
from arena.cli.home import store
from arena.cli.options import AnyGame, Home, Json
from arena.cli.proofs import Against, HeadToHead, show_duels, show_shares
from arena.cli.standings import show_standings

app = typer.Typer(add_completion=False)


@app.command("rankings")
def _rankings(
    game: AnyGame = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="NAME", help="Only this tournament.")
    ] = None,
    *,
    head_to_head: HeadToHead = False,
    against: Against = None,
    rating: Annotated[
        str,
        typer.Option(
            "--rating",
            metavar="WAY",
            help=f"What ratings are learnt from: {', '.join(raters.WAYS)} (trueskill's own code).",
        ),
    ] = raters.DEFAULT,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Rank everyone who played a game (by default claims), in all tournaments or in one."""
    with store() as opened:
        if tournament is None:
            game = game or "claims"
            found = ranking.ranking(opened, game, way=rating)
            table, names, holes = found.table, [t.name for t in found.tournaments], found.holes
        else:
            one = ranking.overview(opened, tournament, way=rating)
            game = one.tournament.game
            table, names = one.table, [tournament]
            holes = {tournament: len(one.left_out)} if one.left_out else {}
    duels = table.duels(against) if head_to_head or against else None
    if json:
        show_json(
            {
                "game": game,
                "rating": rating,
                "tournaments": names,
                "holes": holes,
                "ranking": [documents.ranked(row) for row in table.ranked],
                **documents.duels(duels),
            }
        )
        return
    if not table.ranked:
        say("nothing to rank yet: arena demo plays a first tournament")
        return
    where = f"tournament {names[0]}" if len(names) == 1 else f"{len(names)} tournaments"
    how = "" if rating == raters.DEFAULT else f", rated with --rating {rating}"
    show_standings(table.ranked, game, f"{game_of(game).name}, {where}{how}")
    show_shares(table.ranked)
    if duels is not None:
        show_duels(duels)
    for name, blocks in holes.items():
        note(f"{name}: {counted(blocks, 'block')} left out, not played to the end or annulled")
