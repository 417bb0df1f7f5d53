"""Takes every connection and never says a word."""

from rawhttp2 import RawBot


class NeverSaysAWord(RawBot):
    def talk(self) -> None:
        while self.peer.recv(1000):
            pass


if __name__ == "__main__":
    NeverSaysAWord().serve()
