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


def declared() -> Iterator[Requirement]:
    arena = tomllib.loads((ROOT / "pyproject.toml").read_text())
    sdk = tomllib.loads((ROOT / "sdk/pyproject.toml").read_text())
    for line in (
        *arena["project"]["dependencies"],
        *arena["dependency-groups"]["dev"],
        *sdk["project"]["dependencies"],
    ):
        yield Requirement(line)


def pins(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pin in PINNED.finditer((ROOT / "requirements" / name).read_text()):
        found.setdefault(canonicalize_name(pin["name"]), set()).add(pin["version"])
    return found


def test_every_declared_dependency_is_pinned_to_a_version_that_it_allows() -> None:
    pinned = pins("dev.txt")
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


@pytest.mark.parametrize("name", ["dev.txt", "proto.txt"])
def test_every_pin_has_a_hash_and_none_an_address(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text()
    blocks = re.split(r"(?m)^(?=\S)", text)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text


def test_the_build_backend_is_pinned_alike_for_both_projects() -> None:
    backends = {
        tuple(tomllib.loads((ROOT / path).read_text())["build-system"]["requires"])
        for path in ("pyproject.toml", "sdk/pyproject.toml")
    }
    (only,) = backends
    (backend,) = only
    (pinned,) = pins("dev.txt")["hatchling"]
    assert Requirement(backend).specifier.contains(pinned)
