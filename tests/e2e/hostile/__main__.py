"""Plays all misbehaving bots and writes the table of what came of each.

    python -m tests.e2e.hostile TABLE.md [arguments of pytest, such as -k flood]

In containers, and those that make sense as processes, too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.e2e.hostile.conftest import TABLE

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(f"usage: {(__doc__ or '').splitlines()[2].strip()}")
os.environ[TABLE] = str(Path(sys.argv[1]).absolute())
sys.exit(pytest.main([str(Path(__file__).parent), "-m", "docker", *sys.argv[2:]]))
