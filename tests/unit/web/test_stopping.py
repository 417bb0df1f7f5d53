"""Who looks at what is being played is told that the arena begins no more matches, or stops."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from arena.app.conducting.hub import DRAINING, Hub, tournament_topic
from arena.app.conducting.people import Draining
from arena.app.tournaments.live import Playing
from arena.match.spectating import public
from arena.store import Store
from arena.store.testing import make_tournament
from arena.tournament.broadcast import Broadcast
from arena.web import live, make_pages
from arena.web.streams import Streams
from arena.web.visits import Visit, Visitor
from tests.golden.playthroughs import cases
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience
from tests.unit.web.viewer.playing import whole

LINES = [shown for line in whole(next(cases("claim", 2))) if (shown := public(line))]

DRAINED, STOPS = Draining(math.inf), Draining(30.0)


def conducting(draining: Draining | None) -> Any:
    """Stands for a conductor: whatever it is asked for, a match is being played that ends."""
    hub, broadcast = Hub(), Broadcast()

    def play(wanted: bool) -> None:
        if wanted:
            broadcast.add(0, LINES[:3])
            broadcast.end()

    broadcast.begin(play)
    return SimpleNamespace(
        hub=hub,
        people=SimpleNamespace(draining=draining, news=lambda: hub.feed(DRAINING)),
        playing=lambda _: Playing(True, ("m0-0",)),
        broadcast=lambda *_: broadcast,
    )


Look = Callable[[Draining | None, str], str]


@pytest.fixture
def look(store: Store) -> Look:
    """How a page of a tournament that is being played looks."""
    make_tournament(store, "cup", game="claim", organiser="olga")

    def get(draining: Draining | None, path: str) -> str:
        conductor = conducting(draining)
        pages = make_pages(store, wrong_tokens=Patience(), conductor=conductor)
        return Browser(pages).get(path).text

    return get


AT = "/tournaments/cup/matches/m0-0/live"

SAID = [
    (DRAINED, "/tournaments/cup", "begins no more matches for now"),
    (STOPS, "/tournaments/cup", "is being stopped"),
    (DRAINED, AT, "begins no more matches for now"),
    (STOPS, AT, "is being stopped"),
    (DRAINED, f"{AT}?lang=ro", "nu mai începe meciuri deocamdată"),
    (STOPS, f"{AT}?lang=ro&text=1", "Arena se oprește"),
]


@pytest.mark.parametrize(("draining", "path", "says"), SAID)
def test_a_page_says_so(look: Look, draining: Draining, path: str, says: str) -> None:
    """Without scripts, too; and nothing where matches begin."""
    assert says in look(draining, path)
    assert says not in look(None, path)
    assert re.search(r"<p [^>]*\bdraining\b[^>]* hidden></p>", look(None, path))


@pytest.mark.parametrize(("lang", "says"), [("en", "is being stopped"), ("ro", "se oprește")])
def test_a_match_that_is_followed_says_so_first(look: Look, lang: str, says: str) -> None:
    """Before its table."""
    events = re.findall(r"event: (\w+)\r?\ndata: (.*)", look(STOPS, f"{AT}/events?lang={lang}"))
    assert [name for name, _ in events][:2] == ["draining", "table"]
    assert says in json.loads(events[0][1])


async def test_a_tournament_that_is_followed_says_so_when_it_changes(store: Store) -> None:
    """And takes it back."""

    async def run(work: Callable[..., Any], *told: object) -> Any:
        return work(*told)

    conductor, cup = conducting(None), make_tournament(store, "cup")
    site: Any = SimpleNamespace(
        store=store, conductor=conductor, streams=Streams(), door=SimpleNamespace(run=run)
    )
    visit = Visit(Request({"type": "http", "client": ("192.0.2.1", 4711)}), Visitor())
    told = live.Tournaments(site)._told(visit, cup.id, cup.name)
    for draining, says in ((None, ""), (DRAINED, "for now"), (STOPS, "stopped"), (None, "")):
        conductor.people.draining = draining
        conductor.hub.publish(tournament_topic(cup.id), None)
        said = json.loads((await anext(told))["data"])["draining"]
        assert says in said
        assert bool(says) == bool(said)
