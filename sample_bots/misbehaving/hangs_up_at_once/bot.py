"""Takes every connection and closes it."""

from rawhttp2 import RawBot


class HangsUpAtOnce(RawBot):
    def talk(self) -> None:
        raise EOFError("good bye")


if __name__ == "__main__":
    HangsUpAtOnce().serve()
