"""From a call's metadata to who calls."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from arena.app.accounts import hashed
from arena.server.caller import Caller
from arena.server.limits import Buckets
from arena.server.refusals import Refused
from arena.store import Store
from arenabot.v1 import arena_pb2 as pb

_FRESH: Final = 1.0
"""Seconds for which a token is not looked up again: another process may revoke it meanwhile."""

_MOST: Final = 10_000
"""How many tokens are remembered."""

_STRANGERS: Final = 4
"""How many tokens that nobody has shown yet are looked up at a time: so whoever sends many wrong
ones at once is slowed down after the first few, too."""


class Authenticator:
    """Knows callers by their tokens.

    An unknown token costs what a known one does: one hash, one look-up by it. Whoever tries many is
    slowed down by address, as is who sends what is no token at all; a token that was known once is
    not held up by them.
    """

    def __init__(
        self,
        store: Store,
        *,
        wrong_per_minute: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Look tokens up in `store`."""
        self._store = store
        self._clock = clock
        self._wrong = Buckets(wrong_per_minute / 60, max(1.0, wrong_per_minute), clock)
        self._strangers = asyncio.Semaphore(_STRANGERS)
        #: By hash: who it was, and until when that is fresh.
        self._known: OrderedDict[str, tuple[Caller, float]] = OrderedDict()
        self._generation = 0

    def forget(self) -> None:
        """Look every token up anew: an author or a token has changed."""
        self._generation += 1
        for hash_, (caller, _) in self._known.items():
            self._known[hash_] = (caller, 0.0)

    async def caller(self, metadata: Iterable[tuple[str, str | bytes]], peer: str) -> Caller:
        """Who calls from `peer`; a spectator without a token. Raises Refused."""
        told = [value for key, value in metadata if key == "authorization"]
        if not told:
            return Caller(peer=peer)
        scheme, _, secret = str(told[0]).partition(" ")
        if len(told) > 1 or scheme.lower() != "bearer" or not secret.strip():
            self._require_patience(peer)
            self._wrong.take(address(peer))
            raise Refused(
                pb.REASON_TOKEN_INVALID, "the metadata is written `authorization: Bearer TOKEN`"
            )
        return await self._by_hash(hashed(secret.strip()), peer)

    async def _by_hash(self, hash_: str, peer: str) -> Caller:
        remembered, fresh_until = self._known.get(hash_, (None, 0.0))
        if remembered is not None and self._clock() < fresh_until:
            return Caller(remembered.author, remembered.role, remembered.token, peer)
        if remembered is not None:
            return await self._looked_up(hash_, peer)
        async with self._strangers:
            self._require_patience(peer)
            return await self._looked_up(hash_, peer)

    def _require_patience(self, peer: str) -> None:
        """Raises Refused where too many wrong tokens have come from."""
        if wait := self._wrong.empty(address(peer)):
            raise Refused(
                pb.REASON_RATE_LIMITED,
                "too many unknown tokens came from this address: wait before trying again",
                again_in=wait,
            )

    async def _looked_up(self, hash_: str, peer: str) -> Caller:
        generation = self._generation
        found = await asyncio.to_thread(self._store.accounts.known, hash_)
        if found is None:
            self._known.pop(hash_, None)
            self._wrong.take(address(peer))
            raise Refused(
                pb.REASON_TOKEN_INVALID,
                "this token is not known here, was revoked, or its author is locked out",
            )
        caller = Caller(found.author.name, found.author.role, found.token.id, peer)
        fresh = self._clock() + _FRESH if generation == self._generation else 0.0
        self._known[hash_] = (caller, fresh)
        self._known.move_to_end(hash_)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
        return caller


def address(peer: str) -> str:
    """Where a call came from, less the port: of `ipv4:192.0.2.1:4711` the `ipv4:192.0.2.1`."""
    return peer if peer.startswith("unix") else peer.rpartition(":")[0]
