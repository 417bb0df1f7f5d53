"""Sends random bytes in place of frames."""

import os

from rawhttp2 import RawBot

from arenabot.v1 import player_pb2 as player


class TurnsToNoise(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        while True:
            self.send(os.urandom(1 << 16))


if __name__ == "__main__":
    TurnsToNoise().serve()
