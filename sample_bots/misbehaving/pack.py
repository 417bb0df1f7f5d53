"""Makes a misbehaving bot's folder complete: what many of them need lies in `_shared`.

    python sample_bots/misbehaving/pack.py ping_flood /tmp/ping_flood

What it writes can be submitted like every bot's folder.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
    """The misbehaving bots."""
    return sorted(manifest.parent.name for manifest in HERE.glob("*/bot.toml"))


def pack(name: str, target: Path) -> Path:
    """Write the bot's folder and the shared modules to the new folder `target`."""
    shutil.copytree(HERE / name, target)
    shutil.copytree(HERE / "_shared", target, dirs_exist_ok=True)
    return target


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in names():
        sys.exit(f"usage: pack.py NAME TARGET, where NAME is one of: {', '.join(names())}")
    print(pack(sys.argv[1], Path(sys.argv[2])))
