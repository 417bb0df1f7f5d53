"""Serves a player, but no health service."""

from politely import PoliteBot


class NoHealthService(PoliteBot):
    services = ("arenabot.v1.PlayerService",)


if __name__ == "__main__":
    NoHealthService().serve()
