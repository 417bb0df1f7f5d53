"""Authors, tokens and the audit log of a server, by the commands that also work on a store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.cli.arenas import NO_ENGINE, Arena
from tests.integration.client.serving import Serving, serving

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an author, an organiser and an admin."""
    folder = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", NO_ENGINE)
        with serving(folder / "home", calls_at_once=10_000) as up:
            yield up


@pytest.fixture
def person(server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Somebody on another machine, who knows the server's address."""
    for name in ("ARENA_PROFILE", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("ARENA_SERVER", server.address)
    return Arena(tmp_path / "elsewhere", tmp_path, monkeypatch)


def becomes(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """From now on the person shows this token."""
    monkeypatch.setenv("ARENA_TOKEN", token)


def test_an_admin_adds_authors_and_says_what_they_may_do(
    server: Serving, person: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new author's first token works from then on, and not once they are locked out."""
    becomes(monkeypatch, server.tokens["ada"])
    secret = person.json("author", "add", "zoe", "--role", "organiser")["secret"]
    assert "zoe" in person("author", "list")
    becomes(monkeypatch, secret)
    assert person.json("status")["author"] == "zoe"
    becomes(monkeypatch, server.tokens["ada"])
    assert person.json("author", "set", "zoe", "--role", "author", "--lock")["locked"]
    becomes(monkeypatch, secret)
    person("status", code=1)
    assert "token" in person.err


def test_an_author_has_own_tokens_and_nobody_elses(
    server: Serving, person: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made, listed, used, revoked; what is somebody else's isn't there."""
    becomes(monkeypatch, server.tokens["ana"])
    made = person.json("token", "new", "laptop")
    assert made["author"]["name"] == "ana"
    becomes(monkeypatch, made["secret"])
    listed = person.json("token", "list")["tokens"]
    assert {"laptop", "first"} <= {token["name"] for token in listed}
    person("token", "list", "--author", "olga", code=1)
    becomes(monkeypatch, server.tokens["ana"])
    assert "is worthless" in person("token", "revoke", str(made["token"]["number"]))
    becomes(monkeypatch, made["secret"])
    person("token", "list", code=1)


def test_only_admins_see_the_audit_log_and_drain(
    server: Serving, person: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the server says that it drains, and goes on when it is told to."""
    becomes(monkeypatch, server.tokens["ana"])
    person("token", "new", "seen")
    person("audit", code=1)
    person("drain", code=1)
    becomes(monkeypatch, server.tokens["ada"])
    entries = person.json("audit", "--most", "5")["entries"]
    assert ("ana", "AdminService/CreateToken", "OK") in {
        (entry["author"], entry["method"], entry["outcome"]) for entry in entries
    }
    assert "starts nothing more" in person("drain")
    assert person.json("status")["draining"]
    assert "goes on" in person("drain", "--go-on")
    assert not person.json("status")["draining"]


def test_without_a_server_only_a_store_can_be_asked(
    person: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same commands then work on this machine's own; there is nothing to drain."""
    monkeypatch.delenv("ARENA_SERVER")
    person("author", "add", "zoe")
    assert [author["name"] for author in person.json("author", "list")["authors"]] == ["zoe"]
    person("drain", code=2)
    assert "no server is named" in person.err
    assert "ARENA_SERVER" not in os.environ
