"""Ends its stream without a status."""

from rawhttp2 import DATA, END_STREAM, RawBot, frame

from arenabot.v1 import player_pb2 as player


class NoTrailers(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(DATA, flags=END_STREAM, stream=self.stream))


if __name__ == "__main__":
    NoTrailers().serve()
