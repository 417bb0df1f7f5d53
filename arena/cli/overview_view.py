"""A tournament's state and standings, as a person sees them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Duel
from arena.app.tournaments import setting_up
from arena.cli.clarity_view import show_clarity
from arena.cli.console import counted, options_text, say
from arena.cli.proofs import show_duels, show_shares
from arena.cli.standings import show_standings


def show_overview(overview: Overview, duels: Sequence[Duel] | None = None) -> None:
    """Print how a tournament was set up, how far it is, and who leads."""
    tournament, at = overview.tournament, overview.progress
    say(f"{tournament.name}: {tournament.game}, {at.state.value}", "bold")
    grows = tournament.until_clear is not None and not setting_up.seed_may_be_shown(at)
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
    if tournament.league is not None:
        say(f"league {tournament.league}: arena rankings --league {shlex.quote(tournament.league)}")
    if setting_up.seed_may_be_shown(at):
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
