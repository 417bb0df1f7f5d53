"""Somebody stopped us, and there is something to say about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

STOPPED: Final = 130
"""The exit code of a command that somebody stopped, as shells have it for Ctrl-C."""


class Stopped(Exception):
    """The command was stopped; the text says how to go on."""


@contextmanager
def can_go_on(how: str) -> Iterator[None]:
    """Say ``how`` to go on if the block is stopped."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(f"stopped; go on with: {how}") from None
