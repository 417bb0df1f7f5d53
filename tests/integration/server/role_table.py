"""Who may call what: the frame of the role table, which the modules of `roles/` fill.

Each module there has `ROWS`, a list of `Row`: at least one for every method of the services that it
is about. A row makes a thing that belongs to somebody, straight in the store, and calls the method
about it as each of the columns' callers; see `roles/admin.py`. `python -m
tests.integration.server.role_table` prints the table as docs/10-server.md has it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Final

import grpc

from tests.integration.server.calling import SPECTATOR, Caller, Served, reason_of

OK: Final = "OK"
"""The outcome of a call that is answered; others are the reason's word."""


class Column(Enum):
    """Who calls, and whose the thing is: `(caller, owner)`."""

    SPECTATOR = (SPECTATOR, "ana")
    AUTHOR_OWN = ("ana", "ana")
    AUTHOR_OTHER = ("bo", "ana")
    ORGANISER_OWN = ("olga", "olga")
    ORGANISER_OTHER = ("otto", "olga")
    ADMIN = ("ada", "olga")


HEADINGS: Final = (
    "no token",
    "author, own",
    "author, another's",
    "organiser, own",
    "organiser, another's",
    "admin, another's",
)

_fresh = count(1)


@dataclass(frozen=True)
class Thing:
    """What is called about: belongs to `owner`; `name` is fresh, for whatever needs one."""

    served: Served
    owner: str
    name: str


@dataclass(frozen=True)
class Row:
    """One method, or one kind of thing that it is called about, and what comes of it.

    `prepare` makes the thing in the store (it runs in a thread) and returns what `call` needs.
    `outcomes` are in the order of the columns.
    """

    method: str
    call: Callable[[Caller, Any], Awaitable[object]]
    outcomes: tuple[str, str, str, str, str, str]
    prepare: Callable[[Thing], Any] = lambda thing: thing.name
    #: Which thing, where a method has several rows.
    about: str = ""

    @property
    def title(self) -> str:
        """The row's name in the table."""
        return f"{self.method}, {self.about}" if self.about else self.method

    async def outcome(self, served: Served, column: Column, prepared: Any) -> str:
        """What comes of the call."""
        who, _ = column.value
        try:
            await self.call(served[who], prepared)
        except grpc.aio.AioRpcError as error:
            return reason_of(error) or f"{error.code().name}: {error.details()}"
        return OK


def thing(served: Served, column: Column) -> Thing:
    """A thing for that column, not made yet."""
    return Thing(served, column.value[1], f"thing-{next(_fresh)}")


def everybody(outcome: str = OK) -> tuple[str, str, str, str, str, str]:
    """The same for each column."""
    return (outcome,) * 6


def admins(below: str = "ROLE_TOO_LOW") -> tuple[str, str, str, str, str, str]:
    """What only admins may."""
    return ("TOKEN_MISSING", below, below, below, below, OK)


async def first(answers: AsyncIterable[Any]) -> object:
    """The first of a stream's answers, which is all that a row looks at; None if there is none."""
    async for answer in answers:
        answers.cancel()  # type: ignore[attr-defined]
        return answer
    return None


def rows() -> list[Row]:
    """All rows, by service and in the order of their modules."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    folder = Path(__file__).parent / "roles"
    for module in sorted(found.name for found in pkgutil.iter_modules([str(folder)])):
        yield from import_module(f"tests.integration.server.roles.{module}").ROWS


def markdown() -> str:
    """The table for docs/10-server.md."""
    lines = [f"| call | {' | '.join(HEADINGS)} |", "|---" * (1 + len(HEADINGS)) + "|"]
    for row in sorted(rows(), key=lambda row: row.method.partition("/")[0]):
        cells = ["yes" if outcome == OK else f"`{outcome}`" for outcome in row.outcomes]
        lines.append(f"| {row.title} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(markdown(), end="")
