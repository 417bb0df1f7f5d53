"""Gives every answer twice."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class AnswersTwice(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        for answer in super().play(requests, context):
            yield answer
            yield answer


if __name__ == "__main__":
    AnswersTwice().serve()
