"""Sends PING frames without end as soon as it is connected, and reads nothing."""

from rawhttp2 import PING, SETTINGS, RawBot, frame


class FloodsFromTheStart(RawBot):
    def talk(self) -> None:
        self.send(frame(SETTINGS))
        self.flood(frame(PING, bytes(8)), reading=False)


if __name__ == "__main__":
    FloodsFromTheStart().serve()
