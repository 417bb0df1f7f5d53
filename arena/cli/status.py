"""``arena status``."""

from __future__ import annotations

import typer

from arena.cli.console import counted, say, show_json, size_text
from arena.cli.options import Json
from arena.cli.where import Profile, Server, server_desk

app = typer.Typer(add_completion=False)


@app.command("status")
def _status(_server: Server = None, _profile: Profile = None, json: Json = False) -> None:
    """Say what a server is doing, and who one is there."""
    with server_desk() as asked:
        told = asked.status()
    if json:
        show_json(told)
        return
    busy = "draining: it starts nothing more" if told["draining"] else "up"
    say(f"{told['address']} is {busy}", "bold")
    who = told["author"]
    say("you are a spectator" if who is None else f"you are {who} ({told['role']})")
    say(
        f"arena {told['arena']}, arenabot {told['sdk']}, rules {told['engine']}; "
        f"games: {', '.join(told['games'])}"
    )
    say(
        f"{counted(told['matches_in_play'], 'match', 'matches')} in play, "
        f"{counted(told['people_playing'], 'person', 'people')} at a table, "
        f"{counted(told['submissions_waiting'], 'submission')} on the way; "
        f"bots have at most {size_text(told['upload_limit'])}"
    )
