"""Sockets in volumes that were declared beforehand, as for an arena that runs in a container."""

from __future__ import annotations

import asyncio
import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from arena.sandbox.docker import DockerSandbox
from arena.sandbox.slots import VARIABLE, slot_leases
from tests.contract.sandbox.conftest import CONTAINED, Place

COUNT = 8
OPTIONS = {"type": "tmpfs", "device": "tmpfs", "o": "size=64k,nr_inodes=16,nosuid,nodev,noexec"}

pytestmark = [
    pytest.mark.docker,
    pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root"),
    pytest.mark.parametrize("kind", CONTAINED, indirect=True),
]


@pytest.fixture
def volumes(
    engine: docker.APIClient, base_image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Where the volumes of an arena are mounted that has them all, as its container would."""
    name = f"claim-arena-test-slot-{uuid.uuid4().hex[:8]}-"
    folder = tmp_path / "slots"
    binds: list[str] = []
    for number in range(COUNT):
        engine.create_volume(f"{name}{number}", driver="local", driver_opts=OPTIONS)
        binds.append(f"{name}{number}:/slots/{number}:rw")
    host = engine.create_host_config(binds=binds, network_mode="none")
    arena = engine.create_container(base_image, ["sleep", "600"], host_config=host)["Id"]
    engine.start(arena)
    for number in range(COUNT):
        (folder / str(number)).mkdir(parents=True)
        place = engine.inspect_volume(f"{name}{number}")["Mountpoint"]
        subprocess.run(["mount", "--bind", place, folder / str(number)], check=True)
    monkeypatch.setenv(VARIABLE, f"{name}:{folder}")
    yield folder
    for number in range(COUNT):
        subprocess.run(["umount", "--lazy", folder / str(number)], check=True)
    engine.remove_container(arena, force=True)
    for number in range(COUNT):
        engine.remove_volume(f"{name}{number}")


def taken(place: Place) -> list[str]:
    """The numbers of the volumes that bots have."""
    return [path.name for path in slot_leases(place.uids).glob("[0-9]*") if path.stat().st_size]


async def test_bots_answer_through_volumes_and_each_has_its_own(
    volumes: Path, place: Place
) -> None:
    """None sees another's, and all are given back."""
    assert isinstance(place.sandbox, DockerSandbox)
    bots = [await place.start("serve") for _ in range(3)]
    assert [await place.ask(bot, "hello") for bot in bots] == ["hello"] * 3
    assert len(taken(place)) == 3
    assert all(len(list((volumes / number).iterdir())) == 1 for number in taken(place))
    await asyncio.gather(*(bot.stop() for bot in bots))
    await place.sandbox.close()
    assert taken(place) == []


async def test_the_next_bot_finds_its_volume_empty(volumes: Path, place: Place) -> None:
    """Whatever the one before made there."""
    for _ in range(COUNT + 1):
        bot = await place.start("serve")
        assert await place.ask(bot, "hello") == "hello"
        await bot.stop()
    await place.sandbox.close()
    bot = await place.start("serve")
    assert await place.ask(bot, "hello") == "hello"
