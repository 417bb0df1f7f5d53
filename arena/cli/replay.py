"""``arena replay``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.app.errors import ArenaError, WrongCall
from arena.app.files import write_file
from arena.app.tournaments import replays
from arena.app.tournaments.replays import CheckedReplay
from arena.cli.console import FAULT, say, show, show_json
from arena.cli.drawing import draw, rounds
from arena.cli.options import Home, Json
from arena.cli.where import Profile, Server, desk, is_remote, server_desk
from arena.match.replay import ReplayError, unpack
from arena.match.verify import Verdict

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Get, draw and verify replays.")

Match = Annotated[
    str, typer.Argument(metavar="MATCH", help="A match's id, or enough of its beginning.")
]


@app.command("get")
def _get(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT")],
    match: Match,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="By default named here.")
    ] = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
) -> None:
    """Write a match's replay to a file, once it is released."""
    with desk() as asked:
        known, data = asked.replay(tournament, match)
    path = output or Path(f"{known}{replays.SUFFIX}")
    write_file(path, data)
    say(str(path))


@app.command("show")
def _show(
    source: Annotated[str, typer.Argument(metavar="FILE|TOURNAMENT")],
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="With a tournament: a match's id.")
    ] = None,
    only: Annotated[
        int | None, typer.Option("--round", metavar="N", min=1, help="Only this round.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", min=0, help="As this seat saw it.")
    ] = None,
    _home: Home = None,
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Draw a match turn by turn."""
    if match is None and not os.path.exists(source):  # noqa: PTH110 - also where it can't be one
        raise ArenaError(f"there is no file {source}: name a replay's, or a tournament and a match")
    replay = replays.read_replay(Path(source)) if match is None else _kept(source, match)
    holding = _holding(replay)
    if seat is not None and seat >= len(holding[0]["seats"]):
        raise WrongCall(f"the match has the seats 0 to {len(holding[0]['seats']) - 1}")
    if only is not None and only > rounds(holding):
        raise WrongCall(f"the match has the rounds 1 to {rounds(holding)}")
    if json:
        _show_lines(replay, holding, only, seat)
    else:
        show(draw(holding, only_round=only, eyes=seat))
    if not replay.verdict.holds:
        if not json:
            say(f"This replay does not hold: {_verdict_text(replay.verdict)}", FAULT)
        raise typer.Exit(1)


def _show_lines(
    replay: CheckedReplay, holding: list[dict[str, Any]], only: int | None, seat: int | None
) -> None:
    """The lines themselves, with whether they hold."""
    if seat is not None:
        raise WrongCall("--seat is for the drawing; a document holds what everybody did")
    verdict = replay.verdict
    show_json(
        {
            "holds": verdict.holds,
            "line": verdict.line,
            "reason": verdict.reason,
            "digest": verdict.digest,
            "lines": [line for line in holding if only is None or line.get("round", only) == only],
        }
    )


def _kept(tournament: str, match: str) -> CheckedReplay:
    with desk() as asked:
        _, data = asked.replay(tournament, match)
    return replays.checked(list(unpack(data)))


def _holding(replay: CheckedReplay) -> list[dict[str, Any]]:
    """The lines that can be drawn: all of them, or those before the first wrong one."""
    wrong = replay.verdict.line
    lines = list(replay.lines if wrong is None else replay.lines[: wrong - 1])
    if not lines:
        raise ArenaError(f"this replay cannot be drawn: {_verdict_text(replay.verdict)}")
    return lines


@app.command("verify")
def _verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    _server: Server = None,
    _profile: Profile = None,
    json: Json = False,
) -> None:
    """Play replays again and say whether every line holds.  Ends with 1 if one does not.

    With --server or --profile the server does it.
    """
    documents = []
    for path in files:
        document = _verified(path)
        documents.append(document)
        if json:
            continue
        if document["holds"]:
            say(f"{path}: holds")
        else:
            at = "" if document["line"] is None else f"line {document['line']}: "
            say(f"{path}: does not hold: {at}{document['reason']}", FAULT)
    if json:
        show_json({"replays": documents})
    if not all(document["holds"] for document in documents):
        raise typer.Exit(1)


def _verified(path: Path) -> dict[str, Any]:
    try:
        if is_remote():
            with server_desk() as asked:
                verdict = asked.verify(_content(path))
        else:
            verdict = replays.read_replay(path).verdict
    except ReplayError as error:
        verdict = Verdict(None, 0, str(error))
    return {
        "file": str(path),
        "holds": verdict.holds,
        "line": verdict.line or None,
        "reason": verdict.reason,
        "digest": verdict.digest or None,
    }


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror}") from None


def _verdict_text(verdict: Verdict) -> str:
    return f"line {verdict.line}: {verdict.reason}"
