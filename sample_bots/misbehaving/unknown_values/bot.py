"""Answers with a card and a place to draw from that there are not."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class UnknownValues(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        unknown = burn.Burn.FromString(b"\x0a\x01\x63\x10\x4d")  # card 99, from 77
        return [player.PlayResponse(seq=request.seq, burn=unknown)]


if __name__ == "__main__":
    UnknownValues().serve()
