"""Answers in HTTP/1.1."""

from rawhttp2 import RawBot


class SpeaksHttp1(RawBot):
    def talk(self) -> None:
        self.peer.recv(1000)
        self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


if __name__ == "__main__":
    SpeaksHttp1().serve()
