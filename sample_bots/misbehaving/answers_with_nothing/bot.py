"""Answers in time, but with a message that holds no action."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class AnswersWithNothing(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [player.PlayResponse(seq=request.seq)]


if __name__ == "__main__":
    AnswersWithNothing().serve()
