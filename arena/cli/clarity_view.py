"""How clear the order of an adaptive tournament is, and what is still open."""

from __future__ import annotations

from arena.app.rankings.ranking import Overview
from arena.app.rankings.waves import Clarity
from arena.cli.console import counted, say, show_table
from arena.cli.proofs import short_names
from arena.store import Tournament, TournamentState


def show_clarity(overview: Overview, clarity: Clarity) -> None:
    """Print the order with what is proven of it, and about how much more it takes."""
    tournament, found = overview.tournament, clarity.separation
    names = called(tournament)
    if not found.order:
        say("all bots are withdrawn: there is no order")
        return
    order = names[found.order[0]]
    for pair in found.neighbours:
        order += f" {'>' if pair.separated else '?'} {names[pair.worse]}"
    say(f"order after {counted(clarity.blocks, 'block')}: {order}")
    for line in _against_rating(overview, clarity):
        say(line)
    if found.clear:
        say(f"clear: neighbours are separated with probability {tournament.until_clear}", "bold")
        return
    rows = [
        (names[pair.better], names[pair.worse], pair.blocks, _about(pair.more))
        for pair in found.open
    ]
    show_table(("seems better", "than", "blocks>", "more>"), rows, "Not separated yet")
    say("more: about how many blocks of these two it takes, if they go on like this")
    say(_outlook(overview, clarity))


def open_line(tournament: Tournament, clarity: Clarity) -> str:
    """In one line how far it is, and who is still to be told apart."""
    names = called(tournament)
    open_ = ", ".join(
        f"{names[pair.better]} ? {names[pair.worse]}" for pair in clarity.separation.open
    )
    return f"{clarity.blocks} of at most {counted(tournament.blocks, 'block')}, open: {open_}"


def called(tournament: Tournament) -> dict[int, str]:
    """By position the name of each entry, with its number where a bot has several versions."""
    names = short_names([entry.version for entry in tournament.entries])
    return {entry.position: names[entry.version.id] for entry in tournament.entries}


def _against_rating(overview: Overview, clarity: Clarity) -> list[str]:
    """Where the rating has two the other way round: it may, but it is proven that they are not."""
    names = called(overview.tournament)
    at = {ranked.version.id: place for place, ranked in enumerate(overview.ranked)}
    place = {entry.position: at[entry.version.id] for entry in overview.tournament.entries}
    return [
        f"the rating has {names[pair.worse]} before {names[pair.better]}: go by the order here"
        for pair in clarity.separation.neighbours
        if pair.separated and place[pair.better] > place[pair.worse]
    ]


def _about(more: int | None) -> str:
    return "no telling" if more is None else f"about {more:,}"


def _outlook(overview: Overview, clarity: Clarity) -> str:
    """Whether it will become clear."""
    if overview.progress.state is TournamentState.FINISHED:
        ended = f"all {counted(overview.tournament.blocks, 'block')} that it may have were played"
    else:
        ended = f"it may have {counted(overview.tournament.blocks, 'block')}"
    if clarity.more is None:
        return f"{ended}; nothing shows yet that all of these differ, so more may not help"
    return f"{ended}; about {counted(clarity.more, 'more block')} would make the order clear"
