"""Begins its answers again and again, with headers without end."""

from rawhttp2 import END_HEADERS, HEAD, HEADERS, RawBot, frame

from arenabot.v1 import player_pb2 as player


class EarlyHeadersFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(HEADERS, HEAD, flags=END_HEADERS, stream=self.stream))


if __name__ == "__main__":
    EarlyHeadersFlood().serve()
