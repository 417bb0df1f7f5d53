"""Sends its answer one byte after the other, with a pause after each."""

import time

from rawhttp2 import DATA, RawBot, frame, message

from arenabot.v1 import player_pb2 as player


class SlowDrip(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        for byte in message(bytes(1000)):
            self.send(frame(DATA, bytes([byte]), stream=self.stream))
            time.sleep(0.1)


if __name__ == "__main__":
    SlowDrip().serve()
