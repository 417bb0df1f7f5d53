"""Sends a frame with more padding than it is long."""

from rawhttp2 import DATA, PADDED, RawBot, frame

from arenabot.v1 import player_pb2 as player


class BadPadding(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(DATA, b"\xff", flags=PADDED, stream=self.stream))


if __name__ == "__main__":
    BadPadding().serve()
