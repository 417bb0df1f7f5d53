"""Says in each turn that it goes away, and plays on: that is allowed."""

from rawhttp2 import GOAWAY, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class GoesAway(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.send(frame(GOAWAY, number(self.stream) + number(0)))
        if answer := self.honest(request):
            self.answer(answer)


if __name__ == "__main__":
    GoesAway().serve()
