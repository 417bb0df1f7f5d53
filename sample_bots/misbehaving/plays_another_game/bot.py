"""Answers with a card of Claro."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import claro_pb2 as claro
from arenabot.v1 import player_pb2 as player


class PlaysAnotherGame(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [player.PlayResponse(seq=request.seq, claro_play=claro.ClaroPlay())]


if __name__ == "__main__":
    PlaysAnotherGame().serve()
