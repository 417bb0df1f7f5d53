"""What stands between the wire and every service: who calls, whether they may, what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, aclosing, contextmanager, suppress
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

import grpc
import structlog
from grpc_status import rpc_status

from arena.server import calls, errors
from arena.server.access import METHODS, Access
from arena.server.arena import Arena
from arena.server.authentication import Authenticator, address
from arena.server.books import Books
from arena.server.caller import Caller, caller, current
from arena.server.calls import Call
from arena.server.limits import Buckets, Open
from arena.server.metrics import Metrics
from arena.server.refusals import Refused
from arena.store import StoreError
from arenabot.v1 import arena_pb2 as pb

T = TypeVar("T")
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

_OURS: Final = "/arenabot.v1."
_ALWAYS: Final = "AdminService/WhoAmI"
"""What also callers without a token may ask where spectators may not look."""


class Gate(grpc.aio.ServerInterceptor):
    """Every call of our services goes through here; others (health, reflection) pass by.

    A service is called with `caller()` set. What it raises becomes a status; a call that changes
    something stands in the audit log, whatever came of it. Methods whose answers stream are async
    generators.
    """

    def __init__(self, arena: Arena, authenticator: Authenticator, metrics: Metrics) -> None:
        """Guard the services of `arena`."""
        self._settings = arena.settings
        self._authenticator = authenticator
        self._books = Books(arena.store, metrics)
        chosen = arena.settings
        self._spectators = Buckets(
            chosen.spectator_calls_per_second, chosen.spectator_calls_at_once
        )
        self._authors = Buckets(chosen.calls_per_second, chosen.calls_at_once)
        self._open = Open(chosen.streams_at_once)
        self._stopping = False
        #: The calls that end only when something else does, and so when the server stops.
        self._watches: set[asyncio.Task[Any]] = set()

    def stop(self) -> None:
        """Take no more calls."""
        self._stopping = True

    def end_watches(self) -> None:
        """End the calls that go on for as long as something goes on."""
        self.stop()
        for task in self._watches:
            task.cancel()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Put ourselves in front of a method of ours."""
        handler = await continuation(handler_call_details)
        name = handler_call_details.method
        if handler is None or not name.startswith(_OURS):
            return handler
        return self._guarded(handler, name.removeprefix(_OURS))

    def _guarded(self, handler: Handler, method: str) -> Handler:
        access = METHODS[method]
        check = self._still_known if access.watches else _as_before
        work = _work(handler, check, self._settings.unread_seconds)
        streams = handler.request_streaming or handler.response_streaming

        async def answer(request: Any, context: Context) -> Any:
            call = Call(method, access.changes)
            if access.target and not handler.request_streaming:
                call.target = str(getattr(request, access.target))
            seconds = self._seconds(handler)
            try:
                return await self._served(
                    call,
                    access,
                    context,
                    lambda: _in_time(work(request, context), seconds),
                    streams=streams,
                )
            except Refused as refusal:
                await _abort(context, refusal)

        return _like(handler, answer)

    def _seconds(self, handler: Handler) -> float | None:
        if handler.response_streaming:
            return None
        chosen = self._settings
        return chosen.upload_seconds if handler.request_streaming else chosen.call_seconds

    async def _served(
        self,
        call: Call,
        access: Access,
        context: Context,
        work: Callable[[], Awaitable[T]],
        *,
        streams: bool,
    ) -> T:
        """Do the work if its caller may have it done, and write down what came of it.

        Raises Refused for whatever went wrong.
        """
        calls.current.set(call)
        current.set(Caller(peer=context.peer()))
        structlog.contextvars.bind_contextvars(request=call.id)
        refusal, cancelled = None, False
        try:
            with await self._admitted(access, context, call, streams=streams):
                return await work()
        except asyncio.CancelledError:
            if not (access.watches and self._stopping):
                cancelled = True
                raise
            refusal = _draining()
        except grpc.aio.AbortError:  # it was told already
            cancelled = True
            raise
        except Exception as error:
            refusal = errors.refused(error, call.id)
            self._books.trouble(call, refusal, error)
        finally:
            await self._books.close(call, refusal, cancelled=cancelled)
        raise refusal

    async def _admitted(
        self, access: Access, context: Context, call: Call, *, streams: bool
    ) -> AbstractContextManager[None]:
        """Find out who calls, and whether they may. Raises Refused."""
        if self._stopping:
            raise _draining()
        metadata = context.invocation_metadata() or ()
        current.set(await self._authenticator.caller(metadata, context.peer()))
        who = caller()
        structlog.contextvars.bind_contextvars(author=who.author)
        key = who.author or address(who.peer)
        bucket = self._spectators if who.author is None else self._authors
        if wait := bucket.take(key, access.cost):
            raise Refused(
                pb.REASON_RATE_LIMITED, "too many calls: wait before the next one", again_in=wait
            )
        self._check_role(who, access, call)
        return self._counted(key, watches=access.watches, streams=streams)

    async def _still_known(self, context: Context) -> None:
        """See that the token of a call that goes on and on wasn't revoked. Raises Refused."""
        with suppress(StoreError):  # then nobody knows, and what was allowed goes on
            await self._authenticator.caller(context.invocation_metadata() or (), context.peer())

    def _check_role(self, who: Caller, access: Access, call: Call) -> None:
        if access.role is None:
            if not self._settings.spectators and call.method != _ALWAYS:
                who.name()
        elif not who.has(access.role):
            who.name()
            raise Refused(
                pb.REASON_ROLE_TOO_LOW,
                f"this needs the role {access.role.value}: an admin can give it",
            )

    @contextmanager
    def _counted(self, key: str, *, watches: bool, streams: bool) -> Iterator[None]:
        """Count a stream while it is open."""
        if not streams:
            yield
            return
        task = asyncio.current_task()
        with self._open.one_more(key):
            if watches and task is not None:
                self._watches.add(task)
            try:
                yield
            finally:
                self._watches.discard(task)


