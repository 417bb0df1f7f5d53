"""What the zygote imports ahead of all matches, and when it must not.

Only installed packages: the SDK's server, and what a bot's files say they import.  The files are
looked at as text, line by line, since even a parser would be a place for an author's tricks.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))",
    re.MULTILINE,
)
_SERVING: Final = ("arenabot.server", "arenabot.serving")
"""What `arenabot.serve` imports."""
#: No more packages than any honest bot uses.
_MOST: Final = 64


def script_of(command: Sequence[str]) -> str | None:
    """The file that ``python3 FILE ...`` runs; ``None`` for any other command."""
    if len(command) < 2 or command[0] != "python3":
        return None
    script = command[1]
    return script if script.endswith(".py") and Path(script).is_file() else None


def warm_up(script: str) -> bool:
    """Import what the bot is going to import; ``False`` if it must start in a process without.

    That is so if a file of the bot's has the name of a module that is loaded here, which would
    win over it; if a package started threads, which a fork does not copy; and if one keeps a file
    open, which all matches would share.
    """
    folder = Path(script).parent
    opened = os.listdir("/proc/self/fd")  # noqa: PTH208
    own = set(_own_modules(folder))
    wanted = [name for name in dict.fromkeys(_imports(folder)) if not _is_standard(name)]
    for name in (*_SERVING, *wanted[:_MOST]):
        if name.partition(".")[0] not in own:
            _import(name)
    loaded = {name.partition(".")[0] for name in sys.modules}
    return (
        not own & loaded
        and len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208
        and os.listdir("/proc/self/fd") == opened  # noqa: PTH208
    )


def _own_modules(folder: Path) -> Iterator[str]:
    """The names that a bot may import from its folder, or from one below that it adds to its path.

    What lies in a package is not among them: it is imported by the package's name.
    """
    for path, folders, files in os.walk(folder):
        if Path(path) == folder or "__init__.py" not in files:
            yield from (name.partition(".")[0] for name in (*files, *folders))


def _is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def _imports(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*.py")):
        for found in _IMPORT.finditer(file.read_bytes()):
            for name in (found[1] or found[2]).decode("ascii", "ignore").split(","):
                if words := name.split():
                    yield words[0]


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except Exception:
        return  # the bot's own import will say the same, where its author reads it
