"""A match as real workers play it, followed by a browser's stream of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn

from arena.match import replay
from arena.match.spectating import public
from arena.store import Store
from arena.web import make_pages
from arena.web.viewer import picture
from arena.web.viewer.steps import as_json, steps
from tests.integration.server.conducting import (
    PATIENCE,
    bot,
    conducting,
    cup,
    held_bot,
    let_go,
    until,
    until_done,
)
from tests.unit.web.conftest import Patience


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[int]:
    """Serve an application; gives its port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    running = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await running


async def events(port: int, path: str) -> AsyncIterator[tuple[str, Any]]:
    """Each event of a stream, with what it tells, until the server ends it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: here\r\n\r\n".encode())
        name = ""
        async for line in reader:
            kind, _, told = line.decode().strip().partition(": ")
            if kind == "event":
                name = told
            elif kind == "data":
                yield name, json.loads(told)
    finally:
        writer.close()


async def test_a_match_is_followed_from_its_deal_to_its_replay(
    store: Store, tmp_path: Path
) -> None:
    """All that comes is the table, every step of the public lines, and where to go then."""
    gate = tmp_path / "wait"
    gate.touch()
    tournament = cup(store, [held_bot(tmp_path, "held", gate), bot(tmp_path, "bob")], blocks=1)
    async with (
        asyncio.timeout(PATIENCE),
        conducting(store) as conductor,
        serving(make_pages(store, wrong_tokens=Patience(), conductor=conductor)) as port,
    ):
        await conductor.want(tournament.name)
        await until(lambda: conductor.playing(tournament.id).in_play)
        match = conductor.playing(tournament.id).in_play[0]
        stream = events(port, f"/tournaments/cup/matches/{match}/live/events")
        told = [await anext(stream)]
        let_go(gate)
        told += [event async for event in stream]
        await until_done(conductor, store, tournament)
    result = store.result(tournament.id, match)
    lines = [shown for line in replay.unpack(store.blob(result.replay)) if (shown := public(line))]
    names = [name for name, _ in told]
    assert names == ["table", *["step"] * (len(lines) - 1), "over"]
    assert told[0][1] == json.loads(json.dumps(picture.table(lines[0])))
    shown = json.loads(json.dumps(as_json(steps(lines))))
    assert [step for name, step in told if name == "step"] == shown
    over = told[-1][1]
    assert over["done"]
    # The other match of its block may have been in play still.
    assert over["replay"] in {None, f"/tournaments/cup/matches/{match}/replay"}
