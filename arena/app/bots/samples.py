"""The bots that come with the arena."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import arena

#: The bots that play as well as they can, the weakest first.
GOOD = ("random", "greedy", "counter")
#: Those that people may play against: there is a stronger one for each game.
SPARRING = (*GOOD, "sampler")
#: Bots that do wrong now and then, to show what becomes of them.
MISBEHAVING = ("misbehaving/sleeper", "misbehaving/cheat")


def sample_bot(name: str) -> Path | None:
    """The folder of a sample bot; ``None`` if there is none of that name."""
    folder = _folder() / name
    return folder if (folder / "bot.toml").is_file() else None


def is_ours(bot: str) -> bool:
    """Whether a sample bot that the arena plays with by itself is called so."""
    return bot in {name.rpartition("/")[2] for name in (*SPARRING, *MISBEHAVING)}


def _folder() -> Path:
    """Inside the installed package, or beside it in a checkout."""
    packaged = Path(str(files("arena"))) / "data" / "sample_bots"
    if packaged.is_dir():
        return packaged
    return Path(arena.__file__).parent.parent / "sample_bots"
