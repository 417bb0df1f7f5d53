"""The role table: every method as every kind of caller."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.server.access import METHODS
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import Served
from tests.integration.server.role_table import OK, Column, Row, markdown, rows, thing

PAGE = Path(__file__).parents[3] / "docs" / "10-server.md"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
async def test_each_caller_gets_what_the_table_says(row: Row, served: Served) -> None:
    """With a thing of their own and with another's."""
    found = []
    for column in Column:
        prepared = await asyncio.to_thread(row.prepare, thing(served, column))
        found.append(await row.outcome(served, column, prepared))
    assert tuple(found) == row.outcomes


def test_every_method_has_a_row() -> None:
    """Of every service that there is, as its descriptor names them."""
    services = pb.DESCRIPTOR.services_by_name.values()
    every = {f"{service.name}/{m.name}" for service in services for m in service.methods}
    assert every == {row.method for row in rows()}


def test_the_page_has_the_table() -> None:
    """As it is tried here, row by row."""
    assert markdown() in PAGE.read_text()


def test_every_method_has_its_access() -> None:
    """The gate knows each method of each service, and none that isn't there."""
    services = pb.DESCRIPTOR.services_by_name.values()
    assert {f"{service.name}/{m.name}" for service in services for m in service.methods} == set(
        METHODS
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.title)
def test_the_table_and_the_gate_agree(row: Row) -> None:
    """Where a role is needed nobody gets in without a token, and admins never lack one."""
    needs_token = METHODS[row.method].role is not None
    assert (row.outcomes[0] == "TOKEN_MISSING") == needs_token
    assert "TOKEN_MISSING" not in row.outcomes[1:]
    assert row.outcomes[-1] in {OK, "NOT_RELEASED"}
