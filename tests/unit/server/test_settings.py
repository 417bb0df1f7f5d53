"""What an operator decides about a server."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from annotated_types import Le

from arena.app.errors import ArenaError, WrongCall
from arena.match.setup import Timers
from arena.players import remote
from arena.server.settings import PREFIX, Settings, load, misspelt, table

PAGE = Path(__file__).parents[3] / "docs" / "10-server.md"


@pytest.fixture(autouse=True)
def _nobody_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have settings of their own."""
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


def wrong(home: Path, config: Path | None = None) -> str:
    """Which line says what is wrong."""
    with pytest.raises(WrongCall) as caught:
        load(config, home)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_without_a_word_everything_is_the_default(tmp_path: Path) -> None:
    """On this machine's own address alone."""
    assert load(None, tmp_path) == Settings()
    assert Settings().address == Settings().web_address == "127.0.0.1"


def test_a_file_is_found_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the store's folder, where a variable says, or where the call says: the latter first."""
    for number, name in enumerate(["arena.toml", "other.toml", "third.toml"]):
        (tmp_path / name).write_text(f"port = {number + 1}\n")
    assert load(None, tmp_path).port == 1
    monkeypatch.setenv("ARENA_CONFIG", str(tmp_path / "other.toml"))
    assert load(None, tmp_path).port == 2
    assert load(tmp_path / "third.toml", tmp_path).port == 3


def test_a_variable_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one says nothing."""
    (tmp_path / "arena.toml").write_text("port = 1\nworkers = 3\n")
    monkeypatch.setenv("ARENA_PORT", "2")
    monkeypatch.setenv("ARENA_WORKERS", "")
    assert (load(None, tmp_path).port, load(None, tmp_path).workers) == (2, 3)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it says."""
    monkeypatch.setenv("ARENA_PORT", "many")
    assert wrong(tmp_path).startswith("ARENA_PORT is 'many': ")


@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if re.search("days|message|meta|connec", name)]
)
def test_a_number_that_nothing_could_reckon_with_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is made of it: a date, or an option of gRPC's."""
    monkeypatch.setenv(f"{PREFIX}{name.upper()}", "99999999999999")
    assert wrong(tmp_path).startswith(f"{PREFIX}{name.upper()} is '99999999999999': ")


def test_a_wrong_key_is_named_with_its_file(tmp_path: Path) -> None:
    """A key that doesn't exist as well as a value that can't be."""
    file = tmp_path / "arena.toml"
    file.write_text("prot = 1\n")
    assert wrong(tmp_path).startswith(f"{file}: there is no setting 'prot'")
    file.write_text("port = 99999\n")
    assert wrong(tmp_path).startswith(f"{file}: port is 99999: ")


def test_a_misspelt_variable_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none that is right, or another program's."""
    for name in ("PORT", "HOME", "DATABASE", "TOKEN", "SERVER", "PROFILE", "PYTHON_IMAGE"):
        monkeypatch.setenv(f"ARENA_{name}", "1")
    assert misspelt() == []
    monkeypatch.setenv("ARENA_TLS_CERTIFICAT", "/c.pem")
    assert misspelt() == ["ARENA_TLS_CERTIFICAT is no setting: did you mean ARENA_TLS_CERTIFICATE?"]


def test_a_file_that_is_no_toml_or_not_there_is_told(tmp_path: Path) -> None:
    """One that was named must be there."""
    (tmp_path / "arena.toml").write_text("port: 1\n")
    assert "no TOML" in wrong(tmp_path)
    with pytest.raises(ArenaError, match="No such file"):
        load(tmp_path / "none.toml", tmp_path)


@pytest.mark.parametrize("address", ["0.0.0.0", "192.0.2.7", "::"])  # noqa: S104
def test_other_machines_are_not_served_in_the_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Not by one word, nor by a word about another address; by two words that say the same."""
    for which in ("ARENA_ADDRESS", "ARENA_WEB_ADDRESS"):
        monkeypatch.setenv(which, address)
        assert f"other machines reach {address}" in wrong(tmp_path)
        monkeypatch.setenv("ARENA_INSECURE", "true")
        assert "other machines" in wrong(tmp_path)
        monkeypatch.setenv("ARENA_INSECURE_ADDRESS", "192.0.2.8")
        assert "other machines" in wrong(tmp_path)
        monkeypatch.setenv("ARENA_INSECURE_ADDRESS", address)
        load(None, tmp_path)
        monkeypatch.delenv("ARENA_INSECURE")
        assert "other machines" in wrong(tmp_path)
        for name in (which, "ARENA_INSECURE_ADDRESS"):
            monkeypatch.delenv(name)


def test_with_tls_other_machines_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certificate and key go together, and are there."""
    monkeypatch.setenv("ARENA_ADDRESS", "192.0.2.7")
    monkeypatch.setenv("ARENA_TLS_KEY", str(tmp_path / "k.pem"))
    assert "belong together" in wrong(tmp_path)
    monkeypatch.setenv("ARENA_TLS_CERTIFICATE", str(tmp_path / "c.pem"))
    assert "c.pem cannot be read" in wrong(tmp_path)
    for name in ("k.pem", "c.pem"):
        (tmp_path / name).touch()
    assert load(None, tmp_path).tls


@pytest.mark.parametrize("address", ["localhost", "", "arena.example"])
def test_an_address_is_an_ip_address(tmp_path: Path, address: str) -> None:
    """A name could mean several, and other ones tomorrow."""
    (tmp_path / "arena.toml").write_text(f'address = "{address}"\n')
    assert "no IP address" in wrong(tmp_path)


def test_the_page_has_every_setting() -> None:
    """With its variable, its default and its meaning, and none that isn't there."""
    assert table() in PAGE.read_text()
    assert len(re.findall(r"^\| `\w+` \| `ARENA_", table(), re.MULTILINE)) == len(
        Settings.model_fields
    )


def test_what_is_read_elsewhere_is_on_the_page_too() -> None:
    """The variables that every command reads, a server among them."""
    page = PAGE.read_text()
    for name in ("HOME", "DATABASE", "PYTHON_IMAGE", "CONTAINER_RUNTIME", "CONFIG"):
        assert f"`{PREFIX}{name}`" in page


def test_every_setting_has_its_meaning() -> None:
    """None stands on the page without a word."""
    assert all(field.description for field in Settings.model_fields.values())


def test_no_person_may_take_longer_than_a_bot_is_listened_to() -> None:
    """At the smallest table: else a match would be called a failure of ours."""
    (longest,) = (
        bound.le
        for bound in Settings.model_fields["people_minutes"].metadata
        if isinstance(bound, Le)
    )
    assert isinstance(longest, int)
    budget, seats = Timers().budget, 2
    listened = remote._TIMES * seats * budget + remote._MARGIN
    assert 60 * longest + (seats - 1) * budget < listened
