"""Both sandboxes as one fixture, a tiny bot for them, and a look at what is left afterwards."""

import asyncio
import contextlib
import io
import json
import os
import sys
import tarfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import pytest

from arena.sandbox import Ending, Launch, Limits, RunningBot, RunReport
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import LABEL_PREFIX, Instance
from arena.sandbox.process import ProcessSandbox

BOT = Path(__file__).with_name("bot.py")


@dataclass
class Place:
    """One sandbox with what tests need to start bots in it."""

    kind: str
    sandbox: DockerSandbox | ProcessSandbox
    instance: Instance
    artifact: str
    uids: Path

    def launch(self, *arguments: str, **others: Any) -> Launch:
        """A launch of the test bot."""
        python = "python3" if self.kind == "docker" else sys.executable
        return Launch("m1/seat 0", self.artifact, (python, "-u", "bot.py", *arguments), **others)

    async def start(self, *arguments: str, limits: Limits | None = None) -> RunningBot:
        """Start the test bot with time enough for a busy machine."""
        launch = self.launch(*arguments, limits=limits or Limits())
        return await self.sandbox.start(launch, timeout=20)

    async def ask(self, bot: RunningBot, *words: str) -> Any:
        """Send the bot an order over its address; returns its answer, None if it dies of it."""
        reader, writer = await asyncio.open_unix_connection(
            bot.address.removeprefix("unix:"), limit=1 << 20
        )
        try:
            writer.write((" ".join(words) + "\n").encode())
            async with asyncio.timeout(30):
                line = await reader.readline()
            return json.loads(line) if line else None
        finally:
            writer.close()

    async def until_ended(self, bot: RunningBot) -> RunReport:
        """Wait for the bot's own end."""
        async with asyncio.timeout(20):
            while True:
                report = await bot.report()
                if report.ending is not Ending.RUNNING:
                    return report
                await asyncio.sleep(0.02)

    def processes_with(self, argument: str) -> list[str]:
        """The processes of this machine that were started with such an argument."""
        wanted = argument.encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if wanted in (entry / "cmdline").read_bytes().split(b"\0"):
                    found.append(entry.name)
        return found

    def traces(self) -> list[str]:
        """What bots of this instance have left on this machine; empty after they were stopped."""
        found = [f"mount {place}" for place in mounts_below(self.instance.path)]
        found += [f"folder {path}" for path in self.instance.folder.glob("[0-9]*")]
        found += [f"uid {path.name}" for path in self.uids.glob("*") if path.stat().st_size]
        if isinstance(self.sandbox, DockerSandbox):
            mine = {LABEL_PREFIX + "instance": self.instance.id}
            found += [f"container {entry.name}" for entry in self.sandbox.engine.find(mine)]
        return found


@pytest.fixture(scope="session")
def bot_image(engine: docker.APIClient, base_image: str) -> Iterator[str]:
    """An image of the base image and the test bot, made without running anything."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(BOT, arcname="bot/bot.py")
    name = f"claim-arena-test-sandbox-{uuid.uuid4().hex[:12]}"
    container = engine.create_container(base_image, ["true"], working_dir="/bot")["Id"]
    engine.put_archive(container, "/", archive.getvalue())
    engine.commit(container, name)
    engine.remove_container(container)
    yield name
    engine.remove_image(name)


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "process"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which sandbox."""
    return str(request.param)


@pytest.fixture
async def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """A sandbox; when the test is over nothing of its bots may be left, and no descriptor."""
    image = request.getfixturevalue("bot_image") if kind == "docker" else ""
    before = open_descriptors()
    async with a_place(kind, tmp_path, image) as made:
        yield made
        await made.sandbox.close()
        assert made.traces() == []
        await made.sandbox.close()
    assert open_descriptors() == before
    assert list((tmp_path / "run").iterdir()) == []


@asynccontextmanager
async def a_place(
    kind: str, folder: Path, image: str, host: str | None = None
) -> AsyncIterator[Place]:
    """A sandbox of this kind whose runtime folder lies in `folder`."""
    uids = folder / "uids"
    with Instance.create(folder / "run", "test-store") as instance:
        sandbox = (
            DockerSandbox(instance, host=host, uids=uids)
            if kind == "docker"
            else ProcessSandbox(instance)
        )
        artifact = image or str(BOT.parent)
        try:
            yield Place(kind, sandbox, instance, artifact, uids)
        finally:
            await sandbox.close()


def open_descriptors() -> int:
    """How many files, sockets and the like this process has open."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208
