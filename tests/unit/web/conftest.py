"""Pages of a small arena: a tournament that was played, one in entry, a private one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette

from arena.app import accounts
from arena.games import GAMES
from arena.store import NotFound, Role, Store, Tournament
from arena.store.testing import logs_of, make_tournament, new_result, new_tournament, replay_of
from arena.web import make_pages
from tests.unit.web.asking import Browser


@dataclass
class Patience:
    """Slows nobody down until a test has it do so."""

    taken: list[str] = field(default_factory=list)
    most: int = 1_000_000

    def take(self, who: str, cost: float = 1) -> float:
        """Count."""
        self.taken.append(who)
        return self.empty(who)

    def empty(self, who: str) -> float:
        """Whether it is enough."""
        return 30.0 if self.taken.count(who) >= self.most else 0.0


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A spectator's, of an arena with a played tournament that no test of a module changes."""
    with Store.open(tmp_path_factory.mktemp("arena") / "home") as opened:
        play_cup(opened)
        browser = Browser(make_pages(opened, wrong_tokens=Patience()))
        rank(browser)
        yield browser


def rank(browser: Browser) -> None:
    """Have all rankings worked out: pages of bots don't wait for them."""
    for game in GAMES:
        assert browser.get(f"/rankings/{game}").status == 200


@pytest.fixture
def cup(store: Store) -> Tournament:
    """A tournament that was played, see `play_cup`."""
    return play_cup(store)


def play_cup(store: Store) -> Tournament:
    """A tournament of two bots of ana's that was played: bot0 won in seat 0, and so on."""
    tournament = make_tournament(store, "cup", blocks=8)
    for match in store.matches(tournament.id):
        store.record_result(tournament.id, new_result(match), replay_of(match), logs_of(match))
    return tournament


@pytest.fixture
def secret_cup(store: Store) -> Tournament:
    """A private one of olga's, open for entry."""
    new = new_tournament("secret cup", blocks=0, private=True, organiser="olga")
    return store.create_tournament(new)


@pytest.fixture
def patience() -> Patience:
    """How patient the pages are with wrong tokens."""
    return Patience()


@pytest.fixture
def pages(store: Store, patience: Patience) -> Starlette:
    """The pages."""
    return make_pages(store, wrong_tokens=patience)


@pytest.fixture
def browser(pages: Starlette) -> Browser:
    """A spectator's."""
    return Browser(pages)


ROLES = {
    "ana": Role.AUTHOR,
    "bob": Role.AUTHOR,
    "olga": Role.ORGANISER,
    "otto": Role.ORGANISER,
    "root": Role.ADMIN,
}


@pytest.fixture
def secret(store: Store) -> Callable[[str], str]:
    """Makes a token of one of `ROLES`."""

    def make(name: str) -> str:
        try:
            return accounts.add_token(store, name, "for a test").secret
        except NotFound:
            return accounts.add_author(store, name, ROLES[name]).secret

    return make


@pytest.fixture
def signed_in(pages: Starlette, secret: Callable[[str], str]) -> Callable[[str], Browser]:
    """Makes a browser in which somebody is signed in."""

    def make(name: str) -> Browser:
        made = Browser(pages)
        assert made.sign_in(secret(name)).status == 303
        return made

    return make
