"""Ends its stream with the status of a match that lasted too long, which would be void."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class FeignsDeadline(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "it was not me")


if __name__ == "__main__":
    FeignsDeadline().serve()
