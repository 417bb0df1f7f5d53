"""All sandboxes as one fixture, a tiny bot for them, and a look at what is left afterwards."""

import asyncio
import contextlib
import io
import json
import os
import subprocess
import sys
import tarfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import pytest

from arena.sandbox import Ending, Launch, Limits, RunningBot, RunReport, settled
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.folders import mounts_below
from arena.sandbox.instance import LABEL_PREFIX, Instance
from arena.sandbox.process import ProcessSandbox
from arena.submissions.base import our_code
from arena.submissions.bot import ZYGOTE
from arena.submissions.manifest import Runtime

BOT = Path(__file__).with_name("bot.py")
TRACES = Path(__file__).with_name("traces.py")
HOLDER = Path(__file__).with_name("holder.py")
PACKAGES = "usr/lib/python3/dist-packages"
"""Where the base image's Python finds installed packages."""
CONTAINED = [pytest.param(kind, marks=pytest.mark.docker) for kind in ("docker", "zygote")]
"""A container with the bot in it, and one with a first process of ours that forks the bot."""


class Held:
    """An arena in a process of its own, that can be killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.path = Path(self.says()["instance"])

    def says(self) -> dict[str, str]:
        """Its next line."""
        assert self.process.stdout is not None
        said: dict[str, str] = json.loads(self.process.stdout.readline())
        return said

    def end(self, number: int) -> None:
        """Send it a signal and wait for its end."""
        self.process.send_signal(number)
        self.process.wait(20)


@dataclass
class Place:
    """One sandbox with what tests need to start bots in it."""

    kind: str
    sandbox: DockerSandbox | ProcessSandbox
    instance: Instance
    artifact: str
    uids: Path

    @property
    def contained(self) -> bool:
        """Whether bots run in containers."""
        return self.kind != "process"

    def launch(self, *arguments: str, **others: Any) -> Launch:
        """A launch of the test bot."""
        python = "python3" if self.contained else sys.executable
        zygote = ZYGOTE[Runtime.PYTHON] if self.kind == "zygote" else ()
        return Launch(
            "m1/seat 0", self.artifact, (python, "bot.py", *arguments), zygote=zygote, **others
        )

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
        report = await settled(bot, within=20)
        assert report.ending is not Ending.RUNNING
        return report

    @contextmanager
    def held(
        self,
        runtime: Path,
        *,
        ready: bool = True,
        bots: int = 2,
        behaviour: str = "serve",
        **others: Any,
    ) -> Iterator[Held]:
        """Run another arena; its bots answer already, unless it need not be `ready`."""
        orders = {
            "kind": self.kind,
            "runtime": str(runtime),
            "uids": str(self.uids),
            "artifact": self.artifact,
            "command": self.launch(behaviour).command,
            "zygote": self.launch().zygote,
            "bots": bots,
            "join": None,
            "host": None,
            "user": None,
            **others,
        }
        with subprocess.Popen(
            [sys.executable, str(HOLDER), json.dumps(orders)], stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                arena = Held(process)
                if ready:
                    arena.says()
                yield arena
            finally:
                process.kill()

    def of_run(self, path: Path) -> list[str]:
        """The containers and mounts of a run."""
        found = [f"mount {place}" for place in mounts_below(path)]
        if isinstance(self.sandbox, DockerSandbox):
            its = {LABEL_PREFIX + "instance": path.name}
            found += [f"container {entry.name}" for entry in self.sandbox.engine.find(its)]
        return found

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
        found = self.of_run(self.instance.path)
        found += [f"folder {path}" for path in self.instance.folder.glob("[0-9]*")]
        found += [f"uid {path.name}" for path in self.uids.glob("*") if path.stat().st_size]
        return found


@pytest.fixture(scope="session")
def bot_image(engine: docker.APIClient, base_image: str) -> Iterator[str]:
    """An image of the base image, the test bot and arenabot, made without running anything."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(BOT, arcname="bot/bot.py")
        tar.add(TRACES, arcname="bot/traces.py")
        for file in our_code():
            member = tarfile.TarInfo(f"{PACKAGES}/{file.path}")
            member.size, member.mode = len(file.content), 0o644
            tar.addfile(member, io.BytesIO(file.content))
    name = f"claim-arena-test-sandbox-{uuid.uuid4().hex[:12]}"
    container = engine.create_container(base_image, ["true"], working_dir="/bot")["Id"]
    engine.put_archive(container, "/", archive.getvalue())
    engine.commit(container, name)
    engine.remove_container(container)
    yield name
    engine.remove_image(name)


@pytest.fixture(params=[*CONTAINED, "process"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which sandbox."""
    return str(request.param)


@pytest.fixture
async def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """A sandbox; when the test is over nothing of its bots may be left, and no descriptor."""
    image = "" if kind == "process" else request.getfixturevalue("bot_image")
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
    kind: str, folder: Path, image: str, host: str | None = None, *, keep: bool = False
) -> AsyncIterator[Place]:
    """A sandbox of this kind whose runtime folder lies in `folder`."""
    uids = folder / "uids"
    with Instance.create(folder / "run", "test-store") as instance:
        sandbox = (
            ProcessSandbox(instance)
            if kind == "process"
            else DockerSandbox(instance, host=host, uids=uids, keep=keep)
        )
        artifact = image or str(BOT.parent)
        try:
            yield Place(kind, sandbox, instance, artifact, uids)
        finally:
            await sandbox.close()


def open_descriptors() -> int:
    """How many files, sockets and the like this process has open."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208
