"""An arena in which people play against sample bots in processes, and a person in a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arena.app import accounts
from arena.app.conducting.conductor import Conductor
from arena.app.conducting.people import HouseRules, LiveTable
from arena.match.setup import Timers
from arena.store import Role, Store
from arena.tournament.job import Lodging
from arena.web import make_pages
from tests.unit.web.conftest import Patience

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}

#: Milliseconds for anything that a test waits for, on a busy machine.
PATIENCE = 100_000


@dataclass
class House:
    """A served arena."""

    store: Store
    loop: asyncio.AbstractEventLoop
    base: str = ""
    conductor: Any = None
    server: Any = None

    def clocks(self, **seconds: float) -> None:
        """The timers of all matches that begin from now on; the rules' own where none is given."""
        people = self.conductor.people
        people.house = replace(people.house, timers=Timers(**seconds))

    def call(self, work: Callable[[], object]) -> None:
        """Do something where the pages run."""
        self.loop.call_soon_threadsafe(work)

    def cut(self) -> None:
        """Break all connections, as a network does."""
        for connection in list(self.server.server_state.connections):
            self.call(connection.transport.abort)

    def put(self, table: LiveTable) -> None:
        """Serve a match that no worker plays."""
        self.conductor.people._tables[table.match.id] = table

    async def serve(self, ready: threading.Event, over: asyncio.Event) -> None:
        """Play and show until it is over."""
        rules = HouseRules(lodging=Lodging.PROCESS)
        self.conductor = Conductor(self.store, workers=1, house=rules)
        await self.conductor.start()
        pages = make_pages(self.store, wrong_tokens=Patience(), conductor=self.conductor)
        self.server = uvicorn.Server(
            uvicorn.Config(pages, port=0, log_level="error", lifespan="off")
        )
        serving = asyncio.create_task(self.server.serve())
        try:
            while not self.server.started:  # noqa: ASYNC110 - it says nothing by itself
                await asyncio.sleep(0.02)
            port = self.server.servers[0].sockets[0].getsockname()[1]
            self.base = f"http://127.0.0.1:{port}"
            ready.set()
            await over.wait()
        finally:
            self.server.force_exit = self.server.should_exit = True
            await serving
            await self.conductor.close()
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """What the module's docstring says."""
    with Store.open(tmp_path_factory.mktemp("arena") / "home") as store:
        house = House(store, asyncio.new_event_loop())
        ready, over = threading.Event(), asyncio.Event()
        thread = threading.Thread(
            target=house.loop.run_until_complete, args=(house.serve(ready, over),)
        )
        thread.start()
        while not ready.wait(0.1):
            assert thread.is_alive()
        yield house
        house.call(over.set)
        thread.join(60)
        house.loop.close()


@pytest.fixture
def house(served: House) -> House:
    """The same, with so much time that a busy machine plays nobody's default moves."""
    served.clocks(turn=120, ready=120)
    return served


@dataclass
class Person:
    """Somebody with an account and a browser; what the browser complains about is collected."""

    name: str
    context: BrowserContext
    base: str
    secret: str
    complaints: list[str] = field(default_factory=list)

    def window(self) -> Page:
        """Open another window."""
        page = self.context.new_page()
        page.on("console", lambda told: self._complain(told.type, told.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))
        return page

    def open(self, path: str) -> Page:
        """Go to a page in a new window."""
        page = self.window()
        page.goto(self.base + path)
        return page

    def sign_in(self, then: str) -> Page:
        """Give a token, and go on to a page."""
        page = self.open(f"/sign-in?then={then}")
        page.get_by_label("Token").fill(self.secret)
        page.locator("main").get_by_role("button").click()
        return page

    def _complain(self, kind: str, text: str) -> None:
        # A refusal has a status that Chromium calls an error; so is a connection that was cut.
        known = ("the server responded with a status of 4", "net::ERR_")
        if kind in {"error", "warning"} and not any(each in text for each in known):
            self.complaints.append(text)


@pytest.fixture
def person(chromium: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Makes somebody new; at the end no browser may have complained."""
    people: list[Person] = []

    def make(*, phone: bool = False, dark: bool = False, **more: Any) -> Person:
        context = chromium.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            **{"reduced_motion": "reduce", **more},
        )
        context.set_default_timeout(PATIENCE)
        name = f"person{len(house.store.accounts.authors())}"
        secret = accounts.add_author(house.store, name, Role.AUTHOR).secret
        people.append(Person(name, context, house.base, secret))
        return people[-1]

    expect.set_options(timeout=PATIENCE)
    yield make
    expect.set_options(timeout=5_000)
    for each in people:
        each.context.close()
    assert [complaint for each in people for complaint in each.complaints] == []
