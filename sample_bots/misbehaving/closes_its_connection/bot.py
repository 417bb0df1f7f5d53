"""Closes its connection in the middle of a match, and waits for another one."""

import socket

from rawhttp2 import RawBot

from arenabot.v1 import player_pb2 as player


class ClosesItsConnection(RawBot):
    def attack(self, request: player.PlayRequest) -> None:
        self.peer.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    ClosesItsConnection().serve()
