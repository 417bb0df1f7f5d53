"""Who may see what of a tournament, and when: asked by services and pages alike."""

from __future__ import annotations

from arena.store import NotFound, Seeing, Store, Tournament


def may_see(tournament: Tournament, who: Seeing) -> bool:
    """Whether somebody may see a tournament: all may see a public one, its organiser and the
    authors of its entries also a private one.
    """
    if who.all or not tournament.private:
        return True
    if who.author is None:
        return False
    authors = {entry.version.author for entry in tournament.entries}
    return who.author == tournament.organiser or who.author in authors


def find(store: Store, name: str, who: Seeing) -> Tournament:
    """The tournament of that name, if it may be seen.

    Raises NotFound with the same sentence whether it isn't there or isn't shown.
    """
    try:
        found = store.tournament(name)
    except NotFound:
        found = None
    if found is None or not may_see(found, who):
        raise NotFound(
            f"there is no tournament {name[:80]!a}: `arena tournament list` shows those there are"
        )
    return found


def is_released(store: Store, tournament: Tournament, match_id: str) -> bool:
    """Whether a match's replay and logs may be shown to those who may see its tournament.

    That is when nobody will meet its deals any more: no match of its block is to be played. Raises
    NotFound.
    """
    return store.is_released(tournament.id, match_id)
