"""``arena author``, ``arena token`` and ``arena audit``."""

from __future__ import annotations

import re
from contextlib import closing

from arena.app import accounts
from arena.store import NewAuditEntry, Role, Store
from tests.integration.cli.arenas import Arena


def test_an_author_is_added_with_a_token_that_works(arena: Arena) -> None:
    """It is shown this once, and no list has it."""
    told = arena("author", "add", "zoe", "--role", "organiser")
    (secret,) = re.findall(r"^arena_\S{43}$", told, re.MULTILINE)
    with closing(Store.open(arena.home)) as store:
        known = store.accounts.known(accounts.hashed(secret))
    assert known is not None
    assert (known.author.name, known.author.role) == ("zoe", Role.ORGANISER)
    listed = arena("author", "list") + arena("token", "list", "--author", "zoe")
    assert "zoe" in listed
    assert secret not in listed


def test_what_an_author_may_do_is_changed(arena: Arena) -> None:
    """Role and lock, each by itself."""
    arena("author", "add", "zoe")
    assert "zoe: admin" in arena("author", "set", "zoe", "--role", "admin")
    assert "last admin" in arena_refuses(arena, "author", "set", "zoe", "--lock")
    arena("author", "add", "ada", "--role", "admin")
    assert "locked out" in arena("author", "set", "zoe", "--lock")
    assert "locked" in arena("author", "list")
    assert arena.json("author", "set", "zoe", "--unlock")["locked"] is False
    arena("author", "set", "zoe", code=2)
    assert "nothing was asked for" in arena.err


def test_tokens_are_made_listed_and_revoked(arena: Arena) -> None:
    """By their numbers."""
    arena("author", "add", "zoe")
    made = arena.json("token", "new", "laptop", "--author", "zoe")
    number = made["token"]["number"]
    assert made["secret"].startswith("arena_")
    listed = arena.json("token", "list", "--author", "zoe")["tokens"]
    assert [token["name"] for token in listed] == ["first", "laptop"]
    assert "worthless" in arena("token", "revoke", str(number))
    assert "revoked" in arena("token", "list", "--author", "zoe")
    with closing(Store.open(arena.home)) as store:
        assert store.accounts.known(accounts.hashed(made["secret"])) is None


def test_what_is_not_there_is_told_in_one_line(arena: Arena) -> None:
    """With 1 for what isn't there, and 2 for what makes no sense."""
    assert "no author 'zoe'" in arena_refuses(arena, "token", "new", "laptop", "--author", "zoe")
    assert "no author 'zoe'" in arena_refuses(arena, "author", "set", "zoe", "--lock")
    assert "no token 7" in arena_refuses(arena, "token", "revoke", "7")
    assert "1 to 32" in arena_refuses(arena, "author", "add", "Zoe", code=2)
    assert "no authors yet" in arena("author", "list")


def test_the_audit_log_is_shown_the_newest_last(arena: Arena) -> None:
    """As many as are asked for, of one author if that is asked for."""
    assert "nothing was changed" in arena("audit")
    with closing(Store.open(arena.home)) as store:
        for author, target in (("ana", "one"), ("bo", "two"), ("ana", "three")):
            store.audit.add(NewAuditEntry(author, 1, "BotService/RetireBot", target, "OK", "x:1"))
    entries = arena.json("audit", "--author", "ana")["entries"]
    assert [entry["target"] for entry in entries] == ["one", "three"]
    (newest,) = arena.json("audit", "--most", "1")["entries"]
    assert newest["target"] == "three"
    assert "BotService/RetireBot" in arena("audit")


def arena_refuses(arena: Arena, *words: str, code: int = 1) -> str:
    """Run what can't be done; the one line that says so."""
    arena(*words, code=code)
    assert arena.err.count("\n") == 1
    return arena.err


def test_an_audit_log_without_somebody_does_not_say_that_it_is_empty(arena: Arena) -> None:
    """It says of whom it has nothing."""
    assert arena("audit") == "nothing was changed through a server yet\n"
    assert arena("audit", "--author", "zoe") == "nothing was changed through a server by zoe yet\n"
