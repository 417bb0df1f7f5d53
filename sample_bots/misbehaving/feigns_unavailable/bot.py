"""Ends its stream with the status of a connection that broke."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class FeignsUnavailable(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        context.abort(grpc.StatusCode.UNAVAILABLE, "it was not me")


if __name__ == "__main__":
    FeignsUnavailable().serve()
