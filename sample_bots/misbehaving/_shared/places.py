"""Where a bot's own socket lies, the one folder that the arena looks into."""

from __future__ import annotations

import os
from pathlib import Path

OWN = Path(os.environ["ARENABOT_ADDRESS"].removeprefix("unix:")).parent
