"""Tokens as they are made, and the one of whoever owns the machine."""

from __future__ import annotations

import re
import stat

import pytest

from arena.app import accounts
from arena.app.errors import WrongCall
from arena.store import Role, Store


def test_a_token_is_256_random_bits() -> None:
    """As text that fits anywhere; never the same twice."""
    made = {accounts.new_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch(r"arena_[A-Za-z0-9_-]{43}", secret) for secret in made)


def test_a_made_token_does_not_show_itself() -> None:
    """Not even in what a log prints of it."""
    store_ = accounts.Issued.__dataclass_fields__["secret"]
    assert not store_.repr


def test_the_first_admin_is_made_once(store: Store) -> None:
    """With a token that lies in the store's folder for its owner alone."""
    secret = accounts.first_admin(store)
    assert secret is not None
    assert accounts.local_token(store.folder) == secret
    assert stat.S_IMODE((store.folder / "token").stat().st_mode) == 0o600
    known = store.accounts.known(accounts.hashed(secret))
    assert known is not None
    assert (known.author.name, known.author.role) == ("local", Role.ADMIN)
    assert accounts.first_admin(store) is None
    assert accounts.local_token(store.folder) == secret


def test_where_there_is_an_admin_none_is_made(store: Store) -> None:
    """And no token is left lying about."""
    accounts.add_author(store, "ada", Role.ADMIN)
    assert accounts.first_admin(store) is None
    assert accounts.local_token(store.folder) is None


def test_whoever_was_killed_before_the_admin_was_made_begins_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token that lies there already is of no use, and is replaced."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.accounts, "set_admin", killed)
        with pytest.raises(KeyboardInterrupt):
            accounts.first_admin(store)
    useless = accounts.local_token(store.folder)
    assert useless is not None
    assert store.accounts.known(accounts.hashed(useless)) is None
    secret = accounts.first_admin(store)
    assert secret is not None
    assert accounts.local_token(store.folder) == secret
    assert store.accounts.known(accounts.hashed(secret)) is not None
    assert not list(store.folder.glob(".token*"))


@pytest.mark.parametrize("name", ["", "Ana", "9ana", "a" * 33, "a b", "ana\n"])
def test_an_authors_name_is_one_as_bots_have_it(store: Store, name: str) -> None:
    """Anything else is refused in one line."""
    with pytest.raises(WrongCall, match="no author's name") as told:
        accounts.add_author(store, name, Role.AUTHOR)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["", " x", "x" * 65, "a\nb"])
def test_a_tokens_name_can_be_shown(store: Store, name: str) -> None:
    """Anything else is refused."""
    accounts.add_author(store, "ana", Role.AUTHOR)
    with pytest.raises(WrongCall, match="token's name"):
        accounts.add_token(store, "ana", name)
