"""Is healthy, but serves no player."""

from politely import PoliteBot


class NoPlayerService(PoliteBot):
    services = ("grpc.health.v1.Health",)


if __name__ == "__main__":
    NoPlayerService().serve()
