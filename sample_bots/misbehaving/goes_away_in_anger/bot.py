"""Says that it goes away and took no call, with an error and a long reason."""

from rawhttp2 import GOAWAY, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class GoesAwayInAnger(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(GOAWAY, number(0) + number(11) + b"\x1b[31m" * 1000))


if __name__ == "__main__":
    GoesAwayInAnger().serve()
