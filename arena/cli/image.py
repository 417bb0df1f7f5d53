"""``arena image``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.app.bots import lodging
from arena.app.errors import WrongCall
from arena.app.home import instance
from arena.cli.console import note, say, show_json
from arena.cli.home import store
from arena.cli.options import Home, Json

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Make the image that bots run on."
)


@app.callback()
def _image() -> None:
    """Make the image that bots run on."""


@app.command("build")
def _build(
    *,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="IMAGE", help="A public Python image to build on."),
    ] = None,
    rootfs: Annotated[
        Path | None,
        typer.Option("--rootfs", metavar="PATH", help="A root file system, as a folder or tar."),
    ] = None,
    package: Annotated[
        list[str] | None,
        typer.Option("--package", metavar="NAME", help="A Python package more; may be repeated."),
    ] = None,
    tag: Annotated[
        str | None, typer.Option("--tag", help="A name for the image beside the usual one.")
    ] = None,
    _home: Home = None,
    json: Json = False,
) -> None:
    """Make the base image: Python, arenabot, NumPy and the rules of the games.

    Without --from and --rootfs it builds on ARENA_PYTHON_IMAGE, or on Python's official image.
    """
    if source and rootfs:
        raise WrongCall("--from and --rootfs are two ways to say one thing: give one of them")
    for option, name in (("--from", source), ("--tag", tag)):
        if name and not (name.isascii() and name.isprintable()):
            raise WrongCall(f"{option} is the name of an image, in printable ASCII, not {name!a}")
    with store() as opened, instance(opened, containers=True) as member:
        base = lodging.build_image(
            member, source=source, rootfs=rootfs, packages=package or (), tag=tag, tell=note
        )
    if json:
        show_json(
            {
                "name": base.name,
                "id": base.id,
                "python": base.python,
                "packages": list(base.packages),
                "installed": list(base.installed),
            }
        )
        return
    say(f"base image {base.name}")
    say(f"Python {base.python} with {', '.join(base.installed)}")
