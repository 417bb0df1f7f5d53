"""Ends the call for its health well, but without an answer."""

from rawhttp2 import END_HEADERS, END_STREAM, HEAD, HEADERS, RawBot, frame, trailers


class HealthWithoutAnswer(RawBot):
    def health(self, stream: int) -> None:
        self.send(
            frame(HEADERS, HEAD, flags=END_HEADERS, stream=stream),
            frame(HEADERS, trailers(), flags=END_HEADERS | END_STREAM, stream=stream),
        )


if __name__ == "__main__":
    HealthWithoutAnswer().serve()
