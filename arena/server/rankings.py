"""RankingService: who is how good, worked out once for all who ask; and which leagues there are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import grpc

from arena.app.options import game_of
from arena.app.rankings import ranking as app
from arena.app.rankings import raters
from arena.app.rankings.cache import RankingCache
from arena.app.rankings.ranking import Overview, Ranking
from arena.app.rankings.table import Duel
from arena.server import pages
from arena.server.arena import Arena
from arena.server.refusals import Refused
from arena.server.visible import visible
from arena.store import League
from arena.wire import leagues as wire_leagues
from arena.wire import rankings as wire
from arenabot.v1 import arena_pb2 as pb
from arenabot.v1 import arena_pb2_grpc as pb_grpc

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]


class Rankings(pb_grpc.RankingServiceServicer):
    """Answers for one arena.

    All rankings are made in one thread of their own, the pages' as well: many who ask at once wait
    for one computation, and never for each other's turn to use the threads that everything else
    runs in.
    """

    def __init__(self, arena: Arena, kept: RankingCache) -> None:
        """Answer for `arena`, from what is `kept`."""
        self._store = arena.store
        self._kept = kept

    async def GetRanking(self, message: pb.GetRankingRequest, _: Context) -> pb.GetRankingResponse:
        """The ranking of a game, of a league or of a tournament."""
        start, end = _part(message)
        game, found = await self._find(message)
        rows = found.ranked
        told = pb.GetRankingResponse(
            ranked=[wire.ranked(row) for row in rows[start:end]],
            next_page_token=pages.token((end,) if end < len(rows) else None),
            total=len(rows),
            game=game,
        )
        if isinstance(found, Ranking):
            told.tournaments.extend(tournament.name for tournament in found.tournaments)
            told.left_out.update(found.holes)
            return told
        told.tournaments.append(found.tournament.name)
        if found.left_out:
            told.left_out[found.tournament.name] = len(found.left_out)
            told.blocks_left_out.extend(sorted(found.left_out))
        if found.clarity is not None:
            told.clarity.CopyFrom(wire.clarity(found.clarity))
        return told

    async def GetHeadToHead(
        self, message: pb.GetHeadToHeadRequest, _: Context
    ) -> pb.GetHeadToHeadResponse:
        """What any two in a ranking did against each other, or one bot and all others."""
        start, end = _part(message)
        found = (await self._find(message))[1]
        duels: Sequence[Duel] = await self._now(lambda _: found.table.duels(message.bot or None))
        return pb.GetHeadToHeadResponse(
            duels=[wire.duel(duel) for duel in duels[start:end]],
            next_page_token=pages.token((end,) if end < len(duels) else None),
        )

    async def ListLeagues(
        self, message: pb.ListLeaguesRequest, _: Context
    ) -> pb.ListLeaguesResponse:
        """All leagues, the newest first: they have public tournaments only, so all may see them."""
        size = pages.size(message.page_size)
        before = pages.key(message.page_token, int)
        found = await asyncio.to_thread(
            self._store.leagues.listed,
            message.game or None,
            before=None if before is None else int(before[0]),
            most=size + 1,
        )
        return pb.ListLeaguesResponse(
            leagues=[wire_leagues.league(league) for league in found[:size]],
            next_page_token=pages.token((found[size - 1].id,) if len(found) > size else None),
        )

    async def _find(
        self, message: pb.GetRankingRequest | pb.GetHeadToHeadRequest
    ) -> tuple[str, Overview | Ranking]:
        """The game, and the ranking that is asked for. Raises Refused, NotFound."""
        way = message.rating or raters.DEFAULT
        league: League | None = None
        match message.WhichOneof("of"):
            case "game":
                game = game_of(message.game).id
            case "league":
                league = await asyncio.to_thread(self._store.leagues.find, message.league)
                game = league.game
            case "tournament":
                of = await asyncio.to_thread(visible, self._store, message.tournament)
                return of.game, await self._now(lambda kept: kept.overview(of, way=way))
            case _:
                raise Refused(
                    pb.REASON_INVALID, "say whose ranking: a game's, a league's or a tournament's"
                )
        return game, await self._now(
            lambda kept: kept.ranking(game, way=way, public=True, league=league)
        )

    async def _now(self, work: Callable[[app.Rankings], T]) -> T:
        return await asyncio.wrap_future(self._kept.now(work))


def _part(message: pb.GetRankingRequest | pb.GetHeadToHeadRequest) -> tuple[int, int]:
    """From which place to which the page goes. Raises Refused."""
    key = pages.key(message.page_token, int)
    start = max(0, int(key[0])) if key else 0
    return start, start + pages.size(message.page_size)
