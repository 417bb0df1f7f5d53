"""What a caller may see: a private tournament is there only for who has to do with it."""

from __future__ import annotations

from arena.server.caller import caller
from arena.server.refusals import Refused
from arena.store import NotFound, Store, Tournament
from arenabot.v1 import arena_pb2 as pb


def visible(store: Store, name: str) -> Tournament:
    """The tournament of that name, if the caller may see it. Blocks.

    Raises Refused with the same sentence whether it isn't there or isn't shown.
    """
    try:
        found = store.tournament(name)
    except NotFound:
        found = None
    if found is None or not may_see(found):
        raise Refused(
            pb.REASON_NOT_FOUND,
            f"there is no tournament {name!r}: `arena tournament list` shows those there are",
        )
    return found


def may_see(tournament: Tournament) -> bool:
    """Whether the caller may see a tournament: public ones, those that the caller set up or has a
    bot in, and an admin all.
    """
    who = caller()
    if not tournament.private or who.owns(tournament.organiser):
        return True
    return who.author in {entry.version.author for entry in tournament.entries}
