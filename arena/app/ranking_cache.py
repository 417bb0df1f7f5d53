"""Rankings for many who look at once: nobody waits for one to be made anew if it can be helped.

What was worked out is given again at once. Once it is no longer fresh, whoever asks has it looked
at anew, in one thread for all, and waits for a moment; if that isn't enough, the older one is given
meanwhile. So a page costs what it shows, however many results there are.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.app.history import Histories, History
from arena.app.ranking import Overview, Ranking, Rankings
from arena.app.table import Duel
from arena.store import Store, Tournament

FRESH: Final = 2.0
"""Seconds for which a ranking is given again without a look whether it has changed."""

PATIENCE: Final = 0.2
"""Seconds for which whoever asks waits for a newer one, where there is an older one."""

_SHARE: Final = 10
"""How many times longer than it took to make a ranking is fresh: not all time goes there."""

_MOST: Final = 200
"""How many rankings are kept; what they are made from is kept by `Rankings`."""

T = TypeVar("T")


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
        self._histories = Histories(store)
        self._thread = ThreadPoolExecutor(1, "ranking")
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, _Kept[object]] = OrderedDict()

    def ranking(self, game: str) -> Ranking:
        """The ranking of all public tournaments of a game."""
        return self._get(("ranking", game), lambda: self._rankings.ranking(game, public=True))

    def overview(self, tournament: Tournament) -> Overview:
        """The ranking of a tournament."""
        id_ = tournament.id

        def work() -> Overview:
            return self._rankings.overview(self._store.tournament(tournament.name))

        return self._get(("overview", id_), work)

    def duels(self, of: Ranking | Overview) -> tuple[Duel, ...]:
        """All pairs of a ranking, worked out once for all who look at it."""
        return self._thread.submit(of.table.duels).result()

    def history(self, of: Tournament | str) -> History:
        """How the ratings of a tournament, or of a game by its id, came about."""
        if isinstance(of, str):
            return self._get(("history", of), lambda: self._histories.game(of))
        name = of.name
        return self._get(
            ("history", of.id), lambda: self._histories.tournament(self._store.tournament(name))
        )

    def close(self) -> None:
        """Work no more."""
        self._thread.shutdown(cancel_futures=True)

    def _get(self, key: Hashable, work: Callable[[], T]) -> T:
        with self._lock:
            kept: _Kept[T] = self._kept.setdefault(key, _Kept())  # type: ignore[assignment]
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)
            if kept.value is not None and self._clock() < kept.fresh_until:
                return kept.value
            if kept.coming is None:
                kept.coming = self._thread.submit(self._renew, kept, work)
            coming, older = kept.coming, kept.value
        try:
            return coming.result(None if older is None else PATIENCE)
        except TooSlow:
            if older is None:
                raise
            return older

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
