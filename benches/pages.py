"""Pages of a full arena beside one a hundredth as large: what the server takes for each.

The application is asked in its own process, as a server asks it, so no network is in it. The two
stores are asked by turns; each time another bot, tournament or part of a list is asked for, and
nothing was asked before but the rankings, which a server makes when it starts. `--full` measures
10,000 bots and 1,000,000 matches, which takes some minutes to fill; ARENA_BENCH_STORES names a
folder in which filled stores are kept for another time.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from starlette.types import ASGIApp

from arena.app.rankings.cache import RankingCache
from arena.app.rankings.kept_files import RankingFiles
from arena.app.rankings.ranking import Rankings
from arena.games import GAMES
from arena.store import Seeing, Store
from arena.web import make_pages
from benches._crowded import Crowd, fill
from benches._harness import Row, Table

_ROUNDS: Final = 40
_HUNDREDTH: Final = 100
_SOME: Final = Crowd(bots=1_000, matches=100_000)
_MOST: Final = Crowd(bots=10_000, matches=1_000_000)


def bench() -> Iterator[Table]:
    """A store that is filled in half a minute."""
    return _measured(_SOME)


def full() -> Iterator[Table]:
    """The largest that pages are made for."""
    return _measured(_MOST)


class _Patient:
    """Slows nobody down."""

    def take(self, who: str, cost: float = 1) -> float:  # noqa: ARG002
        return 0.0

    def empty(self, who: str) -> float:  # noqa: ARG002
        return 0.0


class _Arena:
    """A store, its pages, and what addresses there are."""

    def __init__(self, store: Store, runner: asyncio.Runner) -> None:
        self._runner = runner
        self.rankings = RankingCache(store)
        self.app: ASGIApp = make_pages(store, wrong_tokens=_Patient(), rankings=self.rankings)
        self.bots = [bot.name for bot in store.roster.page(size=1_000_000)]
        everything = Seeing(all=True)
        self.tournaments = store.pages.listed(everything, most=1000)
        self.large = max((each.tournament for each in self.tournaments), key=lambda one: one.blocks)
        self.matches = [
            store.pages.match_ids(self.large.id, f"{start:02x}")[0]
            for start in range(256)
            if store.pages.match_ids(self.large.id, f"{start:02x}")
        ]

    def took(self, path: str) -> tuple[float, float]:
        """Milliseconds until the answer to a request is whole, and those of CPU time."""
        began, busy = time.perf_counter(), time.process_time()
        status = self._runner.run(_status(self.app, path))
        took = time.perf_counter() - began, time.process_time() - busy
        if status != 200:
            raise RuntimeError(f"{path} was answered by {status}")
        return 1e3 * took[0], 1e3 * took[1]


def _game(at: int) -> str:
    return list(GAMES)[at % len(GAMES)]


def _bot(of: _Arena, at: int) -> str:
    return of.bots[(at * 7919) % len(of.bots)]


def _one(of: _Arena, at: int) -> str:
    return f"/tournaments/{quote(of.tournaments[at % len(of.tournaments)].tournament.name)}"


def _largest(of: _Arena) -> str:
    return f"/tournaments/{quote(of.large.name)}"


_PAGES: Final[dict[str, Callable[[_Arena, int], str]]] = {
    "/": lambda _, __: "/",
    "/rankings": lambda _, __: "/rankings",
    "/rankings/GAME": lambda _, at: f"/rankings/{_game(at)}",
    "/rankings/GAME, page": lambda of, at: (
        f"/rankings/claims?page={1 + at % max(1, len(of.bots) // 100)}"
    ),
    "/rankings/GAME, search": lambda _, at: f"/rankings/claims?q={at % 10}{at % 7}",
    "/rankings/GAME, sorted": lambda _, __: "/rankings/claims?sort=beaten",
    "/rankings/GAME/head-to-head": lambda _, at: f"/rankings/{_game(at)}/head-to-head",
    "/rankings/GAME/history": lambda _, at: f"/rankings/{_game(at)}/history",
    "/tournaments": lambda _, __: "/tournaments",
    "/tournaments, further": lambda of, at: f"/tournaments?before={2 + at % len(of.tournaments)}",
    "/tournaments/NAME": _one,
    "/tournaments/NAME, the largest": lambda of, _: _largest(of),
    ".../ranking": lambda of, at: f"{_largest(of)}/ranking?page={1 + at % 2}",
    ".../head-to-head": lambda of, _: f"{_largest(of)}/head-to-head",
    ".../history": lambda of, _: f"{_largest(of)}/history",
    ".../matches": lambda of, _: f"{_largest(of)}/matches",
    ".../matches, further": lambda of, at: (
        f"{_largest(of)}/matches?after={at * of.large.blocks // _ROUNDS}.0"
    ),
    ".../matches, to come": lambda of, _: f"{_one(of, 0)}/matches?status=pending",
    ".../matches/ID": lambda of, at: f"{_largest(of)}/matches/{of.matches[at % len(of.matches)]}",
    ".../matches/ID/replay": lambda of, at: (
        f"{_largest(of)}/matches/{of.matches[at % len(of.matches)]}/replay"
    ),
    "/bots": lambda _, __: "/bots",
    "/bots, further": lambda of, at: f"/bots?after={_bot(of, at)}",
    "/bots, search": lambda _, at: f"/bots?q={at % 100:02}",
    "/bots, of an author": lambda _, at: f"/bots?author=author{at:04}",
    "/bots/NAME": lambda of, at: f"/bots/{_bot(of, at)}",
    "/bots/NAME/NUMBER": lambda of, at: f"/bots/{_bot(of, at)}/1",
    "/bots/NAME/matches": lambda of, at: f"/bots/{_bot(of, at)}/matches",
    "/rules/GAME/LANGUAGE": lambda _, at: f"/rules/{_game(at)}/en",
}
"""By kind of page the address that is asked in each round."""


def _measured(crowd: Crowd) -> Iterator[Table]:
    part = Crowd(crowd.bots // _HUNDREDTH, crowd.matches // _HUNDREDTH, crowd.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-")))
        stores = [stack.enter_context(_store(folder, each)) for each in (part, crowd)]
        yield _rankings(stores[1], folder, crowd)
        runner = stack.enter_context(asyncio.Runner())
        small, large = arenas = [_Arena(store, runner) for store in stores]
        for arena in arenas:
            stack.callback(arena.rankings.close)
            _warmed(arena)
        samples: dict[str, list[tuple[tuple[float, float], tuple[float, float]]]] = {}
        for at in range(_ROUNDS + 1):
            for name, path in _PAGES.items():
                sample = small.took(path(small, at)), large.took(path(large, at))
                if at:
                    samples.setdefault(name, []).append(sample)
        yield Table(
            f"pages of {crowd.bots:,} bots and {crowd.matches:,} matches, server time",
            "ms",
            [_row(name, of_page) for name, of_page in samples.items()],
            f"the ratio is to the same page of {part.bots:,} bots and {part.matches:,} matches, "
            "by turns; aim: each median below 100 ms",
        )


def _row(name: str, samples: list[tuple[tuple[float, float], tuple[float, float]]]) -> Row:
    small, large = ([side[at][0] for side in samples] for at in (0, 1))
    return Row(
        name,
        statistics.median(large),
        len(large),
        statistics.median(mine / its for mine, its in zip(large, small, strict=True)),
        {
            "95 %": sorted(large)[int(0.95 * len(large))],
            "CPU": statistics.median(side[1][1] for side in samples),
            "a hundredth": statistics.median(small),
        },
    )


def _rankings(store: Store, folder: Path, crowd: Crowd) -> Table:
    """How long all games' rankings take: at first, with files from before, and with nothing new."""
    files = RankingFiles(folder / "rankings")
    first, again = Rankings(store, files=files), Rankings(store, files=files)
    rows = [
        _ranked("made for the first time", first),
        _ranked("after another start", again),
        _ranked("nothing new since", again),
    ]
    title = f"the rankings of all games, {crowd.matches:,} matches"
    return Table(title, "s", rows, "without file where a ranking takes but a few seconds")


