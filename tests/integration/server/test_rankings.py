"""RankingService and ReplayService, as callers meet them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from typing import Any

import pytest

from arena.app.rankings.ranking import Overview, Ranking, overview, ranking
from arena.match import replay
from arena.server.replays import MOST_SENT, PIECE
from arena.store import Store, StoredMatch, Tournament
from arena.store.testing import make_tournament, new_result, replay_of
from arena.wire import rankings as wire
from arena.wire.leagues import league_record
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import SPECTATOR, Served, refused
from tests.unit.match.scripted import play as play_match
from tests.unit.match.scripted import setup

BIG = bytes(range(256)) * 600
"""A replay that takes several pieces; nobody looks into it."""


def play(store: Store, cup: Tournament, matches: Iterable[StoredMatch]) -> None:
    """Record that the higher entry wins each match."""
    for match in matches:
        new = new_result(match)
        size = len(match.seating)
        seats = tuple(replace(seat, rank=size - seat.entry) for seat in new.seats)
        store.record_result(cup.id, replace(new, seats=seats), replay_of(match))


def finished(store: Store, name: str, **changes: Any) -> Tournament:
    """A tournament of three in which every match was played."""
    cup = make_tournament(store, name, blocks=40, size=3, **changes)
    play(store, cup, store.matches(cup.id))
    return cup


@pytest.fixture(scope="module")
def a_replay() -> bytes:
    """A replay that holds."""
    return play_match(setup(2, max_rounds=1)).replay


async def test_a_ranking_over_the_wire_is_the_one_in_the_store(served: Served) -> None:
    """Number by number, of a game, a league and a tournament; so is what any two did."""
    finished(served.store, "cup", league="spring")
    finished(served.store, "other")
    caller = served[SPECTATOR]
    asked: tuple[tuple[dict[str, Any], Ranking | Overview], ...] = (
        ({"game": "claims"}, ranking(served.store, "claims")),
        (
            {"league": "spring"},
            ranking(served.store, "claims", league=served.store.leagues.find("spring")),
        ),
        ({"tournament": "cup"}, overview(served.store, "cup")),
    )
    for request, found in asked:
        told = await caller.rankings.GetRanking(pb.GetRankingRequest(**request))
        assert list(told.ranked) == [wire.ranked(row) for row in found.ranked]
        assert told.total == 3
        duels = await caller.rankings.GetHeadToHead(pb.GetHeadToHeadRequest(**request))
        assert list(duels.duels) == [wire.duel(duel) for duel in found.table.duels()]
        mine = await caller.rankings.GetHeadToHead(
            pb.GetHeadToHeadRequest(**request, bot="bot1", rating="block")
        )
        assert [duel.bot for duel in mine.duels] == ["bot1", "bot1"]
        for row, written in zip(found.ranked, told.ranked, strict=True):
            read = wire.ranked_record(written, row.standing.entry)
            assert (read.standing, read.beaten) == (row.standing, row.beaten)
    told = await caller.rankings.GetRanking(pb.GetRankingRequest(game="claims"))
    assert list(told.tournaments) == ["cup", "other"]


async def test_rankings_come_in_pages(served: Served) -> None:
    """All pages together are the whole, and a made-up page is refused."""
    finished(served.store, "cup")
    rankings = served[SPECTATOR].rankings
    whole = await rankings.GetRanking(pb.GetRankingRequest(game="claims"))
    parts: list[pb.Ranked] = []
    token = ""
    for _ in range(3):
        page = await rankings.GetRanking(
            pb.GetRankingRequest(game="claims", page_size=1, page_token=token)
        )
        parts += page.ranked
        token = page.next_page_token
    assert token == ""
    assert parts == list(whole.ranked)
    with refused(pb.REASON_INVALID):
        await rankings.GetRanking(pb.GetRankingRequest(game="claims", page_token="x"))  # noqa: S106
    with refused(pb.REASON_TOO_LARGE):
        await rankings.GetHeadToHead(pb.GetHeadToHeadRequest(game="claims", page_size=501))


async def test_leagues_are_listed_in_pages_for_everybody(served: Served) -> None:
    """The newest first, of all games or of one; a private tournament makes none to be seen."""
    for name, game in (("one", "claims"), ("two", "claro"), ("three", "claims")):
        make_tournament(served.store, name, league=name, game=game, organiser="olga")
    make_tournament(served.store, "four", league="one", organiser="olga")
    make_tournament(served.store, "secret", private=True, organiser="olga")
    known = served.store.leagues.listed()
    listed = served[SPECTATOR].rankings.ListLeagues
    whole = await listed(pb.ListLeaguesRequest())
    assert [(one.name, one.tournaments) for one in whole.leagues] == [
        ("three", 1),
        ("two", 1),
        ("one", 2),
    ]
    assert [league_record(one) for one in whole.leagues] == [replace(one, id=0) for one in known]
    found, token = [], ""
    for _ in range(2):
        page = await listed(pb.ListLeaguesRequest(game="claims", page_size=1, page_token=token))
        found += [one.name for one in page.leagues]
        token = page.next_page_token
    assert (found, token) == (["three", "one"], "")
    with refused(pb.REASON_TOO_LARGE):
        await listed(pb.ListLeaguesRequest(page_size=501))


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({}, pb.REASON_INVALID),
        ({"game": "chess"}, pb.REASON_INVALID),
        ({"game": "claims", "rating": "elo"}, pb.REASON_INVALID),
        ({"tournament": "nowhere"}, pb.REASON_NOT_FOUND),
    ],
)
async def test_what_there_is_no_ranking_of(
    served: Served, asked: dict[str, Any], reason: pb.Reason.ValueType
) -> None:
    """Is refused with its reason."""
    with refused(reason):
        await served[SPECTATOR].rankings.GetRanking(pb.GetRankingRequest(**asked))


async def test_a_private_tournament_is_there_for_who_has_to_do_with_it(served: Served) -> None:
    """Its organiser, its bots' authors and admins; for others it isn't there, in the same words."""
    match = served.store.matches(
        finished(served.store, "secret", private=True, organiser="olga").id
    )[0]
    for name in ("olga", "ana", "ada"):
        told = await served[name].rankings.GetRanking(pb.GetRankingRequest(tournament="secret"))
        assert told.total == 3
        assert await got(served, name, "secret", match.id) == replay_of(match)
    for name in ("bo", "otto", SPECTATOR):
        with refused(pb.REASON_NOT_FOUND) as hidden:
            await served[name].rankings.GetRanking(pb.GetRankingRequest(tournament="secret"))
        with refused(pb.REASON_NOT_FOUND) as missing:
            await served[name].rankings.GetRanking(pb.GetRankingRequest(tournament="secre"))
        assert str(hidden) == str(missing).replace("'secre'", "'secret'")
        with refused(pb.REASON_NOT_FOUND):
            await got(served, name, "secret", match.id)
        told = await served[name].rankings.GetRanking(pb.GetRankingRequest(game="claims"))
        assert (told.total, list(told.tournaments)) == (0, [])


async def got(served: Served, name: str, tournament: str, match: str) -> bytes:
    """A replay as a caller gets it."""
    request = pb.GetReplayRequest(tournament=tournament, match_id=match)
    return b"".join([piece.data async for piece in served[name].replays.GetReplay(request)])


async def test_a_replay_comes_in_pieces_once_it_is_released(served: Served) -> None:
    """Not before all matches on its deals were played; the match may be named by its beginning."""
    cup = make_tournament(served.store)
    first, second, other, _ = served.store.matches(cup.id)[:4]
    served.store.record_result(cup.id, new_result(first), BIG)
    for name in (SPECTATOR, "ada"):
        with refused(pb.REASON_NOT_RELEASED):
            await got(served, name, "cup", first.id)
    served.store.record_result(cup.id, new_result(second), replay_of(second))
    assert len(BIG) > 2 * PIECE
    assert await got(served, SPECTATOR, "cup", first.id) == BIG
    with refused(pb.REASON_WRONG_STATE):
        await got(served, SPECTATOR, "cup", other.id)
    with refused(pb.REASON_WRONG_STATE):
        await got(served, SPECTATOR, "cup", "m")
    assert await got(served, SPECTATOR, "cup", "m0-0") == BIG


async def sent(*pieces: bytes) -> AsyncIterator[pb.VerifyReplayRequest]:
    """Bytes to be verified."""
    for piece in pieces:
        yield pb.VerifyReplayRequest(data=piece)


async def test_bytes_that_are_sent_are_verified(served: Served, a_replay: bytes) -> None:
    """Compressed or not, in any pieces; the first line that doesn't hold is named."""
    verify = served[SPECTATOR].replays.VerifyReplay
    lines = list(replay.unpack(a_replay))
    said = await verify(sent(a_replay[:100], a_replay[100:]))
    assert (said.holds, said.line, said.digest) == (True, 0, replay.digest(lines))
    lines[3]["seat"] = 1 - lines[3]["seat"]
    said = await verify(sent(replay.pack(lines)))
    assert (said.holds, said.line) == (False, 4)
    assert said.why
    said = await verify(sent(b"no replay"))
    assert (said.holds, said.line, said.why) == (False, 0, "line 1 is not JSON")


