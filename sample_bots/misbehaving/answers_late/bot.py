"""Answers each turn when its time is over, and then once more when the next one is asked."""

import time
from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class AnswersLate(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        time.sleep(2 * request.your_turn.time_ms / 1000)
        return [player.PlayResponse(seq=request.seq, claim=burn.Claim())]


if __name__ == "__main__":
    AnswersLate().serve()
