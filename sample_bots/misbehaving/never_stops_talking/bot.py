"""Sends messages that nobody asked for without end."""

import itertools
from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class NeverStopsTalking(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return itertools.repeat(player.PlayResponse())


if __name__ == "__main__":
    NeverStopsTalking().serve()
