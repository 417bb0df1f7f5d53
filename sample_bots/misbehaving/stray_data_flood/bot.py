"""Sends data on a stream that there never was, without end."""

from rawhttp2 import DATA, RawBot, frame

from arenabot.v1 import player_pb2 as player


class StrayDataFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(DATA, bytes(1000), stream=99))


if __name__ == "__main__":
    StrayDataFlood().serve()
