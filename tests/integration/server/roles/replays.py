"""ReplayService in the role table. The things are matches of tournaments of the owner's."""

from __future__ import annotations

from functools import partial
from typing import Any

from arena.store.testing import make_tournament, new_result, replay_of
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import Caller
from tests.integration.server.role_table import OK, Row, Thing, everybody, first

_Match = tuple[str, str]


def _played(thing: Thing, *, private: bool = False, matches: int = 2) -> _Match:
    """A match that was played, in a block of two of which as many were as is said."""
    store = thing.served.store
    cup = make_tournament(store, thing.name, blocks=1, organiser=thing.owner, private=private)
    played = store.pending_matches(cup.id)[:matches]
    for match in played:
        store.record_result(cup.id, new_result(match), replay_of(match))
    return cup.name, played[0].id


async def _get(caller: Caller, match: _Match) -> Any:
    tournament, id_ = match
    asked = pb.GetReplayRequest(tournament=tournament, match_id=id_)
    return await first(caller.replays.GetReplay(asked))


async def _verify(caller: Caller, match: _Match) -> Any:
    tournament, id_ = match
    name = pb.ReplayName(tournament=tournament, match_id=id_)
    return await caller.replays.VerifyReplay(iter([pb.VerifyReplayRequest(name=name)]))


async def _verify_sent(caller: Caller, _: object) -> Any:
    return await caller.replays.VerifyReplay(iter([pb.VerifyReplayRequest(data=b"none")]))


_PRIVATE = ("NOT_FOUND", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)

ROWS = [
    Row("ReplayService/GetReplay", _get, everybody(), _played, about="a public one"),
    Row(
        "ReplayService/GetReplay",
        _get,
        _PRIVATE,
        partial(_played, private=True),
        about="a private one",
    ),
    Row(
        "ReplayService/GetReplay",
        _get,
        everybody("NOT_RELEASED"),
        partial(_played, matches=1),
        about="one whose block is still played",
    ),
    Row("ReplayService/VerifyReplay", _verify, everybody(), _played, about="a public one"),
    Row(
        "ReplayService/VerifyReplay",
        _verify,
        _PRIVATE,
        partial(_played, private=True),
        about="a private one",
    ),
    Row("ReplayService/VerifyReplay", _verify_sent, everybody(), about="one that is sent"),
]
