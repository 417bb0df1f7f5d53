"""A browser and a served arena: tournaments in every state, people of all roles."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from starlette.applications import Starlette

from arena.app import accounts
from arena.store import Role, Store
from arena.store.testing import make_tournament, new_result, new_tournament, new_version, replay_of
from arena.web import make_pages
from tests.e2e.web.viewer.matches import kept, played
from tests.services import missing
from tests.unit.web.conftest import Patience

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREENSHOTS = "ARENA_TEST_SCREENSHOTS"
"""The variable that names a folder for pictures of all pages."""

WILD = '<script>alert(1)</script> & "Söhne" / ../x'


@dataclass(frozen=True)
class Served:
    """An arena's pages at an address."""

    base: str
    store: Store
    secrets: dict[str, str]


@dataclass
class Reader:
    """Somebody with a browser window; what the browser complains about is collected."""

    page: Page
    base: str
    complaints: list[str]

    def open(self, path: str) -> Page:
        """Go to a page of the arena."""
        self.page.goto(self.base + path)
        return self.page

    def sign_in(self, secret: str) -> None:
        """Give a token."""
        self.open("/sign-in")
        self.page.get_by_label("Token").fill(secret)
        self.page.locator("main").get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/account")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Without it a test is skipped, or fails.

    No longer than for a module: while it is there, an event loop runs in this thread, and no other
    test could run its own.
    """
    if not CHROMIUM.exists():
        missing(f"no Chromium at {CHROMIUM}")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """What the module's docstring says."""
    with Store.open(tmp_path_factory.mktemp("arena") / "home") as store:
        people = {"ana": Role.AUTHOR, "olga": Role.ORGANISER, "root": Role.ADMIN}
        secrets = {
            name: accounts.add_author(store, name, role).secret for name, role in people.items()
        }
        real = make_tournament(store, "Real cup", blocks=1, organiser="olga")
        kept(store, played("claims", 2), real)
        cup = make_tournament(store, WILD, blocks=8, organiser="olga", league="Winter league")
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
        store.entering.withdraw(cup.id, "bot1", why=f"because of {WILD}")
        store.add_version(new_version("newest", label=WILD), b"newest")
        store.create_tournament(new_tournament("Open cup", blocks=0, organiser="olga"))
        store.create_tournament(
            new_tournament("Private cup", blocks=0, organiser="olga", private=True)
        )
        with served(make_pages(store, wrong_tokens=Patience())) as base:
            yield Served(base, store, secrets)


@contextmanager
def served(pages: Starlette) -> Iterator[str]:
    """Serve pages at an address of this machine, which is given."""
    config = uvicorn.Config(pages, port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.force_exit = server.should_exit = True
    thread.join(30)


@pytest.fixture
def reader(chromium: Browser, arena: Served) -> Iterator[Callable[..., Reader]]:
    """Makes a reader of a name, None for a spectator; at the end no browser may have complained."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(
        name: str | None = None, *, phone: bool = False, dark: bool = False, scripts: bool = True
    ) -> Reader:
        context = chromium.new_context(
            viewport={"width": 360, "height": 780} if phone else {"width": 1280, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda told: _complain(complaints, told.type, told.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"a dialog: {dialog.message}"))
        made = Reader(page, arena.base, complaints)
        if name is not None:
            made.sign_in(arena.secrets[name])
        return made

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def _complain(complaints: list[str], kind: str, text: str) -> None:
    # A page that refuses something has a status that Chromium calls an error.
    if kind in {"error", "warning"} and "the server responded with a status of 4" not in text:
        complaints.append(text)


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where pictures of all pages go, if anywhere."""
    folder = os.environ.get(SCREENSHOTS)
    return Path(folder) if folder else None
