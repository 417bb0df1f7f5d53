"""What is written down of every call: counted, logged, and audited if it changes something."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from arena.server.caller import caller
from arena.server.calls import Call
from arena.server.errors import code, is_ours
from arena.server.metrics import Metrics
from arena.server.refusals import Refused
from arena.store import NewAuditEntry, Store, StoreError
from arenabot.v1 import arena_pb2 as pb

CANCELLED: Final = "CANCELLED"
"""The status of a call whose caller gave it up."""

_log = structlog.get_logger("arena.calls")


class Books:
    """Where calls are written down."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        """The audit log is `store`'s."""
        self._store = store
        self._metrics = metrics

    def trouble(self, call: Call, refusal: Refused, error: Exception) -> None:
        """Keep for the operator what a caller can't help and isn't told."""
        if refusal.reason == pb.REASON_INTERNAL:
            _log.error("defect", method=call.method, exc_info=error)
        elif is_ours(refusal):
            _log.warning("unavailable", method=call.method, why=str(error))

    async def close(self, call: Call, refusal: Refused | None, *, cancelled: bool) -> None:
        """Write a call down that has ended."""
        status = CANCELLED if cancelled else "OK" if refusal is None else code(refusal).name
        outcome = status if refusal is None else f"{status} {refusal.word}"
        self._metrics.calls.labels(call.method, status).inc()
        self._metrics.call_seconds.labels(call.method).observe(call.seconds)
        told = _log.info if call.changes else _log.debug
        told("call", method=call.method, outcome=outcome, about=call.target, seconds=call.seconds)
        # Whoever is slowed down would fill the log.
        if call.changes and not (refusal and refusal.reason == pb.REASON_RATE_LIMITED):
            # Also if the caller goes away meanwhile.
            await asyncio.shield(asyncio.to_thread(self._audit, call, outcome))

    def _audit(self, call: Call, outcome: str) -> None:
        who = caller()
        entry = NewAuditEntry(who.author, who.token, call.method, call.target, outcome, who.peer)
        try:
            self._store.audit.add(entry)
        except StoreError as error:
            _log.error("not audited", why=str(error), outcome=outcome, method=call.method)
