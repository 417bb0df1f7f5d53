"""Ends its stream with the words of gRPC's for an error of its own."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class FeignsInternal(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        context.abort(grpc.StatusCode.INTERNAL, "Internal error from Core")


if __name__ == "__main__":
    FeignsInternal().serve()
