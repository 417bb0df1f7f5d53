"""Long tables: in parts on a page, and whole as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from starlette.responses import Response

from arena.web.addresses import with_query
from arena.web.failures import NOWHERE, Refused
from arena.web.visits import Visit

SIZE: Final = 50
"""How many things stand on a page."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pager:
    """Where the pages before and behind are, if there are any, and which part this is."""

    earlier: str | None
    later: str | None
    told: str


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """The rows of one page."""

    rows: Sequence[T]
    pager: Pager
    total: int


def part(visit: Visit, rows: Sequence[T], size: int = SIZE) -> Part[T]:
    """The part of a list that the address's `page` asks for, from 1. Raises Refused."""
    asked = visit.asked("page") or "1"
    if not re.fullmatch(r"[1-9][0-9]{0,8}", asked):
        raise Refused(400, "A page's number is a whole number from 1.")
    at = int(asked)
    start, end = (at - 1) * size, at * size
    shown = rows[start:end]
    told = f"{start + 1} to {start + len(shown)} of {len(rows)}" if shown else f"of {len(rows)}"
    pager = Pager(
        same_with(visit, page=at - 1 if at > 2 else None) if at > 1 else None,
        same_with(visit, page=at + 1) if end < len(rows) else None,
        told,
    )
    return Part(shown, pager, len(rows))


def same_with(visit: Visit, path: str | None = None, **changes: object) -> str:
    """This page's address with some of its query changed; None takes it out."""
    asked = {**dict(visit.request.query_params), **changes}
    return with_query(path or visit.path, **asked)


def kind(visit: Visit) -> str:
    """Which kind of file an address asks for. Raises Refused."""
    asked = visit.part("kind")
    if asked not in {"csv", "json"}:
        raise Refused(404, NOWHERE)
    return asked


def as_json(content: object, name: str) -> Response:
    """A document to be saved."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)
    return _file(text + "\n", "application/json", f"{name}.json")


def as_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], name: str) -> Response:
    """A table to be saved."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _inert(value) for key, value in row.items()} for row in rows)
    return _file(text.getvalue(), "text/csv", f"{name}.csv")


def _inert(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")):
        return f"'{value}"
    return value


def _file(text: str, kind: str, name: str) -> Response:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "arena"
    headers = {"Content-Disposition": f'attachment; filename="{plain}"', "Vary": "Cookie"}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)
