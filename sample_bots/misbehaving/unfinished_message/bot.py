"""Ends its stream well in the middle of a message."""

from rawhttp2 import DATA, END_HEADERS, END_STREAM, HEADERS, RawBot, frame, message, trailers

from arenabot.v1 import player_pb2 as player


class UnfinishedMessage(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(
            frame(DATA, message(b"x", length=100), stream=self.stream),
            frame(HEADERS, trailers(), flags=END_HEADERS | END_STREAM, stream=self.stream),
        )


if __name__ == "__main__":
    UnfinishedMessage().serve()
