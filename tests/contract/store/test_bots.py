"""Bots and versions: named once, numbered, found again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena.store import InvalidRecord, NameTaken, NotFound, Store
from arena.store.testing import new_version


def test_a_version_comes_back_as_it_was_handed_in(store: Store) -> None:
    """All fields of an upload and its archive are kept."""
    new = new_version("greedy", label="1.0", games=("claims", "claro"))
    added = store.add_version(new, b"the archive")
    assert (added.bot, added.author, added.number, added.label) == ("greedy", "ana", 1, "1.0")
    assert (added.games, added.runtime) == (("claims", "claro"), "python")
    assert (added.entrypoint, added.digest) == ("bot.py", new.digest)
    assert store.blob(added.archive) == b"the archive"
    assert store.find_version("greedy") == added


def test_the_same_upload_twice_is_one_version(store: Store) -> None:
    """Equal bot and digest give the version that is there, whatever its archive's bytes are."""
    first = store.add_version(new_version(), b"packed once")
    assert store.add_version(new_version(), b"packed differently") == first
    assert store.versions() == [first]


def test_another_upload_gets_the_next_number(store: Store) -> None:
    """A bot's versions count from 1, each bot's by itself."""
    numbers = [
        store.add_version(new_version("greedy", digest=digest), b"").number for digest in "abc"
    ]
    assert numbers == [1, 2, 3]
    assert store.add_version(new_version("random", digest="a"), b"").number == 1


def test_a_name_belongs_to_its_first_author(store: Store) -> None:
    """Another author is refused, with new bytes and with the very same ones."""
    store.add_version(new_version(author="ana"), b"")
    for digest in ("other", new_version().digest):
        with pytest.raises(NameTaken, match=r"'greedy' belongs to ana: choose another name"):
            store.add_version(new_version(author="bob", digest=digest), b"")
    assert len(store.versions()) == 1


def test_two_authors_may_hand_in_equal_bytes_under_two_names(store: Store) -> None:
    """A digest alone doesn't make two bots one."""
    one = store.add_version(new_version("one", author="ana", digest="same"), b"same")
    two = store.add_version(new_version("two", author="bob", digest="same"), b"same")
    assert one.id != two.id
    assert one.archive == two.archive


def test_a_version_is_found_by_name_number_and_label(store: Store) -> None:
    """The bare name means the newest; a label means the newest that bears it."""
    for digest, label in (("a", "old"), ("b", "beta"), ("c", "beta"), ("d", None)):
        store.add_version(new_version(digest=digest, label=label), b"")
    found = {
        name: store.find_version(name).number
        for name in ("greedy", "greedy:1", "greedy:2", "greedy:old", "greedy:beta")
    }
    assert found == {"greedy": 4, "greedy:1": 1, "greedy:2": 2, "greedy:old": 1, "greedy:beta": 3}


def test_a_number_goes_before_a_label_that_looks_like_one(store: Store) -> None:
    """`greedy:2` is version 2, even if version 1 is labelled so; a free number is a label."""
    for digest, label in (("a", "2"), ("b", "7")):
        store.add_version(new_version(digest=digest, label=label), b"")
    assert store.find_version("greedy:2").number == 2
    assert store.find_version("greedy:7").number == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("greddy", r"there is no bot 'greddy': did you mean 'greedy'\?"),
        ("zzz", r"there is no bot 'zzz': look it up in the list of bots"),
        ("", r"there is no bot ''"),
        ("greedy:2", r"bot 'greedy' has no version '2': it has 1 \(beta\)"),
        ("greedy:", r"bot 'greedy' has no version ''"),
        ("greedy:gamma", r"bot 'greedy' has no version 'gamma'"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(store: Store, name: str, says: str) -> None:
    """A name that can't be found gets a line that helps on."""
    store.add_version(new_version(label="beta"), b"")
    with pytest.raises(NotFound, match=says):
        store.find_version(name)


def test_bots_and_versions_are_listed_by_name_and_number(store: Store) -> None:
    """The order doesn't depend on when they came."""
    for bot, digest in (("b", "1"), ("a", "1"), ("b", "2")):
        store.add_version(new_version(bot, digest=digest), b"")
    assert store.bots() == ["a", "b"]
    assert [(v.bot, v.number) for v in store.versions()] == [("a", 1), ("b", 1), ("b", 2)]
    assert [(v.bot, v.number) for v in store.versions("b")] == [("b", 1), ("b", 2)]
    with pytest.raises(NotFound, match="there is no bot 'c'"):
        store.versions("c")


@pytest.mark.parametrize("field", ["bot", "author", "label", "digest", "runtime", "entrypoint"])
def test_a_text_that_is_no_printable_line_is_refused(store: Store, field: str) -> None:
    """Nothing that could upset a terminal or a database gets in by a name."""
    for text in ("", " a", "a ", "a\n", "a\x1b[31m", "a\0", "\udc80", "a" * 201):
        changes: dict[str, Any] = {field: text}
        with pytest.raises(InvalidRecord, match=r"the store can hold: use 1 to 200") as refused:
            store.add_version(replace(new_version(), **changes), b"")
        assert str(refused.value).isprintable()
    assert store.versions() == []


def test_a_colon_in_a_bots_name_is_refused(store: Store) -> None:
    """It stands between a name and a version."""
    with pytest.raises(InvalidRecord, match="leave out the colon"):
        store.add_version(new_version("a:1"), b"")


def test_a_store_keeps_its_id_and_what_it_holds(open_store: Callable[[], Store]) -> None:
    """Another process that opens the store sees the same."""
    first, second = open_store(), open_store()
    added = first.add_version(new_version(), b"")
    assert second.find_version("greedy") == added
    assert first.id == second.id
    assert len(bytes.fromhex(first.id)) == 16
