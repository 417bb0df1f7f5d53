"""A bot's server with a proper gRPC library, for bots that say wrong things in the right way.

A `PoliteBot` plays a random legal action in each turn until its attack begins.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from calm import Calm

from arenabot.conversation import Conversation
from arenabot.transport import use_polling
from arenabot.v1 import player_pb2 as player

use_polling()  # before gRPC is imported

import grpc  # noqa: E402
from grpc_health.v1 import health_pb2  # noqa: E402


class PoliteBot:
    """Serves a bot; a subclass overrides `attack`, or whatever it wants to do wrong."""

    #: How many turns it plays before each further one is an attack.
    calm_turns: ClassVar[int] = 2
    #: The services that it has.
    services: ClassVar[tuple[str, ...]] = ("arenabot.v1.PlayerService", "grpc.health.v1.Health")
    #: What its health service says.
    status: ClassVar[int] = health_pb2.HealthCheckResponse.SERVING
    compression: ClassVar[grpc.Compression] = grpc.Compression.NoCompression

    def attack(
        self, request: player.PlayRequest, context: grpc.ServicerContext
    ) -> Iterable[player.PlayResponse | bytes]:
        """Do wrong instead of answering a turn."""
        answer = self.conversation.answer(request)
        return () if answer is None else (answer,)

    def serve(self) -> None:
        """Serve for ever."""
        server = grpc.server(ThreadPoolExecutor(4), compression=self.compression)
        handlers: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {
            "arenabot.v1.PlayerService": {
                "Play": grpc.stream_stream_rpc_method_handler(
                    self.play, player.PlayRequest.FromString, _to_bytes
                )
            },
            "grpc.health.v1.Health": {
                "Check": grpc.unary_unary_rpc_method_handler(
                    self.check, response_serializer=_to_bytes
                )
            },
        }
        server.add_generic_rpc_handlers(
            tuple(
                grpc.method_handlers_generic_handler(name, handlers[name]) for name in self.services
            )
        )
        server.add_insecure_port(os.environ["ARENABOT_ADDRESS"])
        server.start()
        server.wait_for_termination()

    def check(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        """Answer the health service."""
        response: bytes = health_pb2.HealthCheckResponse(status=self.status).SerializeToString()
        return response

    def play(
        self, requests: Iterator[player.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[player.PlayResponse | bytes]:
        """Play a match."""
        self.conversation = Conversation({"claims": Calm})
        turns = 0
        for request in requests:
            turns += request.HasField("your_turn")
            if request.HasField("your_turn") and turns > self.calm_turns:
                yield from self.attack(request, context)
            elif (response := self.conversation.answer(request)) is not None:
                yield response


def _to_bytes(answer: player.PlayResponse | bytes) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
