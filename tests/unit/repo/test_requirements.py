"""The pinned requirements fit what the projects declare."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
PINNED = re.compile(r"(?m)^(?P<name>[\w.-]+)==(?P<version>[^ ]+)")
OURS = "arenabot"
DEV = "requirements/dev.txt"
BOTS = "arena/submissions/data/python.txt"


def declared() -> Iterator[Requirement]:
    arena = tomllib.loads((ROOT / "pyproject.toml").read_text())
    sdk = tomllib.loads((ROOT / "sdk/pyproject.toml").read_text())
    for line in (
        *arena["project"]["dependencies"],
        *arena["dependency-groups"]["dev"],
        *sdk["project"]["dependencies"],
    ):
        yield Requirement(line)


def pins(path: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pin in PINNED.finditer((ROOT / path).read_text()):
        found.setdefault(canonicalize_name(pin["name"]), set()).add(pin["version"])
    return found


def test_every_declared_dependency_is_pinned_to_a_version_that_it_allows() -> None:
    pinned = pins(DEV)
    unmet = [
        str(requirement)
        for requirement in declared()
        if requirement.name != OURS
        and not any(
            requirement.specifier.contains(version)
            for version in pinned.get(canonicalize_name(requirement.name), ())
        )
    ]
    assert not unmet, "run `make requirements`"


@pytest.mark.parametrize(
    "path",
    [
        DEV,
        BOTS,
        "requirements/proto.txt",
        "requirements/peer-open_spiel.txt",
        "requirements/peer-rlcard.txt",
    ],
)
def test_every_pin_has_a_hash_and_none_an_address(path: str) -> None:
    text = (ROOT / path).read_text()
    blocks = re.split(r"(?m)^(?=[\w])", text)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text


def test_bots_run_on_the_versions_that_the_arena_is_tested_with() -> None:
    dev = pins(DEV)
    assert {name: dev.get(name) for name in pins(BOTS)} == pins(BOTS)


def test_the_build_backend_is_pinned_alike_for_both_projects() -> None:
    backends = {
        tuple(tomllib.loads((ROOT / path).read_text())["build-system"]["requires"])
        for path in ("pyproject.toml", "sdk/pyproject.toml")
    }
    (only,) = backends
    (backend,) = only
    (pinned,) = pins(DEV)["hatchling"]
    assert Requirement(backend).specifier.contains(pinned)
