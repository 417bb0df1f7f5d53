"""Ends its stream with a status whose text has 64 KiB."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class HugeStatus(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        context.abort(grpc.StatusCode.INTERNAL, "sorry " * (64 << 10))


if __name__ == "__main__":
    HugeStatus().serve()
