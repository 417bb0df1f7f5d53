"""Programs in processes of their own for the benches: started, found, ended."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

#: Decides in no time, always the same: what is left is everybody else's.
BOT = """
from arenabot import ClaimsBot, serve

class Bench(ClaimsBot):
    def turn(self, observation):
        return observation.legal_actions()[-1]

serve(Bench)
"""

#: Answers a message with as many of its bytes as its first byte says, on gRPC alone.
ECHO = """
import asyncio, os, grpc

async def echo(messages, context):
    async for message in messages:
        yield message[: message[0]]

async def main():
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("Echo", {"Play": handler}),)
    )
    server.add_insecure_port(os.environ["ARENABOT_ADDRESS"])
    await server.start()
    await server.wait_for_termination()

asyncio.run(main())
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A program that listens."""

    address: str
    pid: int


@contextmanager
def listening(
    programs: Sequence[str], environment: dict[str, str] | None = None
) -> Iterator[list[Server]]:
    """Run each program text as a server of its own on a socket of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        processes: list[subprocess.Popen[bytes]] = []
        sockets = [Path(folder) / f"{number}.sock" for number in range(len(programs))]
        try:
            for program, socket in zip(programs, sockets, strict=True):
                told = {**os.environ, **(environment or {}), "ARENABOT_ADDRESS": f"unix:{socket}"}
                command = [sys.executable, "-c", program]
                processes.append(subprocess.Popen(command, env=told, stderr=subprocess.DEVNULL))
            for process, socket in zip(processes, sockets, strict=True):
                while not socket.exists():
                    if process.poll() is not None:
                        raise RuntimeError(f"a bench's server ended with {process.returncode}")
                    time.sleep(0.01)
            yield [
                Server(f"unix:{socket}", process.pid)
                for process, socket in zip(processes, sockets, strict=True)
            ]
        finally:
            for process in processes:
                process.kill()
                process.wait()


def cpu_seconds(servers: Sequence[Server]) -> float:
    """What servers have used so far, all their threads together."""
    return sum(
        int((task / "schedstat").read_text().split()[0]) / 1e9
        for server in servers
        for task in Path(f"/proc/{server.pid}/task").iterdir()
    )
