"""RankingService in the role table. The things are tournaments that the owner organises."""

from __future__ import annotations

from arena.store.testing import make_tournament, new_result, replay_of
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.role_table import OK, Row, Thing, everybody


def _played(thing: Thing, *, private: bool) -> str:
    store = thing.served.store
    cup = make_tournament(store, thing.name, blocks=1, organiser=thing.owner, private=private)
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    return cup.name


def _public(thing: Thing) -> str:
    return _played(thing, private=False)


def _of_a_league(thing: Thing) -> str:
    make_tournament(thing.served.store, thing.name, organiser=thing.owner, league=thing.name)
    return thing.name


def _private(thing: Thing) -> str:
    return _played(thing, private=True)


_PRIVATE = ("NOT_FOUND", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)

ROWS = [
    Row(
        "RankingService/GetRanking",
        lambda caller, _: caller.rankings.GetRanking(pb.GetRankingRequest(game="claims")),
        everybody(),
        _public,
        about="of a game",
    ),
    Row(
        "RankingService/GetRanking",
        lambda caller, name: caller.rankings.GetRanking(pb.GetRankingRequest(league=name)),
        everybody(),
        _of_a_league,
        about="of a league",
    ),
    Row(
        "RankingService/GetRanking",
        lambda caller, name: caller.rankings.GetRanking(pb.GetRankingRequest(tournament=name)),
        everybody(),
        _public,
        about="of a public tournament",
    ),
    Row(
        "RankingService/GetRanking",
        lambda caller, name: caller.rankings.GetRanking(pb.GetRankingRequest(tournament=name)),
        _PRIVATE,
        _private,
        about="of a private one",
    ),
    Row(
        "RankingService/GetHeadToHead",
        lambda caller, name: caller.rankings.GetHeadToHead(
            pb.GetHeadToHeadRequest(tournament=name)
        ),
        everybody(),
        _public,
        about="of a public tournament",
    ),
    Row(
        "RankingService/GetHeadToHead",
        lambda caller, name: caller.rankings.GetHeadToHead(
            pb.GetHeadToHeadRequest(tournament=name)
        ),
        _PRIVATE,
        _private,
        about="of a private one",
    ),
    Row(
        "RankingService/ListLeagues",
        lambda caller, _: caller.rankings.ListLeagues(pb.ListLeaguesRequest()),
        everybody(),
    ),
]
