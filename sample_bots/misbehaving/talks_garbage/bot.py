"""Answers with bytes that are no message."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class TalksGarbage(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [b"\xff" * 100]


if __name__ == "__main__":
    TalksGarbage().serve()
