"""What can be said of a ranking beside ratings: shares of opponents beaten, and head to head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from arena.app.rankings.table import Duel, Ranked
from arena.cli.console import say, show_table
from arena.cli.text import clean
from arena.rating import Share
from arena.rating.intervals import FEWEST_BLOCKS
from arena.rating.luck import FEWEST_BLOCKS as FEWEST_FOR_LUCK
from arena.store import BotVersion

HeadToHead = Annotated[
    bool, typer.Option("--head-to-head", help="Also what any two did against each other.")
]
Against = Annotated[
    str | None,
    typer.Option("--against", metavar="BOT", help="As --head-to-head, only the pairs of one bot."),
]

#: How unlikely a difference is between equals, allowing for all pairs shown, and its mark.
_MARKS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
#: Beyond this a chance is not told from certainty.
_SURE = 0.9995


def show_shares(ranked: Sequence[Ranked]) -> None:
    """Print what share of its opponents everyone has beaten, with and without luck."""
    rows = [
        (
            row.rank,
            Text(clean(row.version.bot), "bold"),
            row.version.number,
            row.beaten.blocks,
            *_share(row.beaten.plain),
            None if row.beaten.luck is None else f"{100 * row.beaten.luck:+.1f}",
            *_share(row.beaten.adjusted),
        )
        for row in ranked
    ]
    columns = ("rank>", "bot", "ver>", "blocks>", "beaten>", "95 %>", "luck>", "adjusted>", "95 %>")
    show_table(columns, rows, "Opponents beaten")
    say("beaten: of all opponents at all tables, the share it ended before; a tie is half")
    say(f"95 %: where that lies in 95 of 100 cases; from {FEWEST_BLOCKS} blocks on")
    say("luck: what better cards than the others' gave it, in points of that share")
    say(f"adjusted: the share without that luck; from {FEWEST_FOR_LUCK} blocks in all on")


def _share(share: Share | None) -> tuple[str | None, str | None]:
    if share is None:
        return None, None
    interval = share.interval
    return (
        f"{_percent(share.value)}%",
        None if interval is None else f"{_percent(interval.low)}-{_percent(interval.high)}",
    )


def _percent(share: float) -> str:
    """A share without its luck may pass the ends of the scale by a little, which means nothing."""
    return f"{100 * min(max(share, 0.0), 1.0):.1f}"


def show_duels(duels: Sequence[Duel]) -> None:
    """Print what any two did against each other."""
    if not duels:
        say("nobody has met yet")
        return
    called = short_names([version for duel in duels for version in (duel.one, duel.other)])
    rows = [
        (
            Text(called[duel.one.id], "bold"),
            Text(called[duel.other.id]),
            duel.versus.blocks,
            duel.versus.met,
            f"{duel.versus.share:.1%}",
            _chance(duel.versus.chance),
            next((mark for limit, mark in _MARKS if duel.versus.p_of_all < limit), ""),
        )
        for duel in duels
    ]
    columns = ("bot", "against", "blocks>", "met>", "won>", "better>", "proof")
    show_table(columns, rows, "Head to head")
    say("won: the share of these meetings in which it ended first; a tie is half")
    say("better: the chance that it is the better of the two, by how its blocks came out")
    say("proof: how rarely equals would differ so much, allowing for all pairs shown:")
    say("  * in less than 5 % of cases, ** 1 %, *** 0.1 %")


def _chance(chance: float) -> str:
    if chance > _SURE:
        return f">{0.999:.1%}"
    if chance < 1 - _SURE:
        return f"<{0.001:.1%}"
    return f"{chance:.1%}"


def short_names(versions: Sequence[BotVersion]) -> dict[int, str]:
    """By version's id the bot's name, with the number where several versions are shown."""
    known = {version.id: version for version in versions}
    times = Counter(version.bot for version in known.values())
    return {
        id_: clean(version.bot if times[version.bot] == 1 else f"{version.bot}:{version.number}")
        for id_, version in known.items()
    }
