"""Answers the question for its health with bytes that are no message."""

from rawhttp2 import RawBot


class HealthOfGarbage(RawBot):
    def health(self, stream: int) -> None:
        self.call_answer(stream, b"\xff\xff\xff")


if __name__ == "__main__":
    HealthOfGarbage().serve()
