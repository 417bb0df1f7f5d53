"""Resets its stream in the middle of a match."""

from rawhttp2 import RST_STREAM, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class ResetsItsStream(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(RST_STREAM, number(8), stream=self.stream))


if __name__ == "__main__":
    ResetsItsStream().serve()
