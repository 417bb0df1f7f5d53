"""Fails whenever it is asked for its health, at length and with an escape sequence."""

import grpc
from politely import PoliteBot


class Sick(PoliteBot):
    def check(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        context.abort(grpc.StatusCode.INTERNAL, "\x1b[31mill " * 100)


if __name__ == "__main__":
    Sick().serve()
