"""Fetches what a Python base image holds, outside of any container, for the image's own Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from arena.submissions.errors import ImageError, one_line, shown

OLDEST_PYTHON = (3, 11)
_SECONDS = 600
_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?([=<>!~]=?[^;@\s]+)?")


@dataclass(frozen=True, slots=True)
class Python:
    """The Python of an image, as wheels are chosen for it."""

    version: str
    """Such as "3.12.7"."""
    machine: str
    """Such as "x86_64"."""
    libc: str
    """Such as "glibc 2.36", or "musl"."""

    @property
    def platform(self) -> str:
        """uv's name for it. Raises ImageError if there are no wheels for such a machine."""
        machine = _MACHINES.get(self.machine.lower())
        if machine is None:
            raise ImageError(
                f"the image is made for {shown(self.machine)}; use one for x86_64 or aarch64"
            )
        if not self.libc.startswith("glibc"):
            return f"{machine}-unknown-linux-musl"
        numbers = re.findall(r"\d+", self.libc)
        return f"{machine}-manylinux_2_{28 if int(numbers[1]) >= 28 else 17}"


def requirements() -> str:
    """The pinned and hashed packages that every Python base image holds."""
    place = resources.files("arena.submissions").joinpath("data", "python.txt")
    return place.read_text(encoding="utf-8")


def check_packages(packages: Sequence[str]) -> None:
    """Refuse what is no plain package with an optional version. Raises ImageError."""
    for package in packages:
        if not _PACKAGE.fullmatch(package):
            raise ImageError(
                f"{shown(package)} is no package; write a name, or a name and a version such as"
                ' "scipy==1.17.1"'
            )


def fetch(python: Python, packages: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Install the base's packages and `packages` into `folder`, from wheels only.

    Gives what was installed, as `name==version`. Nothing of a package is run. What was fetched
    before comes from uv's cache, without a network.

    Raises ImageError.
    """
    check_packages(packages)
    if tuple(int(part) for part in python.version.split(".")[:2]) < OLDEST_PYTHON:
        raise ImageError(
            f"the image has Python {python.version}; use one with "
            f"{'.'.join(map(str, OLDEST_PYTHON))} or newer"
        )
    site = folder / "site"
    pins = folder / "python.txt"
    pins.write_text(requirements(), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-progress"),
        *("--python", sys.executable, "--target", str(site), "--only-binary", ":all:"),
        *("--python-version", ".".join(python.version.split(".")[:2])),
        *("--python-platform", python.platform, "--link-mode", "copy"),
        *("--requirements", str(pins), *([] if packages else ["--require-hashes"])),
    ]
    # The cache alone first: a second build then works, and is quick, on a machine without network.
    done = _uv([*command, "--offline", "--", *packages])
    if done.returncode:
        done = _uv([*command, "--", *packages])
    if done.returncode:
        raise ImageError(
            f"can't fetch the base image's packages: {_reason(done.stderr)}; connect to a package"
            " index, or set UV_FIND_LINKS to a folder of wheels"
        )
    return _installed(site)


def _uv(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {"UV_SYSTEM_CERTS": "1", **os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    try:
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ImageError(
            f"fetching the base image's packages took longer than {_SECONDS} s; try again"
        ) from None


def _reason(output: str) -> str:
    """What uv said, without its hints."""
    return one_line(output.split("hint:", maxsplit=1)[0].strip().rstrip(".")) or "uv gave no reason"


def _installed(site: Path) -> tuple[str, ...]:
    names = (path.name.removesuffix(".dist-info") for path in site.glob("*.dist-info"))
    return tuple(sorted("==".join(name.rsplit("-", 1)) for name in names))
