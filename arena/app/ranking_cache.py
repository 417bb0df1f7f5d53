"""Rankings for many who look at once: nobody waits for one to be made anew if it can be helped.

What was worked out is given again at once. Once it is no longer fresh, whoever asks has it looked
at anew, in one thread for all, and waits for a moment; if that isn't enough, the older one is given
meanwhile, or NotReady is raised. So a page costs what it shows, however many results there are.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.app.errors import ArenaError
from arena.app.ranking import Overview, Ranking, Rankings
from arena.app.table import Duel, Table
from arena.store import BotVersion, League, Progress, Store, Tournament

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

_MOST_DUELS: Final = 8
"""Of how many rankings all pairs are kept."""

T = TypeVar("T")


class NotReady(ArenaError):
    """A ranking that is still being worked out for the first time."""


class Duels:
    """What any two in a ranking did against each other."""

    def __init__(self, table: Table, all_: Sequence[Duel]) -> None:
        """`all_` are those of `table`, the better one first."""
        self.table = table
        self.all = all_
        self._by_pair = {(duel.one.id, duel.other.id): duel for duel in all_}

    def between(self, one: BotVersion, other: BotVersion) -> Duel | None:
        """What `one` did against `other`; None if they haven't met."""
        found = self._by_pair.get((one.id, other.id))
        if found is not None:
            return found
        turned = self._by_pair.get((other.id, one.id))
        return None if turned is None else Duel(one, other, turned.versus.turned())

    def of(self, version: BotVersion) -> list[Duel]:
        """What a version did against each other one, in the order of the ranking."""
        found = (self.between(version, row.version) for row in self.table.ranked)
        return [duel for duel in found if duel is not None]


@dataclass(slots=True)
class _Kept(Generic[T]):
    """What was worked out last, until when it is fresh, and what is being worked out."""

    value: T | None = None
    fresh_until: float = 0.0
    coming: Future[T] | None = None


class RankingCache:
    """The rankings of one store, from any thread."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Work out what `store` has; `clock` in seconds."""
        self._store = store
        self._clock = clock
        self._rankings = Rankings(store)
        self._thread = ThreadPoolExecutor(1, "ranking")
        self._counting = ThreadPoolExecutor(2, "counting")
        self._lock = threading.Lock()
        #: By the table's identity; each keeps its table, so that no other one gets the same.
        self._duels: OrderedDict[int, Duels] = OrderedDict()
        self._kept: OrderedDict[Hashable, _Kept[object]] = OrderedDict()

    def ranking(self, game: str, *, league: League | None = None, first: float = FIRST) -> Ranking:
        """The ranking of all public tournaments of a game, or of a league of that game's.

        Waits `first` seconds if it is new.
        """

        def work() -> Ranking:
            return self._rankings.ranking(game, public=True, league=league)

        key = ("ranking", game if league is None else league.id)
        return self._get(key, work, first=first)

    def overview(self, tournament: Tournament, *, first: float = FIRST) -> Overview:
        """The ranking of a tournament; waits `first` seconds if it is new."""
        id_ = tournament.id

        def work() -> Overview:
            return self._rankings.overview(self._store.tournament(tournament.name))

        return self._get(("overview", id_), work, first=first)

    def now(self, work: Callable[[Rankings], T]) -> Future[T]:
        """Have something worked out as it is at this moment, where all rankings are."""
        return self._thread.submit(work, self._rankings)

    def duels(self, table: Table) -> Duels:
        """All pairs of a ranking, worked out once for all who look at it."""
        with self._lock:
            known = self._duels.get(id(table))
        if known is not None and known.table is table:
            return known
        try:
            return self._thread.submit(self._look_at_pairs, table).result(FIRST)
        except TooSlow:
            raise _not_ready() from None

    def _look_at_pairs(self, table: Table) -> Duels:
        with self._lock:
            known = self._duels.get(id(table))
        if known is not None and known.table is table:
            return known
        made = Duels(table, table.duels())
        with self._lock:
            self._duels[id(table)] = made
            if len(self._duels) > _MOST_DUELS:
                self._duels.popitem(last=False)
        return made

    def tournament(self, name: str) -> Tournament:
        """The tournament of that name: one may have thousands of entries. Raises NotFound."""
        return self._get(("tournament", name), lambda: self._store.tournament(name), self._counting)

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

    def close(self) -> None:
        """Work no more."""
        for thread in (self._thread, self._counting):
            thread.shutdown(wait=False, cancel_futures=True)

    def _get(
        self,
        key: Hashable,
        work: Callable[[], T],
        thread: ThreadPoolExecutor | None = None,
        *,
        first: float = FIRST,
    ) -> T:
        with self._lock:
            kept: _Kept[T] = self._kept.setdefault(key, _Kept())  # type: ignore[assignment]
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
            if kept.value is not None and self._clock() < kept.fresh_until:
                return kept.value
            if kept.coming is None:
                kept.coming = (thread or self._thread).submit(self._renew, kept, work)
            coming, older = kept.coming, kept.value
        try:
            return coming.result(first if older is None else PATIENCE)
        except TooSlow:
            if older is None:
                raise _not_ready() from None
            return older
        except Exception:
            with self._lock:
                if kept.value is None:
                    self._kept.pop(key, None)
            raise

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
            kept.value, kept.coming = value, None
            kept.fresh_until = now + max(FRESH, _SHARE * (now - began))
        return value


def _not_ready() -> NotReady:
    return NotReady("This is being worked out for the first time: load it again in a minute.")
