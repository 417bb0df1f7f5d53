"""An export that a server sends as a .zip, put where a person wants it."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import IO, Final

from arena.app.errors import ArenaError
from arena.app.exports import export
from arena.app.exports.export import Exported
from arena.app.files import write_file

_REPLAY: Final = re.compile(r"replays/[0-9A-Za-z-]{1,64}\.jsonl\.zst")
_RESULTS: Final = {".jsonl": "results.jsonl", ".csv": "results.csv"}


def unpacked(file: IO[bytes], target: Path) -> Exported:
    """Write an export's files to a folder, or its results to a file .jsonl or .csv.

    Nothing else that the archive may hold is written. Raises ArenaError.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return _written(archive, target)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, EOFError) as error:
        raise ArenaError(f"what the server sent is no export: {error}") from None


def _written(archive: zipfile.ZipFile, target: Path) -> Exported:
    results = archive.read(_RESULTS[".jsonl"]).count(b"\n")
    if target.suffix in _RESULTS:
        write_file(target, archive.read(_RESULTS[target.suffix]))
        return Exported(results, 0, 0)
    export.require_folder(target)
    replays = [name for name in archive.namelist() if _REPLAY.fullmatch(name)]
    for name in (*sorted(export.FILES), *replays):
        write_file(target / name, archive.read(name))
    return Exported(results, len(replays), results - len(replays))