def _ranked(name: str, rankings: Rankings) -> Row:
    began, busy = time.perf_counter(), time.process_time()
    for game in GAMES:
        rankings.ranking(game, public=True)
    took, spent = time.perf_counter() - began, time.process_time() - busy
    return Row(name, took, 1, more={"CPU": spent})


def _warmed(arena: _Arena) -> None:
    """As a server is some time after its start: whatever takes long was worked out."""
    paths = [path(arena, at) for at in (0, 1, 2) for path in _PAGES.values()]
    for path in dict.fromkeys(paths):
        while arena._runner.run(_status(arena.app, path)) == 503:
            time.sleep(1)


def _store(folder: Path, crowd: Crowd) -> Store:
    kept = os.environ.get("ARENA_BENCH_STORES")
    home = Path(kept or folder) / f"{crowd.bots}-{crowd.matches}-{crowd.seed}"
    if not home.is_dir():
        made = home.with_name(f"{home.name}.part")
        fill(made, crowd)
        made.rename(home)
    return Store.open(home)


async def _status(app: ASGIApp, path: str) -> int:
    """Ask for a page as a browser would."""
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path.replace("%20", " "),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"arena.test")],
        "client": ("192.0.2.1", 4711),
        "server": ("arena.test", 80),
    }
    status: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    await app(scope, receive, send)
    return status[0]
