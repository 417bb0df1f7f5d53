"""Replays, from a file or from the store: found, checked, told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.app.errors import ArenaError
from arena.match import replay
from arena.match.replay import Line, ReplayError
from arena.match.verify import Verdict, verify
from arena.store import NotFound, Store, StoredResult, Tournament

#: How a replay's file is named after its match.
SUFFIX = ".jsonl.zst"


@dataclass(frozen=True, slots=True)
class CheckedReplay:
    """A replay's lines and whether they hold; only the lines before a wrong one can be trusted."""

    lines: tuple[Line, ...]
    verdict: Verdict


def read_replay(path: Path) -> CheckedReplay:
    """Read and check a file; raises ``ReplayError`` where it is no replay at all."""
    if path.is_dir():
        raise ReplayError(f"{path} is a folder: name the replays in it, like {path}/*{SUFFIX}")
    return _checked(replay.read(path))


def stored_replay(store: Store, tournament: str, match: str) -> CheckedReplay:
    """Read and check a match's replay; raises as ``released`` does."""
    return _checked(list(replay.unpack(released(store, tournament, match))))


def released(store: Store, tournament_name: str, match: str) -> bytes:
    """The bytes of a match's replay, once nobody will meet its deals any more.

    ``match`` is the beginning of a match's id.  Raises ``ArenaError`` while the match is still
    to be played, and while others of its block are.
    """
    tournament = store.tournament(tournament_name)
    result = _result(store, tournament, match)
    if not store.is_released(tournament.id, result.match_id):
        raise ArenaError(
            f"the replay of match {result.match_id} is released when all matches on its deals have "
            f"been played: arena tournament run {tournament.name}"
        )
    return store.blob(result.replay)


def _result(store: Store, tournament: Tournament, match: str) -> StoredResult:
    """The result of the match whose id begins so."""
    wanted = full_id(store, tournament, match)
    try:
        return store.result(tournament.id, wanted)
    except NotFound:
        raise ArenaError(f"match {wanted} has no replay: it was not played yet") from None


def full_id(store: Store, tournament: Tournament, match: str) -> str:
    """The id of the one match whose id begins so; ``ArenaError`` if it is none or not one."""
    found = [known.id for known in store.matches(tournament.id) if known.id.startswith(match)]
    if len(found) == 1:
        return found[0]
    what = "no match" if not found else f"{len(found)} matches"
    raise ArenaError(
        f"{what} of {tournament.name} begin with {match!r} "
        f"(see: arena tournament show {tournament.name} --matches)"
    )


def _checked(lines: list[Line]) -> CheckedReplay:
    return CheckedReplay(tuple(lines), verify(lines))
