"""Ranks from sort keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def ranks_of(keys: Sequence[Any]) -> list[int]:
    """1 + how many seats have a lower key, so that ranks skip after ties: 1, 2, 2, 4 (X11)."""
    return [1 + sum(other < key for other in keys) for key in keys]
