"""Burns the same card twenty thousand times at once."""

from collections.abc import Iterable

import grpc
from politely import PoliteBot

from arenabot.v1 import burn_pb2 as burn
from arenabot.v1 import player_pb2 as player


class EndlessBurn(PoliteBot):
    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        cards = [burn.CARD_ACE_OF_SPADES] * 20_000
        endless = burn.Burn(cards=cards, draw=burn.DRAW_DECK)
        return [player.PlayResponse(seq=request.seq, burn=endless)]


if __name__ == "__main__":
    EndlessBurn().serve()
