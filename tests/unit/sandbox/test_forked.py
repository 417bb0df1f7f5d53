"""How a match's process is begun in a container that may have gone."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.sandbox import Launch
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.errors import ZygoteGone
from arena.sandbox.forked import ForkedBot
from arena.sandbox.leases import Lease
from arena.sandbox.zygote import Match

LAUNCH = Launch("label", "image", ("python3", "bot.py"), zygote=("zygote",))


@dataclass
class FakeZygote:
    """A container that has played before, and may have gone since."""

    gone: bool
    begun: list[int] = field(default_factory=list)
    played: tuple[str, ...] = ("before",)
    memory: None = None

    def begin(self, uid: int, writing: int, once: str) -> Match:
        """Begin a match, or get no answer."""
        del writing, once
        self.begun.append(uid)
        if self.gone:
            raise ZygoteGone("went away")
        return Match(os.open("/dev/null", os.O_RDONLY), Path("/nowhere"), "")

    def meter(self) -> None:
        """Nothing is measured."""

    def end(self) -> None:
        """It did not end by itself."""


class FakeSandbox:
    """Hands out containers in turn, and keeps what can't be removed yet."""

    def __init__(self, folder: Path, zygotes: list[FakeZygote]) -> None:
        self.uids = folder
        self.instance = SimpleNamespace(folder=folder)
        self.discarded: list[tuple[FakeZygote, Lease]] = []
        self.zygotes = SimpleNamespace(take=lambda _: zygotes.pop(0), give_back=lambda _: None)

    def discard(self, zygote: FakeZygote, lease: Lease) -> None:
        """The engine doesn't answer, so the container is there still."""
        self.discarded.append((zygote, lease))

    def forget(self, _: object) -> None:
        """Nothing was remembered."""


def test_a_user_id_stays_with_the_container_that_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next container's match has another: the first one's may live on until it is removed."""
    monkeypatch.setattr(os, "fchown", lambda *_: None)  # only root may
    lost, there = FakeZygote(gone=True), FakeZygote(gone=False)
    sandbox = FakeSandbox(tmp_path / "uids", [lost, there])
    bot = ForkedBot(cast("DockerSandbox", cast("Any", sandbox)), LAUNCH)

    async def play() -> None:
        await bot.launch()
        await bot.stop()

    asyncio.run(play())
    ((zygote, lease),) = sandbox.discarded
    assert zygote is lost
    assert lost.begun == [lease.number]
    assert there.begun != lost.begun
    held = [path.name for path in sandbox.uids.glob("[0-9]*") if path.stat().st_size]
    assert held == [str(lease.number)]
    lease.release()
