"""How a bot is reached: the channel's options, and waiting until it says that it is ready."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Final, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2

from arenabot.driver import brief

#: A bot's message is a few bytes; one of the arena's at most a few thousand.
MAX_ANSWER: Final = 64 * 1024
MAX_REQUEST: Final = 256 * 1024

# How much later than gRPC we ask whether the time for an answer is over, in seconds.
_GRACE: Final = 0.1

_HEALTH: Final = f"/{health_pb2.DESCRIPTOR.services_by_name['Health'].full_name}/Check"

_OPTIONS: Final = (
    # Without it a new channel to an address gets an old one's connection, even where another
    # socket has taken its place since.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", MAX_ANSWER),
    ("grpc.max_send_message_length", MAX_REQUEST),
    ("grpc.max_metadata_size", 4 * 1024),
    ("grpc.absolute_max_metadata_size", 8 * 1024),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.service_config_disable_resolution", 1),
    # The default waits 1 s after a first try that came too early.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 1000),
    ("grpc.max_reconnect_backoff_ms", 50),
    # No keepalive pings: a dead peer closes a local socket by itself, a stuck one is what the
    # timers are for, and a server with default settings hangs up on whoever pings too often.
    ("grpc.keepalive_time_ms", 2**31 - 1),
    # What is read at once and not yet worked on.  Without a bound a flood of small frames took
    # 5 MiB more each second.
    ("grpc.experimental.tcp_max_read_buffer_size", 64 * 1024),
    # No probes either that would let windows, and with them a flood's share of memory, grow.
    ("grpc.http2.bdp_probe", 0),
)


def connect(address: str) -> grpc.aio.Channel:
    """Make a channel of its own to a bot; nothing is dialled yet."""
    _keep_engine()
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


@cache
def _keep_engine() -> None:
    """Keep what gRPC runs channels with for as long as this process lives.

    Otherwise it ends with the last channel, and ending it waits, in the event loop's own thread,
    for all that is under way: a bot that leaves its socket unread would stop everything here.
    """
    grpc.aio.init_grpc_aio()


class NotServing(NamedTuple):
    """What a bot that is not ready said instead of SERVING."""

    detail: str
    #: Whether nobody was there to say anything, or nothing was said in time.
    unreachable: bool = False
    silent: bool = False
    #: Whether waiting cannot help.
    final: bool = False


async def ask_health(channel: grpc.aio.Channel, seconds: float) -> NotServing | None:
    """Ask the health service once, for at most ``seconds``; ``None`` means SERVING."""
    # The answer comes as bytes, so that what cannot be read is ours to judge.
    check: grpc.aio.UnaryUnaryMultiCallable[health_pb2.HealthCheckRequest, bytes]
    check = channel.unary_unary(
        _HEALTH, request_serializer=health_pb2.HealthCheckRequest.SerializeToString
    )
    try:
        async with asyncio.timeout(seconds + _GRACE):
            raw = await check(health_pb2.HealthCheckRequest(), timeout=seconds)
        status = health_pb2.HealthCheckResponse.FromString(raw).status
    except grpc.aio.AioRpcError as error:
        return _refusal(error)
    except TimeoutError:
        # gRPC's own timer doesn't end a call that waits for room in the bot's socket.
        return NotServing("does not read what it is sent", silent=True)
    except (DecodeError, TypeError):
        # gRPC gives something else than bytes for a call that ended well without a message.
        return NotServing("its health service answers with no HealthCheckResponse", final=True)
    if status == health_pb2.HealthCheckResponse.SERVING:
        return None
    return NotServing(f"its health service says {_name(status)} instead of SERVING")


def _name(status: int) -> str:
    known = health_pb2.HealthCheckResponse.ServingStatus
    return known.Name(status) if status in known.values() else str(status)


def _refusal(error: grpc.aio.AioRpcError) -> NotServing:
    code = error.code()
    if code is grpc.StatusCode.UNAVAILABLE:
        return NotServing("nothing answers at its address", unreachable=True)
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return NotServing("its health service does not answer", silent=True)
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return NotServing("it does not serve grpc.health.v1.Health", final=True)
    return NotServing(f"its health service fails with {code.name}: {brief(error.details() or '')}")
