"""Rankings for many who look at once: nobody waits for one to be made anew if it can be helped.

What was worked out is given again at once. Once it is no longer fresh, whoever asks has it looked
at anew, in one thread for all, and waits for a moment; if that isn't enough, the older one is given
meanwhile, or NotReady is raised. So a page costs what it shows, however many results there are.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from arena.app.errors import ArenaError
from arena.app.rankings.background import Background
from arena.app.rankings.growing import name_of
from arena.app.rankings.kept_files import RankingFiles
from arena.app.rankings.ranking import NotKept, Overview, Ranking, Rankings, Stopped
from arena.app.rankings.table import Duels, Table
from arena.games import GAMES
from arena.store import League, Progress, Store, Tournament

FRESH: Final = 2.0
"""Seconds for which a ranking is given again without a look whether it has changed."""

PATIENCE: Final = 0.2
"""Seconds for which whoever asks waits for a newer one, where there is an older one."""

FIRST: Final = 10.0
"""Seconds for which whoever asks waits where there is no older one."""

_SHARE: Final = 10
"""How many times longer than it took to make a ranking is fresh: not all time goes there."""

_MOST: Final = 500
"""How many rankings are kept; what they are made from is kept by `Rankings`."""

T = TypeVar("T")


class Submits(Protocol):
    """What works on something in another thread."""

    def submit(self, work: Callable[[], T], /) -> Future[T]:
        """Do it soon."""


class NotReady(ArenaError):
    """A ranking that is still being worked out for the first time."""


@dataclass(slots=True)
class _Kept(Generic[T]):
    """What was worked out last, until when it is fresh, and what is being worked out."""

    value: T | None = None
    fresh_until: float = 0.0
    #: Seconds that it took.
    took: float = 0.0
    coming: Future[T] | None = None
    #: What is there first: that, or what was kept in a file.
    first: Future[T] = field(default_factory=Future)

    def give_first(self, coming: Future[T]) -> None:
        """Give it to whoever waits for the first one, however that ended."""
        if self.first.done():
            return
        if coming.cancelled():
            self.first.cancel()
        elif (error := coming.exception()) is not None:
            self.first.set_exception(error)
        else:
            self.first.set_result(coming.result())


class RankingCache:
    """The rankings of one store, from any thread."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Work out what `store` has; `clock` in seconds."""
        self._store = store
        self._clock = clock
        self._files = RankingFiles(store.folder / "rankings")
        self._rankings = Rankings(store, files=self._files)
        self._thread = Background("ranking")
        self._counting = ThreadPoolExecutor(2, "counting")
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, _Kept[object]] = OrderedDict()

    def ranking(
        self,
        game: str,
        *,
        league: League | None = None,
        first: float = FIRST,
        leeway: float = 0.0,
    ) -> Ranking:
        """The ranking of all public tournaments of a game, or of a league of that game's.

        Waits `first` seconds if it is new. One that has not been fresh for less than `leeway`
        seconds is given without waiting for the newer one.
        """
        key = ("ranking", game if league is None else league.id)
        return self._get(key, partial(self._ranking, game, league), first=first, leeway=leeway)

    def overview(self, tournament: Tournament, *, first: float = FIRST) -> Overview:
        """The ranking of a tournament; waits `first` seconds if it is new."""
        key, work = ("overview", tournament.id), partial(self._overview, tournament.name)
        return self._get(key, work, first=first)

    def now(self, work: Callable[[Rankings], T]) -> Future[T]:
        """Have something worked out as it is at this moment, where all rankings are."""
        return self._thread.submit(partial(work, self._rankings))

    def duels(self, table: Table, of: Hashable) -> Duels:
        """All pairs of a ranking, worked out once for all who look at it.

        `of` says whose ranking it is: those of an older one may be given meanwhile.
        """
        key = ("duels", of)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and isinstance(kept.value, Duels) and kept.value.table is not table:
                kept.fresh_until = 0.0
        return self._get(key, table.all_duels)

    def tournament(self, name: str) -> Tournament:
        """The tournament of that name: one may have thousands of entries. Raises NotFound."""
        return self._get(
            ("tournament", name), lambda: self._store.fields.tournament(name), self._counting
        )

    def forget(self, tournament: Tournament) -> None:
        """Look anew at a tournament that has changed."""
        with self._lock:
            for key in (("tournament", tournament.name), ("progress", tournament.id)):
                self._kept.pop(key, None)

    def progress(self, tournament: Tournament) -> Progress:
        """How far a tournament is; to count a million matches takes a while, too."""
        return self._get(
            ("progress", tournament.id),
            lambda: self._store.progress(tournament.id),
            self._counting,
        )

    def warm(self) -> None:
        """Begin with what most will ask for, so that nobody has to wait for it.

        That is the rankings of games, and those of which a file was kept, since they take long.
        What the files have is there first of all, as it was then.
        """
        self._thread.submit(self._warm)

    def close(self) -> None:
        """Work no more; what is being worked out is given up, and nobody waits for that."""
        self._rankings.stop()
        self._thread.end()
        self._counting.shutdown(wait=False, cancel_futures=True)

    def _ranking(self, game: str, league: League | None = None, *, older: bool = False) -> Ranking:
        return self._rankings.ranking(game, public=True, league=league, older=older)

    def _overview(self, name: str, *, older: bool = False) -> Overview:
        return self._rankings.overview(self._store.fields.tournament(name), older=older)

    def _warm(self) -> None:
        names = {*self._files.names()} - {*GAMES}
        all_ = self._store.tournaments() if names else []
        kept = [each for each in all_ if name_of(each.id) in names][::-1]
        works: dict[Hashable, Callable[..., object]] = {
            **{("ranking", game): partial(self._ranking, game) for game in GAMES},
            **{("overview", each.id): partial(self._overview, each.name) for each in kept},
        }
        for key, work in works.items():
            with suppress(NotKept):
                older = work(older=True)
                with self._lock:
                    place = self._kept.setdefault(key, _Kept())
                    if place.value is None:
                        # Whoever asks needn't wait for the newer one.
                        place.value, place.took = older, PATIENCE
                        place.first.set_result(older)
        for key, work in works.items():
            with self._lock:
                place = self._kept.setdefault(key, _Kept())
                if place.coming is None:
                    self._begin(self._thread, place, work)

    def _get(
        self,
        key: Hashable,
        work: Callable[[], T],
        thread: Submits | None = None,
        *,
        first: float = FIRST,
        leeway: float = 0.0,
    ) -> T:
        with self._lock:
            kept: _Kept[T] = self._kept.setdefault(key, _Kept())  # type: ignore[assignment]
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
            if kept.value is not None and self._clock() < kept.fresh_until:
                return kept.value
            coming = kept.coming or self._begin(thread or self._thread, kept, work)
            older = kept.value
            if older is not None and self._clock() < kept.fresh_until + leeway:
                return older
            # What took longer the last time will do so again.
            patience = PATIENCE if kept.took < PATIENCE else 0.0
        try:
            return kept.first.result(first) if older is None else coming.result(patience)
        except TooSlow:
            if older is None:
                raise _not_ready() from None
            return older
        except (Stopped, CancelledError):
            raise _not_ready() from None
        except Exception:
            with self._lock:
                if kept.value is None:
                    self._kept.pop(key, None)
            raise

    def _begin(self, thread: Submits, kept: _Kept[T], work: Callable[[], T]) -> Future[T]:
        kept.coming = coming = thread.submit(partial(self._renew, kept, work))
        coming.add_done_callback(kept.give_first)
        return coming

    def _renew(self, kept: _Kept[T], work: Callable[[], T]) -> T:
        began = self._clock()
        try:
            value = work()
        except BaseException:
            with self._lock:
                kept.coming = None
            raise
        now = self._clock()
        with self._lock:
            kept.value, kept.coming, kept.took = value, None, now - began
            kept.fresh_until = now + max(FRESH, _SHARE * (now - began))
        return value


def _not_ready() -> NotReady:
    return NotReady("This is being worked out for the first time: load it again in a minute.")
