"""What a tournament leaves for others: results, standings and replays as files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

from arena.app.errors import ArenaError
from arena.app.exports import documents
from arena.app.exports.facts import Facts
from arena.app.files import write_file
from arena.app.tournaments.replays import SUFFIX
from arena.store import Store

#: The columns of ``results.csv``: a line for each seat of each match.
_OF_MATCH = ("match", "block", "rotation")
_OF_SEAT = ("seat", "entry", "bot", "version", "rank", "points", "outcome", "detail")
_OF_TIME = ("charged_ms", "peak_memory", "luck")
_COLUMNS = (*_OF_MATCH, *_OF_SEAT, "faults", *_OF_TIME, "digest")

#: The attempts that we spoilt: the one list that follows from nothing else.
VOIDS: Final = "voids.jsonl"
#: All files of an export but its replays.
FILES: Final = frozenset(
    {
        "tournament.json",
        "schedule.jsonl",
        VOIDS,
        "removed.jsonl",
        "standings.csv",
        "head_to_head.csv",
        "results.jsonl",
        "results.csv",
    }
)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    results: int
    replays: int
    #: Replays that are not released yet, since matches on their deals are still to be played.
    held_back: int
    #: Replays that are no longer kept, as the arena's settings want it.
    removed: int = 0


class Target(Protocol):
    """Where an export's files go."""

    def write(self, name: str, data: bytes | str) -> None:
        """Write one, by its path within the export.  Raises ``ArenaError``."""


@dataclass(frozen=True, slots=True)
class _Folder:
    folder: Path

    def write(self, name: str, data: bytes | str) -> None:
        write_file(self.folder / name, data)


@dataclass(frozen=True, slots=True)
class _Zip:
    archive: zipfile.ZipFile

    def write(self, name: str, data: bytes | str) -> None:
        # Replays are compressed already; the time is always the same, so that equal exports are
        # equal files.
        kind = zipfile.ZIP_STORED if name.endswith(SUFFIX) else zipfile.ZIP_DEFLATED
        self.archive.writestr(zipfile.ZipInfo(name), data, compress_type=kind)


def export(store: Store, name: str, target: Path) -> Exported:
    """Write a tournament to ``target``.

    A file ending in ``.jsonl`` or ``.csv`` gets the results alone.  A folder gets
    ``tournament.json``, ``schedule.jsonl``, ``voids.jsonl``, ``removed.jsonl``,
    ``standings.csv``, ``head_to_head.csv``, ``results.jsonl`` and ``results.csv``, and in
    ``replays/`` the replays that are released and still kept.  Raises ``ArenaError`` where it
    cannot be written.
    """
    facts = Facts.of(store, name)
    if target.suffix in _WRITERS:
        write_file(target, _WRITERS[target.suffix](_results(facts)))
        return Exported(len(facts.results), 0, 0)
    require_folder(target)
    return _write_all(store, facts, _Folder(target))


def require_folder(target: Path) -> None:
    """Raises ``ArenaError`` for a file, and for what is meant to be one of another kind."""
    if target.is_dir():
        return
    if target.exists():
        raise ArenaError(f"{target} is a file: name a folder, or a file .jsonl or .csv")
    if target.suffix in {".zip", ".tar", ".gz", ".zst", ".json"}:
        raise ArenaError(
            f"{target} would be a folder: name it otherwise, or a file .jsonl or .csv for the "
            "results alone"
        )


def export_zip(store: Store, name: str, file: IO[bytes]) -> Exported:
    """Write the same files as into a folder into a .zip.  Raises ``StoreError``."""
    with zipfile.ZipFile(file, "w") as archive:
        return _write_all(store, Facts.of(store, name), _Zip(archive))


def _write_all(store: Store, facts: Facts, target: Target) -> Exported:
    for name, text in texts(facts).items():
        target.write(name, text)
    kept, released = facts.kept, facts.released
    for match_id in (one for one in facts.results if one in kept):
        replay = store.blob(facts.results[match_id].replay)
        target.write(f"replays/{match_id}{SUFFIX}", replay)
    played = len(facts.results)
    return Exported(played, len(kept), played - len(released), len(released) - len(kept))


def texts(facts: Facts) -> dict[str, str]:
    """All files of an export but the replays, by name: what stands in them follows from facts."""
    found, played = facts.overview(), _results(facts)
    return {
        "tournament.json": json.dumps(documents.tournament(found), indent=2) + "\n",
        "schedule.jsonl": _json_lines(map(documents.scheduled, facts.matches)),
        "voids.jsonl": _json_lines(map(documents.void, facts.voids)),
        "removed.jsonl": _json_lines({"match": match_id} for match_id in sorted(facts.removed)),
        "standings.csv": _table([documents.ranked(row) for row in found.ranked]),
        "head_to_head.csv": _table([documents.duel(duel) for duel in found.table.duels()]),
        **{f"results{suffix}": writer(played) for suffix, writer in _WRITERS.items()},
    }


def _results(facts: Facts) -> list[dict[str, Any]]:
    released = facts.released
    return [
        documents.match(
            facts.tournament,
            match,
            facts.results[match.id],
            released=match.id in released,
        )
        for match in facts.matches
        if match.id in facts.results
    ]


def _json_lines(played: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(match) + "\n" for match in played)


def _seats_csv(played: Iterable[Mapping[str, Any]]) -> str:
    rows = []
    for match in played:
        for seat in match["result"]["seats"]:
            kinds = " ".join(fault["kind"] for fault in seat["faults"])
            rows.append({**match, **seat, "digest": match["result"]["digest"], "faults": kinds})
    return _csv(_COLUMNS, rows)


def _table(rows: Iterable[Mapping[str, Any]]) -> str:
    listed = list(rows)
    return _csv(list(listed[0]) if listed else (), listed)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


_WRITERS = {".jsonl": _json_lines, ".csv": _seats_csv}
