"""Lists in pages: where the next one begins, and how large one may be."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Final

from arena.server.refusals import Refused
from arenabot.v1 import arena_pb2 as pb

DEFAULT: Final = 50
MOST: Final = 500
"""How many things stand on a page, if nobody says, and at most."""

#: What a page begins behind: the sort key of the last thing on the page before.
Key = tuple[str | int, ...]


def size(asked: int) -> int:
    """How many things to put on the page. Raises Refused."""
    if asked > MOST:
        raise Refused(
            pb.REASON_TOO_LARGE, f"a page has {MOST} entries at most: ask for several pages"
        )
    return asked or DEFAULT


def token(key: Key | None) -> str:
    """Write where the next page begins; None: there is none."""
    if key is None:
        return ""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def key(token: str, *kinds: type[str | int]) -> Key | None:
    """Read it back; None is the first page. Raises Refused unless it is a key of these kinds."""
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        read = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        read = None
    if not isinstance(read, list) or [type(part) for part in read] != list(kinds):
        raise Refused(
            pb.REASON_INVALID,
            "this page_token is none of ours: take the next_page_token of the page before",
        )
    return tuple(read)
