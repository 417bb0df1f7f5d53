"""Ends its stream with a status that is no number."""

from rawhttp2 import END_HEADERS, END_STREAM, HEADERS, RawBot, frame, trailers

from arenabot.v1 import player_pb2 as player


class OddStatus(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        status = trailers("banana", ("grpc-message", "%1b[31m"))
        self.send(frame(HEADERS, status, flags=END_HEADERS | END_STREAM, stream=self.stream))


if __name__ == "__main__":
    OddStatus().serve()
