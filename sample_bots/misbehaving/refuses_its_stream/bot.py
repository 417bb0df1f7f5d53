"""Says in the middle of a match that it has not begun to work on it."""

from rawhttp2 import RST_STREAM, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class RefusesItsStream(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(RST_STREAM, number(7), stream=self.stream))


if __name__ == "__main__":
    RefusesItsStream().serve()
