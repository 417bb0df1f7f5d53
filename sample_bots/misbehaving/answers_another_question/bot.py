"""Answers with numbers of questions that were not asked."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class AnswersAnotherQuestion(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        numbers = (0, request.seq - 1, request.seq + 1, 2**32 - 1)
        return [player.PlayResponse(seq=number, claim=burn.Claim()) for number in numbers]


if __name__ == "__main__":
    AnswersAnotherQuestion().serve()
