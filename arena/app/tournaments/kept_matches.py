"""Replays and logs of a tournament's matches, once nobody will meet their deals any more."""

from __future__ import annotations

import shlex
from contextlib import suppress

from arena.app.errors import ArenaError, NotReleased, WrongCall
from arena.app.tournaments.replays import CheckedReplay, checked
from arena.match import replay
from arena.store import NotFound, SeatResult, Store, StoredResult, Tournament


def stored_replay(store: Store, tournament: str, match: str) -> CheckedReplay:
    """Read and check a match's replay; raises as ``released`` does."""
    return checked(list(replay.unpack(released(store, tournament, match))))


def released(store: Store, tournament_name: str, match: str) -> bytes:
    """The bytes of a match's replay, once nobody will meet its deals any more.

    ``match`` is the beginning of a match's id.  Raises ``ArenaError`` while the match is still
    to be played, and ``NotReleased`` while others of its block are.
    """
    tournament = store.tournament(tournament_name)
    return store.blob(_released_result(store, tournament, match).replay)


def seat_log(
    store: Store, tournament: Tournament, match: str, seat: int
) -> tuple[SeatResult, bytes]:
    """What a seat's bot printed in a match, raw; raises as ``released`` does.

    A bot can print its cards, so logs wait as replays do.
    """
    result = _released_result(store, tournament, match)
    if seat >= len(result.seats):
        raise WrongCall(f"the match has the seats 0 to {len(result.seats) - 1}")
    log = result.seats[seat].log
    return result.seats[seat], b"" if log is None else store.blob(log)


def _released_result(store: Store, tournament: Tournament, match: str) -> StoredResult:
    """The result of the match whose id begins so, unless it must stay secret for now."""
    wanted = full_id(store, tournament, match)
    try:
        result = store.result(tournament.id, wanted)
    except NotFound:
        raise ArenaError(f"match {wanted} was not played yet") from None
    if not store.is_released(tournament.id, wanted):
        raise NotReleased(
            f"match {wanted} is released when all matches on its deals have been played: "
            f"that is, once tournament {tournament.name!r} has gone so far"
        )
    return result


def full_id(store: Store, tournament: Tournament, match: str) -> str:
    """The id of the one match whose id begins so.

    Raises ``NotFound`` if it is none, and ``ArenaError`` if it is one of several.
    """
    with suppress(NotFound):
        return store.match(tournament.id, match).id
    found = store.pages.match_ids(tournament.id, match)
    if len(found) == 1:
        return found[0]
    see = f"(see: arena tournament show {shlex.quote(tournament.name)} --matches)"
    if not found:
        raise NotFound(f"no match of {tournament.name} begins with {match[:40]!r} {see}")
    raise ArenaError(f"{len(found)} matches of {tournament.name} begin with {match!r} {see}")