async def test_a_replay_of_the_arenas_is_verified_by_name(served: Served, a_replay: bytes) -> None:
    """If it is released to the caller."""
    cup = make_tournament(served.store)
    for match in served.store.matches(cup.id)[:2]:
        served.store.record_result(cup.id, new_result(match), a_replay)
    name = pb.ReplayName(tournament="cup", match_id="m0-1")
    verify = served[SPECTATOR].replays.VerifyReplay
    assert (await verify(iter([pb.VerifyReplayRequest(name=name)]))).holds
    name.match_id = "m1-0"
    with refused(pb.REASON_WRONG_STATE):
        await verify(iter([pb.VerifyReplayRequest(name=name)]))
    both = [pb.VerifyReplayRequest(name=name), pb.VerifyReplayRequest(data=b"x")]
    with refused(pb.REASON_INVALID):
        await verify(iter(both))


async def test_a_replay_that_is_too_large_is_refused_or_does_not_hold(served: Served) -> None:
    """As it is sent, and as it unpacks: a bomb is never unpacked."""
    verify = served[SPECTATOR].replays.VerifyReplay
    piece = bytes(1 << 19)
    with refused(pb.REASON_TOO_LARGE):
        await verify(sent(*[piece] * (MOST_SENT // len(piece)), b"x"))
    said = await verify(sent(replay.pack([{"type": "x" * (9 << 20)}])))
    assert (said.holds, said.why) == (False, "the file unpacks to more than 8 MiB")
