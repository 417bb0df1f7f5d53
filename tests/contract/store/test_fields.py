"""Tournaments that are read again are as the store has them, on every kind of database."""

from __future__ import annotations

import pytest

from arena.store import NotFound, Store, Tournament
from arena.store.testing import make_tournament, new_matches, new_tournament, new_version


def same(store: Store, *names: str) -> None:
    """Whatever was read before, they are what the store itself says."""
    assert store.fields.tournaments("claims") == store.tournaments("claims")
    for name in names:
        assert store.fields.tournament(name) == store.tournament(name)


def test_whatever_changes_is_seen(store: Store, cup: Tournament) -> None:
    """Entry, draw, withdrawals with their reasons, retired versions, and other tournaments."""
    bots = [store.add_version(new_version(f"bot{at}"), b"archive") for at in range(2)]
    same(store, "cup")
    gala = store.create_tournament(new_tournament("gala", blocks=0))
    same(store, "gala")
    for bot in bots:
        store.entering.enter(gala.id, bot)
        same(store, "gala")
    store.entering.leave(gala.id, "bot1")
    store.entering.enter(gala.id, store.add_version(new_version("bot1", digest="b"), b"b"))
    same(store, "gala")
    drawn = [entry.version for entry in store.tournament("gala").entries][::-1]
    store.entering.draw(gala.id, drawn, new_matches(), blocks=3)
    same(store, "gala", "cup")
    store.entering.withdraw(gala.id, "bot0", why="one")
    same(store, "gala", "cup")
    store.entering.withdraw(gala.id, "bot0", why="two", annul=True)
    same(store, "gala", "cup")
    store.roster.retire("bot1")
    same(store, "gala", "cup")
    store.cancel(cup.id)
    same(store, "cup")


def test_entries_that_did_not_change_are_the_same_ones(store: Store, cup: Tournament) -> None:
    """Nothing is made of them anew."""
    entries = store.fields.tournament("cup").entries
    assert entries == cup.entries
    assert store.fields.tournament("cup").entries is entries
    assert store.fields.tournaments("claims")[0].entries is entries


def test_what_is_not_there_is_not_there(store: Store) -> None:
    """In the same words as everywhere."""
    make_tournament(store, "gala")
    with pytest.raises(NotFound, match="did you mean 'gala'"):
        store.fields.tournament("gaia")