def _draining() -> Refused:
    return Refused(
        pb.REASON_DRAINING, "the arena is being stopped: try again in a minute", again_in=10
    )


async def _as_before(_: Context) -> None:
    """Take a caller for who it was when the call began."""


def _work(
    handler: Handler, check: Callable[[Context], Awaitable[None]], unread: float
) -> Callable[[Any, Context], Awaitable[Any]]:
    """What a handler does, as one coroutine that ends when the call does, however it ends.

    Each piece of an answer is sent after a `check`, which may raise Refused. If one stays `unread`
    for so many seconds, no more are made.
    """
    whole: Any = handler.unary_unary or handler.stream_unary
    pieces: Any = handler.unary_stream or handler.stream_stream

    async def answer_whole(request: Any, context: Context) -> Any:
        return await whole(request, context)

    async def answer_in_pieces(request: Any, context: Context) -> None:
        try:
            async with aclosing(pieces(request, context)) as answers:
                async for each in answers:
                    await check(context)
                    await _send(context, each, unread)
        except _Unread:
            # What was made for the answer is given back. The call itself is open, and counts as
            # such, until its caller reads on or hangs up: a status waits behind what is unread.
            sentence = f"nobody has read on for {unread:g} seconds: ask again"
            await _abort(context, Refused(pb.REASON_UNAVAILABLE, sentence))

    return answer_in_pieces if handler.response_streaming else answer_whole


class _Unread(Exception):
    """A piece of an answer that nobody has read for too long."""


async def _send(context: Context, piece: Any, unread: float) -> None:
    """Send a piece. Raises _Unread."""
    try:
        async with asyncio.timeout(unread) as limit:
            await context.write(piece)
    except TimeoutError:
        if not limit.expired():
            raise
        raise _Unread from None


def _like(handler: Handler, behaviour: Any) -> Handler:
    """A handler of the same kind that does something else."""
    make = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }[handler.request_streaming, handler.response_streaming]
    made: Handler = make(behaviour, handler.request_deserializer, handler.response_serializer)
    return made


async def _in_time(work: Awaitable[T], seconds: float | None) -> T:
    """Do it, but no longer than that. Raises Refused."""
    try:
        async with asyncio.timeout(seconds) as limit:
            return await work
    except TimeoutError:
        if not limit.expired():
            raise
        raise Refused(
            pb.REASON_UNAVAILABLE,
            f"this took longer than {seconds:g} seconds: try again later",
            again_in=10,
        ) from None


async def _abort(context: Context, refusal: Refused) -> NoReturn:
    said: Any = rpc_status.to_status(errors.status(refusal))
    await context.abort(said.code, said.details, said.trailing_metadata)
    raise AssertionError  # it has raised
