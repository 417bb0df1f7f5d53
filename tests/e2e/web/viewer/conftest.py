"""Pages of an arena with matches to look at, in the browser of the folder above."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page

from arena.app.tournaments.live import Playing
from arena.match import replay
from arena.match.replay import Line
from arena.match.spectating import public
from arena.store import Store
from arena.store.testing import make_tournament
from arena.tournament.broadcast import Broadcast
from arena.web import make_pages
from tests.e2e.web import showcase
from tests.e2e.web.viewer.matches import TABLES, kept, played
from tests.unit.web.conftest import Patience

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


class Stage(showcase.Stage):
    """Stands for what plays matches: shows the lines that a test hands in."""

    def playing(self, tournament_id: int) -> Playing:
        return Playing(True, tuple(match for id_, match in self.shown if id_ == tournament_id))


@dataclass
class Live:
    """A match of two blocks' tournament that is played line by line."""

    address: str
    lines: list[Line]
    broadcast: Broadcast
    call: Callable[[Callable[[], None]], object]
    told: int = 0
    finish: Callable[[], None] = field(default=lambda: None)

    def tell(self, count: int) -> None:
        """Play on by so many lines."""
        at, self.told = self.told, min(self.told + count, len(self.lines))
        more = [shown for line in self.lines[at : self.told] if (shown := public(line))]
        self.call(lambda: self.broadcast.add(at, more))


@dataclass
class Pages:
    """An arena's pages, served."""

    base: str
    store: Store
    stage: Stage
    loop: asyncio.AbstractEventLoop
    server: uvicorn.Server

    def replay(self, game: str, seats: int, what: str = "") -> str:
        """Where the replay of a match is that was played."""
        return f"{self.base}/tournaments/{game}-{seats}/matches/m0-0/replay{what}"

    def live(self, name: str, game: str, seats: int) -> Live:
        """A match that begins to be played; it ends when the test says so."""
        record = played(game, seats)
        tournament = make_tournament(self.store, name, game=game, size=seats, blocks=1)
        broadcast = Broadcast()
        self.stage.shown[tournament.id, "m0-0"] = broadcast
        live = Live(
            f"{self.base}/tournaments/{name}/matches/m0-0/live",
            list(replay.unpack(record.replay)),
            broadcast,
            self.loop.call_soon_threadsafe,
        )

        def finish() -> None:
            kept(self.store, record, tournament)
            del self.stage.shown[tournament.id, "m0-0"]
            self.loop.call_soon_threadsafe(broadcast.end)

        def order(send: bool) -> None:
            """What a worker does: it tells all of the match from its beginning."""
            if send:
                lines = [shown for line in live.lines[: live.told] if (shown := public(line))]
                self.loop.call_soon_threadsafe(broadcast.add, 0, lines)

        broadcast.begin(order)
        live.finish = finish
        return live

    def cut(self) -> None:
        """Break all connections, as a network does."""
        for connection in list(self.server.server_state.connections):
            self.loop.call_soon_threadsafe(connection.transport.abort)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """The pages of an arena in which one match of each game and number of seats was played."""
    folder = tmp_path_factory.mktemp("arena")
    stage = Stage()
    with Store.open(folder) as store:
        for game, seats in TABLES:
            tournament = make_tournament(store, f"{game}-{seats}", game=game, size=seats, blocks=2)
            kept(store, played(game, seats), tournament)
        app: Any = make_pages(store, wrong_tokens=Patience(), conductor=stage)  # type: ignore[arg-type]
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
        loop = asyncio.new_event_loop()

        thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(),))
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Pages(f"http://127.0.0.1:{port}", store, stage, loop, server)
        server.force_exit = server.should_exit = True
        thread.join(30)
        loop.close()


@dataclass
class Visit:
    """An open page, and what its browser complained about."""

    page: Page
    complaints: list[str]


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens an address; at the end nobody may have complained."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(address: str, *, phone: bool = False, dark: bool = False, **more: Any) -> Visit:
        context = chromium.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda told: (
                complaints.append(told.text) if told.type in {"error", "warning"} else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        if more.get("java_script_enabled", True):
            page.wait_for_selector(".viewer:not([hidden])", timeout=60_000)
        return Visit(page, complaints)

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
