"""What tests do where this machine lacks something that they are about."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it where ARENA_TEST_REQUIRE_ALL=1 says that nothing may be missing."""
    if os.environ.get("ARENA_TEST_REQUIRE_ALL") == "1":
        pytest.fail(what)
    pytest.skip(what)
