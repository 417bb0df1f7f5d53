"""Authors and their tokens."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from arena.store import (
    AlreadyDone,
    Conflict,
    InvalidRecord,
    LastAdmin,
    NameTaken,
    NewToken,
    NotFound,
    Request,
    RequestReused,
    Role,
    Store,
    StoreFull,
)
from arena.store.accounts import MOST_TOKENS


def token(name: str = "laptop", hash_: str = "a" * 64) -> NewToken:
    """A token to be kept."""
    return NewToken(name, hash_)


def asked(id_: str = "one", fingerprint: str = "f") -> Request:
    """A request of an admin's."""
    return Request("ada", id_, "AdminService/X", fingerprint)


def test_a_token_stands_for_its_author(store: Store) -> None:
    """As both were kept, and only that token does."""
    made = store.accounts.add_author("ana", Role.ORGANISER, token())
    known = store.accounts.known("a" * 64)
    assert known is not None
    assert (known.author, known.token) == (made.author, made.token)
    assert (known.author.name, known.author.role) == ("ana", Role.ORGANISER)
    assert store.accounts.known("b" * 64) is None


def test_a_name_is_used_once(store: Store) -> None:
    """Whoever comes second is told, and gets nothing."""
    store.accounts.add_author("ana", Role.AUTHOR, token())
    with pytest.raises(NameTaken, match="ana"):
        store.accounts.add_author("ana", Role.ADMIN, token(hash_="b" * 64))
    assert store.accounts.author("ana").role is Role.AUTHOR
    assert store.accounts.known("b" * 64) is None


def test_a_revoked_token_stands_for_nobody(store: Store) -> None:
    """Another one of the same author still does; revoking twice is the same as once."""
    store.accounts.add_author("ana", Role.AUTHOR, token())
    second = store.accounts.add_token("ana", token("phone", "b" * 64))
    revoked = store.accounts.revoke(second.id)
    assert revoked.revoked is not None
    assert store.accounts.revoke(second.id) == revoked
    assert store.accounts.known("b" * 64) is None
    assert store.accounts.known("a" * 64) is not None


def test_a_locked_author_is_nobody(store: Store) -> None:
    """Until the lock is taken off again."""
    store.accounts.add_author("ana", Role.AUTHOR, token())
    assert store.accounts.update_author("ana", locked=True).locked is not None
    assert store.accounts.known("a" * 64) is None
    assert store.accounts.update_author("ana", locked=False).locked is None
    assert store.accounts.known("a" * 64) is not None


def test_the_last_admin_stays(store: Store) -> None:
    """Neither another role nor a lock takes the last one away; with a second one both may."""
    store.accounts.add_author("ada", Role.ADMIN, token())
    with pytest.raises(LastAdmin, match="ada"):
        store.accounts.update_author("ada", role=Role.AUTHOR)
    with pytest.raises(LastAdmin, match="ada"):
        store.accounts.update_author("ada", locked=True)
    assert store.accounts.author("ada").role is Role.ADMIN
    store.accounts.add_author("abe", Role.ADMIN, token(hash_="b" * 64))
    store.accounts.update_author("abe", locked=True)
    with pytest.raises(LastAdmin):
        store.accounts.update_author("ada", role=Role.AUTHOR)
    store.accounts.update_author("abe", locked=False)
    assert store.accounts.update_author("ada", role=Role.AUTHOR).role is Role.AUTHOR


