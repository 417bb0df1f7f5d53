"""Passes open files along with its answers, as many as it may, to leave the arena without."""

import socket
from pathlib import Path

from rawhttp2 import DATA, RawBot, frame, message

from arenabot.v1 import player_pb2 as player


class PassesFilesAlong(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        if answer := self.honest(request):
            data = frame(DATA, message(answer.SerializeToString()), stream=self.stream)
            with Path("/dev/null").open("rb") as file:
                socket.send_fds(self.peer, [data], [file.fileno()] * 100)


if __name__ == "__main__":
    PassesFilesAlong().serve()
