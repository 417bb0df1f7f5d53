"""What this machine has, and what is missing, for an operator to read."""

from __future__ import annotations

import enum
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import arenabot
from arena.app.bots.samples import GOOD, sample_bot
from arena.app.home import open_store
from arena.match.replay import ENGINE
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.instance import Instance
from arena.sandbox.protections import Protection, protections
from arena.sandbox.protections import State as Held
from arena.sandbox.reap import reap
from arena.store import Store, StoreError
from arena.submissions.base import find_base
from arena.submissions.engine import ImageEngine
from arena.submissions.errors import ImageError

#: Less free memory or disk than this, in bytes, and an operator should know.
_LITTLE_MEMORY = 1 << 30
_LITTLE_DISK = 1 << 30


class Health(enum.Enum):
    """How a thing that was looked at is."""

    #: It is there and in order.
    OK = "ok"
    #: It is not there, or not as it should be; the arena works, with less.
    MISSING = "missing"
    #: It can't be known from here.
    UNKNOWN = "not testable"
    #: It is not there, and nothing works without it.
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and in one sentence how it is."""

    part: str
    name: str
    health: Health
    sentence: str


def examine() -> list[Finding]:
    """Look at everything; never raises for what is missing."""
    return [*_software(), *_machine(), *_store_and_containers()]


def _software() -> Iterator[Finding]:
    yield _ok("software", "arena", f"{version('claim-arena')}, rules engine {ENGINE}")
    yield _ok("software", "arenabot", arenabot.__version__)
    yield _ok("software", "Python", f"{platform.python_version()} at {sys.executable}")
    lacking = [name for name in GOOD if sample_bot(name) is None]
    if lacking:
        said = f"not there: {', '.join(lacking)}; install claim-arena again"
        yield Finding("software", "sample bots", Health.MISSING, said)
    else:
        yield _ok("software", "sample bots", ", ".join(GOOD))


def _machine() -> Iterator[Finding]:
    usable, there = len(os.sched_getaffinity(0)), os.cpu_count()
    yield _ok("machine", "cores", f"{usable} of {there} may be used: as many match workers")
    free, total = _memory()
    health = Health.OK if free >= _LITTLE_MEMORY else Health.MISSING
    said = f"{_gib(free)} of {_gib(total)} free; a bot may use 256 MiB"
    yield Finding("machine", "memory", health, said)
    yield _ok("machine", "system", f"{platform.system()} {platform.release()}")


def _store_and_containers() -> Iterator[Finding]:
    try:
        store = open_store()
    except StoreError as error:
        yield Finding("store", "store", Health.BROKEN, str(error))
        return
    with closing(store):
        yield _ok("store", "folder", str(store.folder))
        yield _ok("store", "id", store.id)
        yield _ok("store", "database", store.database)
        free = shutil.disk_usage(store.folder).free
        health = Health.OK if free >= _LITTLE_DISK else Health.MISSING
        yield Finding("store", "disk", health, f"{_gib(free)} free where the store lies")
        yield from _left_behind(store)
        image, found = _base_image()
        yield found
        yield from _protections(store, image)


def _left_behind(store: Store) -> Iterator[Finding]:
    """Clean up after killed runs, as every run does when it begins."""
    try:
        reaped = reap(store.id, store.run_folder)
    except SandboxFailed as error:
        yield Finding("store", "killed runs", Health.UNKNOWN, error.detail)
        return
    said = "nothing was left behind by killed runs"
    if reaped.runs or reaped.containers or reaped.mounts:
        said = (
            f"cleaned up now what killed runs had left: {reaped.runs} of them, "
            f"{reaped.containers} containers, {reaped.mounts} mounts"
        )
    yield _ok("store", "killed runs", said)


def _base_image() -> tuple[str | None, Finding]:
    """Its id, if there is one that can be used, and how it is."""
    try:
        with ImageEngine() as engine:
            base = find_base(engine)
    except ImageError as error:
        return None, Finding("containers", "base image", Health.UNKNOWN, str(error))
    if base is None:
        said = "not there: arena image build makes it, and so does the first run in containers"
        return None, Finding("containers", "base image", Health.MISSING, said)
    if not base.current:
        said = f"{base.name} holds another arenabot; the next run in containers makes it again"
        return base.id, Finding("containers", "base image", Health.MISSING, said)
    added = f", with {', '.join(base.packages)}" if base.packages else ""
    said = f"{base.name}, Python {base.python}{added}"
    return base.id, _ok("containers", "base image", said)


def _protections(store: Store, image: str | None) -> Iterator[Finding]:
    try:
        with Instance.create(store.run_folder, store.id) as member:
            sandbox = DockerSandbox(member)
            try:
                found = protections(sandbox, image)
            finally:
                sandbox.engine.close()
    except SandboxFailed as error:
        found = [Protection("engine", Held.MISSING, error.detail)]
    healths = {
        Held.PRESENT: Health.OK,
        Held.MISSING: Health.MISSING,
        Held.NOT_TESTABLE: Health.UNKNOWN,
    }
    for protection in found:
        yield Finding("containers", protection.name, healths[protection.state], protection.sentence)


def _ok(part: str, name: str, sentence: str) -> Finding:
    return Finding(part, name, Health.OK, sentence)


def _memory() -> tuple[int, int]:
    """Free and total bytes of memory, as the kernel says."""
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    kib = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return kib["MemAvailable"] * 1024, kib["MemTotal"] * 1024


def _gib(size: int) -> str:
    return f"{size / 1024**3:.1f} GiB"
