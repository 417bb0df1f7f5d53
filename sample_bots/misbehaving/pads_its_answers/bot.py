"""Adds 60 KiB that mean nothing to each answer: that is allowed, and dropped."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class PadsItsAnswers(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        for answer in super().play(requests, context):
            padding = b"\xfa\x7f" + b"\xe0\xd4\x03" + bytes(60_000)  # field 2047, so many bytes
            yield (answer if isinstance(answer, bytes) else answer.SerializeToString()) + padding


if __name__ == "__main__":
    PadsItsAnswers().serve()
