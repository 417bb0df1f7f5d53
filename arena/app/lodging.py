"""Where bots run: which ways this machine offers, and making bots ready for one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from arena.app.contestants import Contestant
from arena.app.errors import ArenaError
from arena.sandbox.errors import SandboxError
from arena.store import Store
from arena.submissions.errors import ImageError
from arena.tournament.job import Lodging, SeatJob
