"""BotService in the role table. The things are bots and their submissions."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable

from arena.app.bots import intake
from arena.store import StoredSubmission
from arena.store.testing import (
    logs_of,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.archives import packed, upload
from tests.integration.server.calling import Caller
from tests.integration.server.role_table import OK, Row, Thing, everybody, first


def _submission(thing: Thing) -> StoredSubmission:
    return intake.receive(thing.served.store, thing.owner, packed(thing.name))


def _bot(thing: Thing) -> str:
    thing.served.store.add_version(new_version(thing.name, author=thing.owner), b"")
    return thing.name


def _played(thing: Thing) -> pb.SeatLog:
    """A match of the owner's bot, in seat 0, in nobody's tournament."""
    store = thing.served.store
    bots = [
        store.add_version(new_version(name, author=author), b"")
        for name, author in ((thing.name, thing.owner), (f"{thing.name}-x", "eve"))
    ]
    cup = store.create_tournament(new_tournament(thing.name, blocks=1), bots, new_matches(1))
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
    return pb.SeatLog(tournament=cup.name, match_id="m0-0", seat=0)


def _submit(caller: Caller, name: str) -> Awaitable[pb.SubmitBotResponse]:
    archive = packed(name, f"# of {hashlib.sha256(str(caller.token).encode()).hexdigest()}")
    return caller.bots.SubmitBot(upload(archive))


_OWN = ("TOKEN_MISSING", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)
_ANYONE = ("TOKEN_MISSING", OK, OK, OK, OK, OK)

ROWS = [
    Row("BotService/SubmitBot", _submit, _ANYONE),
    Row(
        "BotService/GetSubmission",
        lambda caller, found: caller.bots.GetSubmission(pb.GetSubmissionRequest(id=found.id)),
        _OWN,
        _submission,
    ),
    Row(
        "BotService/WatchSubmission",
        lambda caller, found: first(
            caller.bots.WatchSubmission(pb.WatchSubmissionRequest(id=found.id))
        ),
        _OWN,
        _submission,
    ),
    Row(
        "BotService/ListSubmissions",
        lambda caller, _: caller.bots.ListSubmissions(pb.ListSubmissionsRequest()),
        _ANYONE,
    ),
    Row(
        "BotService/ListBots",
        lambda caller, _: caller.bots.ListBots(pb.ListBotsRequest()),
        everybody(),
    ),
    Row(
        "BotService/GetBot",
        lambda caller, name: caller.bots.GetBot(pb.GetBotRequest(name=name)),
        everybody(),
        _bot,
    ),
    Row(
        "BotService/GetLog",
        lambda caller, found: first(caller.bots.GetLog(pb.GetLogRequest(submission=found.id))),
        _OWN,
        _submission,
        about="of a submission",
    ),
    Row(
        "BotService/GetLog",
        lambda caller, seat: first(caller.bots.GetLog(pb.GetLogRequest(seat=seat))),
        _OWN,
        _played,
        about="of a seat",
    ),
    Row(
        "BotService/RetireBot",
        lambda caller, name: caller.bots.RetireBot(pb.RetireBotRequest(bot=name)),
        _OWN,
        _bot,
    ),
]
