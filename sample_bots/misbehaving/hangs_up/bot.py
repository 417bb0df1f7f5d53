"""Ends its stream in good order in the middle of a match."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class HangsUp(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        context.cancel()
        return ()


if __name__ == "__main__":
    HangsUp().serve()