def test_of_two_admins_who_lock_each_other_out_one_stays(store: Store) -> None:
    """Also when both do so at once."""
    store.accounts.add_author("ada", Role.ADMIN, token())
    store.accounts.add_author("abe", Role.ADMIN, token(hash_="b" * 64))
    refused = []

    def lock(name: str) -> None:
        try:
            store.accounts.update_author(name, locked=True)
        except LastAdmin:
            refused.append(name)

    threads = [threading.Thread(target=lock, args=[name]) for name in ("ada", "abe")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert store.accounts.has_admin()


def test_there_is_an_admin_once_one_was_made(store: Store) -> None:
    """Who was an author before, or locked out, is one, too."""
    store.accounts.add_author("local", Role.AUTHOR, token())
    assert not store.accounts.has_admin()
    made = store.accounts.set_admin("local", token(hash_="b" * 64))
    assert store.accounts.has_admin()
    assert made.author.role is Role.ADMIN
    assert store.accounts.known("a" * 64) is not None


def test_the_last_use_is_known_to_the_hour(store: Store) -> None:
    """And says nothing of minutes."""
    made = store.accounts.add_author("ana", Role.AUTHOR, token())
    assert made.token.last_used is None
    before = datetime.now(UTC)
    store.accounts.known("a" * 64)
    used = store.accounts.token(made.token.id).last_used
    assert used is not None
    assert (used.minute, used.second, used.microsecond) == (0, 0, 0)
    assert 0 <= (before - used).total_seconds() < 3600 or used > before


def test_a_use_in_the_same_hour_writes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that calls don't wait for each other."""
    made = store.accounts.add_author("ana", Role.AUTHOR, token())
    for _ in range(2):  # the hour may just begin
        store.accounts.known("a" * 64)

    def no_writing() -> None:
        raise AssertionError

    monkeypatch.setattr(store.accounts._database, "write", no_writing)
    known = store.accounts.known("a" * 64)
    assert known is not None
    assert known.token.id == made.token.id


def test_where_nothing_can_be_written_a_token_is_known_all_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its hour is noted as soon as that is possible again."""
    made = store.accounts.add_author("ana", Role.AUTHOR, token())

    def full() -> None:
        raise StoreFull("no space is left")

    with monkeypatch.context() as patch:
        patch.setattr(store.accounts._database, "write", full)
        known = store.accounts.known("a" * 64)
    assert known is not None
    assert known.token.id == made.token.id
    assert store.accounts.token(made.token.id).last_used is None
    store.accounts.known("a" * 64)
    assert store.accounts.token(made.token.id).last_used is not None


def test_being_let_in_waits_for_no_writer(store: Store) -> None:
    """The hour is noted by a later call: many who come at once are not let in one by one."""
    made = store.accounts.add_author("ana", Role.AUTHOR, token())
    with ThreadPoolExecutor(1) as elsewhere, store.accounts._database.write():
        known = elsewhere.submit(store.accounts.known, "a" * 64).result(timeout=30)
    assert known is not None
    assert store.accounts.token(made.token.id).last_used is None
    store.accounts.known("a" * 64)
    assert store.accounts.token(made.token.id).last_used is not None


def test_tokens_come_in_pages(store: Store) -> None:
    """By number, each once; of an author who isn't there, none."""
    store.accounts.add_author("ana", Role.AUTHOR, token())
    store.accounts.add_author("bo", Role.AUTHOR, token(hash_="b" * 64))
    for number in range(5):
        store.accounts.add_token("ana", token(f"t{number}", f"{number}" * 64))
    every = store.accounts.tokens("ana")
    assert [one.name for one in every] == ["laptop", "t0", "t1", "t2", "t3", "t4"]
    first = store.accounts.tokens("ana", most=2)
    assert first + store.accounts.tokens("ana", after=first[-1].id) == every
    with pytest.raises(NotFound, match="zoe"):
        store.accounts.tokens("zoe")


def test_nobody_has_any_number_of_tokens(store: Store) -> None:
    """Of those that work; a revoked one makes room."""
    first = store.accounts.add_author("ana", Role.AUTHOR, token()).token
    for number in range(MOST_TOKENS - 1):
        store.accounts.add_token("ana", token(hash_=f"{number:064}"))
    with pytest.raises(Conflict, match="revoke"):
        store.accounts.add_token("ana", token(hash_="c" * 64))
    store.accounts.revoke(first.id)
    store.accounts.add_token("ana", token(hash_="c" * 64))


def test_authors_are_listed_by_name(store: Store) -> None:
    """In the same order on every database."""
    for number, name in enumerate(["b-c", "bc", "a", "b"]):
        store.accounts.add_author(name, Role.AUTHOR, token(hash_=f"{number}" * 64))
    assert [author.name for author in store.accounts.authors()] == ["a", "b", "b-c", "bc"]


def test_what_was_asked_for_twice_is_done_once(store: Store) -> None:
    """The second request is told what the first one was about; another one under its id is none."""
    made = store.accounts.add_author("ana", Role.AUTHOR, token(), request=asked())
    with pytest.raises(AlreadyDone) as done:
        store.accounts.add_author("ana", Role.AUTHOR, token(hash_="b" * 64), request=asked())
    assert store.accounts.token_of(done.value.target) == made.token
    with pytest.raises(RequestReused):
        store.accounts.add_token("ana", token(hash_="c" * 64), request=asked(fingerprint="g"))
    with pytest.raises(NotFound):
        store.accounts.token_of("c" * 64)


def test_a_change_that_is_refused_is_not_remembered(store: Store) -> None:
    """So the same request may succeed later."""
    with pytest.raises(NotFound):
        store.accounts.add_token("ana", token(), request=asked())
    store.accounts.add_author("ana", Role.AUTHOR, token(hash_="b" * 64))
    store.accounts.add_token("ana", token(), request=asked())


@pytest.mark.parametrize("name", ["", " ana", "a\nb", "x" * 201])
def test_no_text_is_kept_that_could_not_be_shown(store: Store, name: str) -> None:
    """Neither as an author's name nor as a token's."""
    with pytest.raises(InvalidRecord):
        store.accounts.add_author(name, Role.AUTHOR, token())
    with pytest.raises(InvalidRecord):
        store.accounts.add_author("ana", Role.AUTHOR, token(name))
    assert store.accounts.authors() == []
