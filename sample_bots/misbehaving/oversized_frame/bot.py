"""Sends a frame that is larger than the arena allows."""

from rawhttp2 import DATA, RawBot, frame

from arenabot.v1 import player_pb2 as player


class OversizedFrame(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(DATA, bytes(1 << 20), stream=self.stream))


if __name__ == "__main__":
    OversizedFrame().serve()
