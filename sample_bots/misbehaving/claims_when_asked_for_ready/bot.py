"""Answers each round's end with a claim."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import player_pb2 as player


class ClaimsWhenAskedForReady(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        for answer in super().play(requests, context):
            if isinstance(answer, player.PlayResponse) and answer.HasField("ready"):
                answer.claim.SetInParent()
            yield answer


if __name__ == "__main__":
    ClaimsWhenAskedForReady().serve()
