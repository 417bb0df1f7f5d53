"""Which server is meant, and who one is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.app.errors import ArenaError, WrongCall
from arena.client import finding, profiles
from arena.client.finding import chosen, split
from arena.client.profiles import Profile

LAB = Profile("lab.example.org:7000", "arena_lab")
HERE = Profile("127.0.0.1:7433")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of one's own, and no server named."""
    for name in ("ARENA_SERVER", "ARENA_PROFILE", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_nobody_names_a_server() -> None:
    """Then the store on this machine is meant, also if profiles are kept."""
    profiles.save("lab", LAB)
    assert chosen() is None


def test_an_option_goes_before_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """And an address before a profile; two options that name one are a wrong call."""
    profiles.save("lab", LAB)
    monkeypatch.setenv("ARENA_PROFILE", "lab")
    found = chosen()
    assert found is not None
    assert (found.address, found.token, found.tls) == ("lab.example.org:7000", "arena_lab", True)
    monkeypatch.setenv("ARENA_SERVER", "other.example.org")
    for server, profile, address in (
        (None, None, "other.example.org:7433"),
        (None, "lab", "lab.example.org:7000"),
        ("third:1", None, "third:1"),
    ):
        found = chosen(server, profile)
        assert found is not None
        assert found.address == address
    with pytest.raises(WrongCall, match="give one of them"):
        chosen("third:1", "lab")


def test_an_address_that_is_kept_brings_its_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless ARENA_TOKEN says another one; an address that nobody knows has none."""
    profiles.save("lab", LAB)
    for address, token in (("lab.example.org:7000", "arena_lab"), ("lab.example.org", None)):
        found = chosen(address)
        assert found is not None
        assert found.token == token
    monkeypatch.setenv("ARENA_TOKEN", "arena_mine")
    found = chosen("lab.example.org:7000")
    assert found is not None
    assert found.token == "arena_mine"  # noqa: S105
    monkeypatch.setenv("ARENA_TOKEN", "no\ntoken")
    with pytest.raises(WrongCall, match="printable"):
        chosen("lab.example.org:7000")


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost:1", "[::1]:7433"])
def test_a_server_on_this_machine_needs_no_tls_and_knows_its_owner(
    home: Path, address: str
) -> None:
    """Its token lies in the store's folder; another machine's never gets that."""
    home.mkdir()
    (home / "token").write_text("arena_local\n")
    found = chosen(address)
    assert found is not None
    assert (found.tls, found.token) == (False, "arena_local")
    away = chosen("arena.example.org")
    assert away is not None
    assert (away.tls, away.token) == (True, None)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("arena.example.org", ("arena.example.org", 7433)),
        ("10.0.0.1:80", ("10.0.0.1", 80)),
        ("[::1]:80", ("::1", 80)),
        ("[::1]", ("::1", 7433)),
        ("::1", ("::1", 7433)),
    ],
)
def test_an_address_may_have_a_port(address: str, place: tuple[str, int]) -> None:
    """Else it is the one that servers have."""
    assert split(address) == place


@pytest.mark.parametrize(
    "address", ["", ":80", "host:", "host:x", "host:0", "host:70000", "http://host", "a b", "a\n"]
)
def test_what_is_no_address(address: str) -> None:
    """Is a wrong call that says how to write one."""
    with pytest.raises(WrongCall, match="HOST:PORT"):
        split(address)


def test_profiles_are_kept_for_their_owner_alone() -> None:
    """As they were, whatever letters they have; a forgotten one is gone."""
    odd = Profile("host:1", 'a"b\\c\x7f', "/tmp/\u00e4 \U0001f0a1.pem")
    profiles.save("my lab.1", odd)
    profiles.save("lab", LAB)
    assert profiles.load() == {"my lab.1": odd, "lab": LAB}
    assert profiles.path().stat().st_mode & 0o077 == 0
    profiles.forget("my lab.1")
    assert profiles.load() == {"lab": LAB}
    with pytest.raises(ArenaError, match="there are: lab"):
        profiles.find("my lab.1")


@pytest.mark.parametrize(
    "text", ["[lab", "lab = 1", "[lab]\ntoken = 'x'", "[lab]\naddress = 1", "[lab]\nadress = 'x'"]
)
def test_a_file_of_profiles_that_makes_no_sense_is_one_line(text: str) -> None:
    """With the file's name, so that somebody can mend it."""
    profiles.path().parent.mkdir(parents=True)
    profiles.path().write_text(text)
    with pytest.raises(ArenaError, match=r"profiles\.toml"):
        profiles.load()


def test_a_server_may_be_vouched_for_by_certificates_of_its_own(tmp_path: Path) -> None:
    """Then also one on this machine is spoken to with TLS; a file that isn't there is named."""
    file = tmp_path / "ca.pem"
    with pytest.raises(ArenaError, match=r"ca\.pem cannot be read"):
        finding.of_profile(Profile("127.0.0.1", "", str(file)))
    file.write_bytes(b"certificates")
    found = finding.of_profile(Profile("127.0.0.1", "", str(file)))
    assert (found.tls, found.certificates) == (True, b"certificates")
