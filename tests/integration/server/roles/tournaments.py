"""TournamentService in the role table. The things are tournaments that the owner organises."""

from __future__ import annotations

from collections.abc import Callable

from arena.store import Tournament
from arena.store.testing import (
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.role_table import OK, Row, Thing, everybody, first


def _open(thing: Thing) -> str:
    """One that is open for entry, with two entries of somebody else's; and a bot of the owner's."""
    store = thing.served.store
    store.add_version(new_version(thing.name, author=thing.owner), b"")
    new = new_tournament(thing.name, organiser="olga" if thing.owner == "olga" else "eve")
    cup = store.create_tournament(new)
    for name in (f"{thing.name}-x", f"{thing.name}-y"):
        store.entering.enter(cup.id, store.add_version(new_version(name, author="eve"), b""))
    return thing.name


def _entered(thing: Thing) -> str:
    """The same with the owner's bot in it."""
    store = thing.served.store
    cup = store.tournament(_open(thing))
    store.entering.enter(cup.id, store.find_version(thing.name))
    return thing.name


def _organised(thing: Thing) -> str:
    """One that is open for entry, with two entries, organised by the owner."""
    store = thing.served.store
    cup = store.create_tournament(new_tournament(thing.name, organiser=thing.owner, blocks=0))
    for name in (f"{thing.name}-x", f"{thing.name}-y"):
        store.entering.enter(cup.id, store.add_version(new_version(name, author="eve"), b""))
    return thing.name


def _drawn(thing: Thing, *, private: bool = False) -> Tournament:
    """One that is drawn and organised by the owner."""
    store = thing.served.store
    bots = [
        store.add_version(new_version(f"{thing.name}-{name}", author="eve"), b"") for name in "xy"
    ]
    new = new_tournament(thing.name, blocks=1, organiser=thing.owner, private=private)
    return store.create_tournament(new, bots, new_matches(1))


def _scheduled(thing: Thing) -> str:
    return _drawn(thing).name


def _private(thing: Thing) -> str:
    return _drawn(thing, private=True).name


def _played(make: Callable[[Thing], str]) -> Callable[[Thing], str]:
    def prepare(thing: Thing) -> str:
        store = thing.served.store
        cup = store.tournament(make(thing))
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
        return cup.name

    return prepare


_OWN_BOT = ("TOKEN_MISSING", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)
_ORGANISERS = ("TOKEN_MISSING", "ROLE_TOO_LOW", "ROLE_TOO_LOW", OK, "NOT_FOUND", OK)
_PRIVATE = ("NOT_FOUND", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)

ROWS = [
    Row(
        "TournamentService/CreateTournament",
        lambda caller, name: caller.tournaments.CreateTournament(
            pb.CreateTournamentRequest(name=f"{name}-{hash(caller)}", game="claims")
        ),
        ("TOKEN_MISSING", "ROLE_TOO_LOW", "ROLE_TOO_LOW", OK, OK, OK),
    ),
    Row(
        "TournamentService/EnterTournament",
        lambda caller, name: caller.tournaments.EnterTournament(
            pb.EnterTournamentRequest(tournament=name, bot=name)
        ),
        _OWN_BOT,
        _open,
    ),
    Row(
        "TournamentService/LeaveTournament",
        lambda caller, name: caller.tournaments.LeaveTournament(
            pb.LeaveTournamentRequest(tournament=name, bot=name)
        ),
        _OWN_BOT,
        _entered,
    ),
    Row(
        "TournamentService/OpenEntry",
        lambda caller, name: caller.tournaments.OpenEntry(pb.OpenEntryRequest(tournament=name)),
        _ORGANISERS,
        _organised,
    ),
    Row(
        "TournamentService/CloseEntry",
        lambda caller, name: caller.tournaments.CloseEntry(
            pb.CloseEntryRequest(tournament=name, draw=True)
        ),
        _ORGANISERS,
        _organised,
    ),
    Row(
        "TournamentService/RunTournament",
        lambda caller, name: caller.tournaments.RunTournament(
            pb.RunTournamentRequest(tournament=name)
        ),
        _ORGANISERS,
        _scheduled,
    ),
    Row(
        "TournamentService/CancelTournament",
        lambda caller, name: caller.tournaments.CancelTournament(
            pb.CancelTournamentRequest(tournament=name)
        ),
        _ORGANISERS,
        _scheduled,
    ),
    Row(
        "TournamentService/WithdrawEntry",
        lambda caller, name: caller.tournaments.WithdrawEntry(
            pb.WithdrawEntryRequest(tournament=name, bot=f"{name}-x", why="it cheats")
        ),
        _ORGANISERS,
        _scheduled,
    ),
    *(
        Row(method, call, outcomes, prepare, about)
        for method, call in (
            (
                "TournamentService/GetTournament",
                lambda caller, name: caller.tournaments.GetTournament(
                    pb.GetTournamentRequest(name=name)
                ),
            ),
            (
                "TournamentService/ListMatches",
                lambda caller, name: caller.tournaments.ListMatches(
                    pb.ListMatchesRequest(tournament=name)
                ),
            ),
            (
                "TournamentService/ExportTournament",
                lambda caller, name: first(
                    caller.tournaments.ExportTournament(pb.ExportTournamentRequest(name=name))
                ),
            ),
            (
                "TournamentService/WatchTournament",
                lambda caller, name: first(
                    caller.tournaments.WatchTournament(pb.WatchTournamentRequest(name=name))
                ),
            ),
            (
                "TournamentService/WatchMatch",
                lambda caller, name: first(
                    caller.tournaments.WatchMatch(
                        pb.WatchMatchRequest(tournament=name, match_id="m0-0")
                    )
                ),
            ),
        )
        for about, outcomes, prepare in (
            ("a public one", everybody(), _played(_scheduled)),
            ("a private one", _PRIVATE, _played(_private)),
        )
    ),
    Row(
        "TournamentService/ListTournaments",
        lambda caller, _: caller.tournaments.ListTournaments(pb.ListTournamentsRequest()),
        everybody(),
    ),
]
