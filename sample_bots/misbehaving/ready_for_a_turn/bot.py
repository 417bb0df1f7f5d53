"""Answers a turn with ready."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class ReadyForATurn(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [player.PlayResponse(seq=request.seq, ready=player.Ready())]


if __name__ == "__main__":
    ReadyForATurn().serve()
