"""Sends answers to questions that have not been asked yet along with each answer."""

from collections.abc import Iterator

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class AnswersAhead(PoliteBot):
    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        for answer in super().play(requests, context):
            yield answer
            if isinstance(answer, player.PlayResponse):
                yield player.PlayResponse(seq=answer.seq + 10, claim=burn.Claim())


if __name__ == "__main__":
    AnswersAhead().serve()
