"""Sends large frames of a kind that there is not, which must be ignored, without end."""

from rawhttp2 import RawBot, frame

from arenabot.v1 import player_pb2 as player


class UnknownFrameFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(0xEE, bytes(16_384)))


if __name__ == "__main__":
    UnknownFrameFlood().serve()
