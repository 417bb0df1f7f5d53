"""The containers with a zygote that are kept between matches, and which of them plays next."""

import threading
import time
from collections.abc import Callable
from typing import Final

from arena.sandbox.api import Launch
from arena.sandbox.zygote import Zygote, kind_of

MOST_IDLE: Final = 16
"""Containers that one sandbox keeps idle, of about 20 MiB each."""
LONGEST_IDLE: Final = 300.0
"""Seconds after which an idle container is not used again; it goes when the next comes back."""


class Zygotes:
    """Hands out containers, one match at a time each; may be used from several threads."""

    def __init__(
        self,
        make: Callable[[Launch], Zygote],
        remove: Callable[[Zygote], None],
        *,
        keep: bool,
        most_idle: int = MOST_IDLE,
    ) -> None:
        """Without `keep`, each container plays one match."""
        self._make = make
        self._remove = remove
        self._keep = keep
        self._most_idle = most_idle
        self._idle: list[Zygote] = []
        self._lock = threading.Lock()

    def take(self, launch: Launch) -> Zygote:
        """A container that has never played a match with this mark, made if there is none idle.

        Raises `SandboxFailed`.
        """
        while (zygote := self._pick(launch)) is not None:
            if zygote.engine_alive():
                return zygote
            self._remove(zygote)
        zygote = self._make(launch)
        try:
            zygote.open()
        except BaseException:
            self._remove(zygote)
            raise
        return zygote

    def give_back(self, zygote: Zygote) -> None:
        """Take a container back whose match was ended: it is kept if it is clean."""
        if not (self._keep and zygote.clean()):
            self._remove(zygote)
            return
        zygote.idle_since = time.monotonic()
        with self._lock:
            self._idle.append(zygote)
        self._thin_out()

    def take_all(self) -> list[Zygote]:
        """All that are idle, which are the caller's from now on."""
        with self._lock:
            idle, self._idle = self._idle, []
        return idle

    def _pick(self, launch: Launch) -> Zygote | None:
        kind, now = kind_of(launch), time.monotonic()
        with self._lock:
            for zygote in self._idle:
                # The old are left to `_thin_out`: a match that begins has no time to remove them.
                fits = zygote.kind == kind and _is_fresh(zygote, now)
                if fits and (not launch.once or launch.once not in zygote.played):
                    self._idle.remove(zygote)
                    return zygote
        return None

    def _thin_out(self) -> None:
        """Let go of those that were idle too long, and of the longest idle where there are many."""
        now = time.monotonic()
        with self._lock:
            stay = [each for each in self._idle if _is_fresh(each, now)]
            stay = stay[len(stay) - min(len(stay), self._most_idle) :]
            gone = [each for each in self._idle if each not in stay]
            self._idle = stay
        for zygote in gone:
            self._remove(zygote)


def _is_fresh(zygote: Zygote, now: float) -> bool:
    return now - zygote.idle_since < LONGEST_IDLE
