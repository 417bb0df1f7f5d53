"""The one place where the services are made."""

from __future__ import annotations

import grpc

from arena.app.rankings.cache import RankingCache
from arena.server.admin import Admin
from arena.server.arena import Arena
from arena.server.authentication import Authenticator
from arena.server.bots import Bots
from arena.server.rankings import Rankings
from arena.server.replays import Replays
from arena.server.tournaments import Tournaments
from arenabot.v1 import arena_pb2_grpc as pb_grpc


def add_services(
    server: grpc.aio.Server, arena: Arena, authenticator: Authenticator, rankings: RankingCache
) -> None:
    """Have `server` answer for `arena`."""
    pb_grpc.add_AdminServiceServicer_to_server(Admin(arena, authenticator), server)
    pb_grpc.add_BotServiceServicer_to_server(Bots(arena), server)
    pb_grpc.add_RankingServiceServicer_to_server(Rankings(arena, rankings), server)
    pb_grpc.add_ReplayServiceServicer_to_server(Replays(arena), server)
    pb_grpc.add_TournamentServiceServicer_to_server(Tournaments(arena), server)
