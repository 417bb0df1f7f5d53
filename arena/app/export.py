"""What a tournament leaves for others: results, standings and replays as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.app import documents
from arena.app.errors import ArenaError
from arena.app.files import write_file
from arena.app.ranking import overview
from arena.app.replays import SUFFIX
from arena.store import Store

#: The columns of ``results.csv``: a line for each seat of each match.
_OF_MATCH = ("match", "block", "rotation")
_OF_SEAT = ("seat", "entry", "bot", "version", "rank", "points", "outcome", "detail")
_OF_TIME = ("charged_ms", "peak_memory", "luck")
_COLUMNS = (*_OF_MATCH, *_OF_SEAT, "faults", *_OF_TIME, "digest")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    results: int
    replays: int
    #: Replays that are not released yet, since matches on their deals are still to be played.
    held_back: int


def export(store: Store, name: str, target: Path) -> Exported:
    """Write a tournament to ``target``.

    A file ending in ``.jsonl`` or ``.csv`` gets the results alone.  A folder gets
    ``tournament.json``, ``schedule.jsonl``, ``standings.csv``, ``head_to_head.csv``,
    ``results.jsonl`` and ``results.csv``, and in ``replays/`` the replays that are released.
    Raises ``ArenaError`` where it cannot be written.
    """
    found = overview(store, name)
    tournament = found.tournament
    matches = store.matches(tournament.id)
    results = {result.match_id: result for result in store.results(tournament.id)}
    free = {key for key in results if store.is_released(tournament.id, key)}
    played = [
        documents.match(tournament, match, results[match.id], released=match.id in free)
        for match in matches
        if match.id in results
    ]
    if target.suffix in _WRITERS:
        write_file(target, _WRITERS[target.suffix](played))
        return Exported(len(played), 0, 0)
    if target.exists() and not target.is_dir():
        raise ArenaError(f"{target} is a file: name a folder, or a file .jsonl or .csv")
    write_file(target / "tournament.json", json.dumps(documents.tournament(found), indent=2) + "\n")
    for table, rows in (
        ("standings", [documents.ranked(row) for row in found.ranked]),
        ("head_to_head", [documents.duel(duel) for duel in found.table.duels()]),
    ):
        write_file(target / f"{table}.csv", _csv(list(rows[0]) if rows else (), rows))
    write_file(target / "schedule.jsonl", _json_lines(documents.scheduled(one) for one in matches))
    for suffix, writer in _WRITERS.items():
        write_file(target / f"results{suffix}", writer(played))
    for match_id in free:
        path = target / "replays" / f"{match_id}{SUFFIX}"
        write_file(path, store.blob(results[match_id].replay))
    return Exported(len(played), len(free), len(results) - len(free))


def _json_lines(played: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(match) + "\n" for match in played)


def _seats_csv(played: Iterable[Mapping[str, Any]]) -> str:
    rows = []
    for match in played:
        for seat in match["result"]["seats"]:
            kinds = " ".join(fault["kind"] for fault in seat["faults"])
            rows.append({**match, **seat, "digest": match["result"]["digest"], "faults": kinds})
    return _csv(_COLUMNS, rows)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


_WRITERS = {".jsonl": _json_lines, ".csv": _seats_csv}
