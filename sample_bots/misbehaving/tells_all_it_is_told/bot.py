"""Prints every byte of its match that the arena sends: names and seeds have no place there."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class TellsAllItIsTold(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        print(context.peer(), context.invocation_metadata())
        return super().play(map(self.told, requests), context)

    def told(self, request: player.PlayRequest) -> player.PlayRequest:
        """Print a request, as text and as bytes."""
        print(request, request.SerializeToString().hex(), flush=True)
        return request


if __name__ == "__main__":
    TellsAllItIsTold().serve()
