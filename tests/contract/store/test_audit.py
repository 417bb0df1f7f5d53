"""The audit log."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from arena.store import AuditEntry, NewAuditEntry, Store

ENTRY = NewAuditEntry("ana", 1, "BotService/RetireBot", "greedy", "OK", "ipv4:127.0.0.1:1")


def test_what_was_done_is_found_the_newest_first(store: Store) -> None:
    """As it was written, with its moment; without a caller as well."""
    before = datetime.now(UTC)
    store.audit.add(ENTRY)
    store.audit.add(replace(ENTRY, author=None, token=None, outcome="UNAUTHENTICATED X"))
    newest, oldest = store.audit.entries()
    assert newest.author is None
    assert before <= oldest.at <= newest.at <= datetime.now(UTC)
    assert oldest == AuditEntry(
        "ana", 1, "BotService/RetireBot", "greedy", "OK", ENTRY.peer, oldest.id, oldest.at
    )


def test_it_comes_in_pages_and_by_author(store: Store) -> None:
    """Each entry once."""
    for number in range(5):
        store.audit.add(replace(ENTRY, target=f"t{number}"))
        store.audit.add(replace(ENTRY, author="bo"))
    every = store.audit.entries("ana")
    assert [entry.target for entry in every] == ["t4", "t3", "t2", "t1", "t0"]
    first = store.audit.entries("ana", most=2)
    assert first + store.audit.entries("ana", before=first[-1].id) == every
    assert len(store.audit.entries()) == 10


def test_it_takes_whatever_a_stranger_sent(store: Store) -> None:
    """What no database can hold is replaced, and what is long is cut."""
    store.audit.add(replace(ENTRY, target="a\0b\ud800" + "x" * 9999))
    (entry,) = store.audit.entries()
    assert entry.target.startswith("a\N{REPLACEMENT CHARACTER}b")
    assert len(entry.target) == 200


def test_what_is_old_is_forgotten(store: Store) -> None:
    """And nothing else."""
    store.audit.add(ENTRY)
    store.audit.forget(datetime.now(UTC) - timedelta(hours=1))
    assert len(store.audit.entries()) == 1
    store.audit.forget(datetime.now(UTC) + timedelta(hours=1))
    assert store.audit.entries() == []
