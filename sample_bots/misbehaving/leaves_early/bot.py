"""Ends its stream in good order after its third question."""

import itertools
from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class LeavesEarly(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        yield from itertools.islice(super().play(requests, context), 3)


if __name__ == "__main__":
    LeavesEarly().serve()
