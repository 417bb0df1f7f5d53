"""Answers with a message of a megabyte."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class HugeAnswer(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [bytes(1 << 20)]


if __name__ == "__main__":
    HugeAnswer().serve()
