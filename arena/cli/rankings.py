"""``arena rankings``."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.app.desk import Asked, Whose
from arena.app.errors import WrongCall
from arena.app.exports import documents
from arena.app.options import game_of
from arena.app.rankings import raters
from arena.cli.console import counted, note, say, show_json, show_table
from arena.cli.options import AnyGame, Home, Json
from arena.cli.proofs import Against, HeadToHead, show_duels, show_shares
from arena.cli.standings import show_standings
from arena.cli.where import Profile, Server, desk

app = typer.Typer(add_completion=False)


@app.command("rankings")
def _rankings(
    game: AnyGame = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="NAME", help="Only this tournament.")
    ] = None,
    league: Annotated[
        str | None, typer.Option("--league", metavar="NAME", help="Only this league's tournaments.")
    ] = None,
    *,
    leagues: Annotated[
        bool, typer.Option("--leagues", help="List the leagues, in place of a ranking.")
    ] = False,
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
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Rank who played a game (by default claims): in all tournaments, a league's, or one.

    With --leagues, list which leagues there are, of all games or of one.
    """
    if leagues:
        if league or tournament or head_to_head or against or rating != raters.DEFAULT:
            raise WrongCall("--leagues lists the leagues and ranks nobody: add only --game")
        _list_leagues(game, json=json)
        return
    if league is not None and tournament is not None:
        raise WrongCall("a ranking is of a league or of a tournament: name one of the two")
    with desk() as asked:
        whose = Whose(game, league, tournament)
        found = asked.ranking(whose, Asked(head_to_head, against), rating)
    if game not in {None, found.game}:
        raise WrongCall(f"{league or tournament} is of {found.game}: leave --game {game} out")
    if json:
        show_json(
            {
                "game": found.game,
                "rating": rating,
                "tournaments": list(found.tournaments),
                "holes": found.left_out,
                "ranking": [documents.ranked(row) for row in found.ranked],
                **documents.duels(found.duels),
            }
        )
        return
    if not found.ranked:
        say("nothing to rank yet: arena demo plays a first tournament")
        return
    names = found.tournaments
    where = f"tournament {names[0]}" if len(names) == 1 else f"{len(names)} tournaments"
    if league is not None:
        where = f"league {league}, {where}"
    how = "" if rating == raters.DEFAULT else f", rated with --rating {rating}"
    show_standings(found.ranked, found.game, f"{game_of(found.game).name}, {where}{how}")
    show_shares(found.ranked)
    if found.duels is not None:
        show_duels(found.duels)
    for name, blocks in found.left_out.items():
        note(f"{name}: {counted(blocks, 'block')} left out, since a match could not be played")


def _list_leagues(game: str | None, *, json: bool) -> None:
    with desk() as asked:
        found = asked.leagues(game)
    if json:
        show_json({"leagues": [documents.league(each) for each in found]})
        return
    if not found:
        say("no leagues yet: arena tournament create --league NAME begins one")
        return
    rows = [
        (
            each.name,
            each.game,
            each.tournaments,
            each.organiser,
            f"{each.created:%Y-%m-%d %H:%M}",
        )
        for each in found
    ]
    show_table(("league", "game", "tournaments>", "organiser", "since"), rows)
