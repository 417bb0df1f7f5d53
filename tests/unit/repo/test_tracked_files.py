"""What the repository must not say: where it was made, and where packages come from."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Hosts that may be named: reserved for examples, this machine, or identifiers that nobody dials.
HARMLESS_HOST = re.compile(
    r"(.+\.)?example(\.com|\.net|\.org)?|.+\.(test|invalid|localhost)|www\.w3\.org|[\d.]+"
)
URL_HOST = re.compile(r"\b[a-z][a-z+]*://(?:[^\s/@\"'`]*@)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)")
BARE_HOST = re.compile(  # without a scheme, a name like self.io is Python more often than a host
    r"(?<![\w./@-])((?:[a-z0-9-]+\.)+(?:com|net|org)|(?:[a-z0-9-]+\.){2,}io)(?![\w(-])"
)
# A checkout, the home folder of whoever worked on it: paths that exist on one machine only.
MACHINE_PATH = re.compile(
    r"(?<![\w.~$})-])/(?:work|root|Users)(?:/[\w.-]+)+|(?<!\w)\.\./(?:shared|\.library)\b"
)


def tracked_texts() -> Iterator[tuple[str, str]]:
    """Each file that is tracked, or would be by `git add`, with its text."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            yield name, path.read_text(errors="ignore")


def hosts_in(text: str) -> set[str]:
    named = set(URL_HOST.findall(text)) | set(BARE_HOST.findall(text))
    return {host for host in named if not HARMLESS_HOST.fullmatch(host)}


def test_no_tracked_file_names_a_host() -> None:
    found = {name: hosts for name, text in tracked_texts() if (hosts := hosts_in(text))}
    assert found == {}


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    found = {name: paths for name, text in tracked_texts() if (paths := MACHINE_PATH.findall(text))}
    assert found == {}


@pytest.mark.parametrize("domain", [".some.org", ".where.io"])
@pytest.mark.parametrize(
    "text",
    [
        "index-url = https://packages{}/simple",
        "url=http://user:word@mirror{}:8080/x",
        "from registry{}/python",
    ],
)
def test_a_host_is_noticed(text: str, domain: str) -> None:
    assert hosts_in(text.format(domain))


@pytest.mark.parametrize("path", ["/{}/main", "/{}/.cache/x", "file:///{}/me"])
@pytest.mark.parametrize("top", ["work", "root", "Users"])
def test_a_machine_path_is_noticed(path: str, top: str) -> None:
    assert MACHINE_PATH.findall(f'data = "{path.format(top)}"')


@pytest.mark.parametrize(
    "text", ["https://arena.example/x", "http://127.0.0.1:80", "self.io", "~/.cache", "unix:///run"]
)
def test_what_is_no_address_of_anybody_passes(text: str) -> None:
    assert not hosts_in(text)
    assert not MACHINE_PATH.findall(text)
