"""Gives the arena no room to send it anything, beyond the question for its health."""

from rawhttp2 import RawBot, setting


class ReadsNothing(RawBot):
    settings = setting(4, 5)

    def make_room(self, stream: int, size: int) -> None:
        """Give none."""


if __name__ == "__main__":
    ReadsNothing().serve()
