"""Says that its health is a number that means nothing."""

from politely import PoliteBot


class OddHealth(PoliteBot):
    status = 99


if __name__ == "__main__":
    OddHealth().serve()
