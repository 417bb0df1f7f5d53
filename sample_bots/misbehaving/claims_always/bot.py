"""Claims in every turn, whatever its hand is."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class ClaimsAlways(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        return [player.PlayResponse(seq=request.seq, claim=burn.Claim())]


if __name__ == "__main__":
    ClaimsAlways().serve()
