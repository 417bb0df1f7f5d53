"""Who is signed in: a signed cookie that names a token, good for as long as that token is.

The cookie holds no token and nothing that one could be made from. What signs it lies in the store's
folder, so people stay signed in when the arena starts again, and whoever has only the database
can't sign. Every form carries a word that belongs to its reader's cookie, so that no other site can
send it for them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.store.translate import translated

LASTS: Final = 7 * 24 * 3600
"""Seconds for which one stays signed in."""

_KEY_FILE: Final = "pages.key"
_KEY_BYTES: Final = 32
_MOST_ENDED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Session:
    """A reader whose cookie is ours."""

    #: The number of the token that it was opened with; None: not signed in, only met.
    token: int | None
    #: Random, and nobody else's.
    id: str


class Sessions:
    """Writes and reads the cookies."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        """Sign with `key`; `clock` is the wall clock, in seconds."""
        self._key = key
        self._clock = clock
        #: By id, those that were closed before their time, and when that is.
        self._ended: dict[str, float] = {}

    def begin(self, token: int | None) -> tuple[Session, str]:
        """A new session, and the cookie that says so."""
        session = Session(token, secrets.token_urlsafe(16))
        until = int(self._clock()) + LASTS
        told = f"{token or 0}.{session.id}.{until}"
        return session, f"{told}.{self._sign('cookie', told)}"

    def read(self, cookie: str) -> Session | None:
        """The session of a cookie; None if it isn't ours, is over, or was ended."""
        told, _, signature = cookie.rpartition(".")
        if not _same(signature, self._sign("cookie", told)):
            return None
        token, id_, until = told.split(".")
        if float(until) < self._clock() or id_ in self._ended:
            return None
        return Session(int(token) or None, id_)

    def end(self, session: Session) -> None:
        """Let it be over, also for whoever has a copy of the cookie."""
        now = self._clock()
        if len(self._ended) >= _MOST_ENDED:
            self._ended = {id_: until for id_, until in self._ended.items() if until > now}
        self._ended[session.id] = now + LASTS

    def word(self, session: Session) -> str:
        """What a form for this reader carries."""
        return self._sign("form", session.id)

    def is_word(self, session: Session, told: str) -> bool:
        """Whether a form was made for this reader."""
        return _same(told, self.word(session))

    def _sign(self, use: str, told: str) -> str:
        whole = f"{use} {told}".encode(errors="replace")
        return hmac.new(self._key, whole, hashlib.sha256).hexdigest()


def kept_key(folder: Path) -> bytes:
    """The key in the store's folder; made if there is none. Raises StoreError."""
    path = folder / _KEY_FILE
    with translated(folder):
        with suppress(FileNotFoundError):
            key = path.read_bytes()
            if len(key) == _KEY_BYTES:
                return key
        key = secrets.token_bytes(_KEY_BYTES)
        made = path.with_name(f".{_KEY_FILE}.{secrets.token_hex(8)}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
        made.replace(path)
        return key


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))
