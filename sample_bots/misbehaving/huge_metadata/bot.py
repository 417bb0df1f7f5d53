"""Begins its stream with 32 KiB of metadata."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class HugeMetadata(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        context.send_initial_metadata((("x-large", "x" * (32 << 10)),))
        yield from super().play(requests, context)


if __name__ == "__main__":
    HugeMetadata().serve()
