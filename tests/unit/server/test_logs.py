"""What an operator finds in a server's log."""

from __future__ import annotations

import io
import logging
import secrets

import pytest
import structlog

from arena.server.logs import logging_to
from arena.server.settings import Settings


def fail(secret: str) -> None:
    """Raise an error where a secret is at hand."""
    held = [secret.upper()] * 100
    raise ValueError(f"no use for {len(held)} of them")


@pytest.mark.parametrize("log_format", ["console", "json"])
@pytest.mark.parametrize("by", ["ours", "a library's"])
def test_an_error_is_logged_with_its_traceback_and_without_what_variables_held(
    log_format: str, by: str
) -> None:
    """They may be tokens and seeds, and are too much to read."""
    stream, secret = io.StringIO(), secrets.token_hex(8)
    with logging_to(stream, Settings(log_format=log_format)):
        try:
            fail(secret)
        except ValueError:
            if by == "ours":
                structlog.get_logger("arena").error("page failed", exc_info=True)
            else:
                logging.getLogger("library").exception("it failed")
    told = stream.getvalue()
    assert "ValueError: no use for 100 of them" in told
    assert "in fail" in told
    assert secret not in told.lower()
    assert len(told) < 2000
