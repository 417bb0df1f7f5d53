"""``arena prune``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from arena.app.retention import prune
from arena.cli.console import note, say, show_json
from arena.cli.home import store
from arena.cli.options import Home, Json
from arena.cli.text import clean
from arena.server.settings import load

app = typer.Typer(add_completion=False)


@app.command("prune")
def _prune(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what would be removed, and remove nothing.")
    ] = False,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Remove old replays, logs, rejected archives, notes and images, as the settings say.

    A server does it by itself every day. Results and rankings stay as they are.
    """
    with store() as opened:
        settings = load(None, opened.folder)
        images = settings.keep_images_days or None
        done = prune(opened, settings.policy, images, dry_run=dry_run)
    if json:
        show_json({**asdict(done.store), "images": done.images, "trouble": done.trouble})
        return
    if done.trouble:
        note(clean(done.trouble))
    say(
        f"{'would be removed' if dry_run else 'removed'}: "
        f"{done.store.blobs} replays, logs and archives, "
        f"{done.store.unnamed} files of writers that died, "
        f"{done.store.audit} entries of the audit log, {done.store.requests} request ids, "
        f"{done.images} images"
    )
