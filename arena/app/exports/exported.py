"""A tournament's export, read back into the records that it was written from."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from arena.app.errors import ArenaError
from arena.store import (
    BotVersion,
    Entry,
    MatchKey,
    MatchStatus,
    SeatFault,
    SeatResult,
    StoredMatch,
    StoredResult,
    Tournament,
    Void,
)

MOST: Final = 1 << 30
"""Bytes of the largest file of an export that is read: the results of some 500,000 matches."""

_NEVER: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


class NotAnExport(ArenaError):
    """What was given is no export at all; the text says where and why."""


class Files(Protocol):
    """The files of an export, wherever they lie."""

    @property
    def names(self) -> frozenset[str]:
        """All of them, as paths within the export."""

    def read(self, name: str) -> bytes:
        """One of them. Raises NotAnExport."""


@dataclass(frozen=True, slots=True)
class _Folder:
    folder: Path
    names: frozenset[str]

    def read(self, name: str) -> bytes:
        path = self.folder / name
        if path.stat().st_size > MOST:
            raise NotAnExport(f"{name} is too large for a file of an export")
        return path.read_bytes()


@dataclass(frozen=True, slots=True)
class _Zip:
    archive: zipfile.ZipFile
    #: The folder that all files lie in, with its slash; empty if there is none.
    within: str
    names: frozenset[str]

    def read(self, name: str) -> bytes:
        if self.archive.getinfo(self.within + name).file_size > MOST:
            raise NotAnExport(f"{name} is too large for a file of an export")
        return self.archive.read(self.within + name)


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """The files of a folder or a .zip. Raises NotAnExport."""
    try:
        if path.is_dir():
            found = (file for file in path.rglob("*") if not file.is_dir())
            yield _Folder(path, frozenset(file.relative_to(path).as_posix() for file in found))
            return
        with zipfile.ZipFile(path) as archive:
            yield _in_zip(archive)
    except (OSError, zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise NotAnExport(f"{path} cannot be read as an export: {why}") from None


def _in_zip(archive: zipfile.ZipFile) -> _Zip:
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if len(set(names)) < len(names):
        raise NotAnExport("two files of the export have one name")
    within = ""
    if names and "tournament.json" not in names:
        top = names[0].partition("/")[0] + "/"
        within = top if all(name.startswith(top) for name in names) else ""
    return _Zip(archive, within, frozenset(name.removeprefix(within) for name in names))


def document(files: Files, name: str) -> Any:
    """A JSON document. Raises NotAnExport."""
    return _json(_text(files, name), name)


def lines(files: Files, name: str) -> list[Any]:
    """A file of JSON Lines. Raises NotAnExport."""
    return [
        _json(line, f"{name}, line {number}")
        for number, line in enumerate(_text(files, name).splitlines(), start=1)
    ]


def _text(files: Files, name: str) -> str:
    if name not in files.names:
        raise NotAnExport(f"{name} is missing")
    try:
        return files.read(name).decode("utf-8")
    except UnicodeDecodeError:
        raise NotAnExport(f"{name} is no text") from None


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise NotAnExport(f"{where} is not JSON") from None


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Say where something stands that is not as an export has it."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        told = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise NotAnExport(f"{where} is not as an export has it: {told}") from None


def tournament(told: Mapping[str, Any]) -> Tournament:
    """A tournament as `documents.setup` has written it; a secret seed is empty."""
    return Tournament(
        id=0,
        name=told["name"],
        game=told["game"],
        options=told["options"],
        table_size=told["table_size"],
        blocks=told["blocks"],
        seed=bytes.fromhex(told["seed"] or ""),
        seed_hash=told["seed_hash"],
        timers=told["timers"],
        max_faults=told["max_faults"],
        sandbox=told["sandbox"],
        isolation=told["isolation"],
        engine=told["engine"],
        created=datetime.fromisoformat(told["created"]),
        entries=tuple(_entry(entry) for entry in told["entries"]),
        until_clear=told["until_clear"],
        ponder=told["ponder"],
        organiser=told["organiser"],
        private=told["private"],
        entry_open=told["entry_open"],
        league=told["league"],
    )


def _entry(told: Mapping[str, Any]) -> Entry:
    withdrawn = told["withdrawn"]
    return Entry(
        position=told["entry"],
        version=BotVersion(
            id=told["entry"],
            bot=told["bot"],
            author="",
            number=told["version"],
            label=told["label"],
            digest=told["digest"],
            games=(),
            runtime="",
            entrypoint="",
            archive="",
            created=_NEVER,
            provenance=told["provenance"],
        ),
        withdrawn=None if withdrawn is None else datetime.fromisoformat(withdrawn),
        withdrawn_why=told["withdrawn_why"],
        withdrawn_from=told["withdrawn_from"],
        annulled_from=told["annulled_from"],
    )


def match(told: Mapping[str, Any]) -> StoredMatch:
    """A match as `documents.scheduled` has written it."""
    return StoredMatch(
        key=MatchKey(told["block"], told["rotation"]),
        id=told["match"],
        seating=tuple(told["seating"]),
        status=MatchStatus(told["status"]),
        attempts=told["attempts"],
    )


def result(told: Mapping[str, Any]) -> StoredResult:
    """A result as `documents.match` has written it; its replay lies elsewhere."""
    of = told["result"]
    return StoredResult(
        match_id=told["match"],
        key=MatchKey(told["block"], told["rotation"]),
        reason=of["reason"],
        rounds=of["rounds"],
        turns=of["turns"],
        replay="",
        replay_digest=of["digest"],
        seats=_seats(of["seats"]),
        recorded_at=_NEVER,
        measured=of["measured"],
    )


def _seats(told: Sequence[Mapping[str, Any]]) -> tuple[SeatResult, ...]:
    return tuple(
        SeatResult(
            seat=seat["seat"],
            entry=seat["entry"],
            rank=seat["rank"],
            total=seat["points"],
            faults=tuple(
                SeatFault(fault["round"], fault["turn"], fault["kind"]) for fault in seat["faults"]
            ),
            outcome=seat["outcome"],
            detail=seat["detail"],
            charged_ms=seat["charged_ms"],
            peak_memory=seat["peak_memory"],
            luck=seat["luck"],
        )
        for seat in told
    )


def void(told: Mapping[str, Any]) -> Void:
    """A spoilt attempt as `documents.void` has written it."""
    return Void(
        match_id=told["match"],
        attempt=told["attempt"],
        reason=told["reason"],
        detail=told["detail"],
        at=datetime.fromisoformat(told["at"]),
    )
