"""What is known of the call on whose behalf something runs, besides who has called."""

from __future__ import annotations

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Call:
    """One call, from its arrival to its answer."""

    #: As `SERVICE/METHOD`.
    method: str
    #: Whether it changes something.
    changes: bool
    #: What it is about, for the audit log.
    target: str = ""
    #: What the log calls it: 16 hexadecimal digits.
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    #: When it arrived, on the monotonic clock.
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return round(time.monotonic() - self.began, 6)


#: Set by the interceptor for each call.
current: ContextVar[Call] = ContextVar("call")


def about(target: str) -> None:
    """Say what the call is about, where its first message doesn't: the name of a bot that came."""
    current.get().target = target
