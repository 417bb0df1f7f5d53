"""Answers with a message that it says is compressed in a way nobody knows."""

from rawhttp2 import DATA, RawBot, frame, message

from arenabot.v1 import player_pb2 as player


class UnknownCompression(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(DATA, message(b"squeezed", compressed=1), stream=self.stream))


if __name__ == "__main__":
    UnknownCompression().serve()
