"""What a bot's file says where it cannot be served."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path


def program(folder: Path, body: str) -> Path:
    """A bot's file with this in its class."""
    path = folder / "bot.py"
    path.write_text(
        f"from arenabot import ClaimsBot, serve\nclass MyBot(ClaimsBot):\n{body}\nserve(MyBot)\n"
    )
    return path


def run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a bot's file to its end."""
    return subprocess.run(
        [sys.executable, str(path), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        env={key: value for key, value in os.environ.items() if key != "ARENABOT_ADDRESS"},
    )


def free_address() -> str:
    """A loopback address where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def test_a_second_bot_at_an_address_is_told_so_in_one_line(tmp_path: Path) -> None:
    """Instead of getting half of the first one's calls."""
    path = program(tmp_path, "    def turn(self, observation): return None")
    address = free_address()
    command = [sys.executable, str(path), "--address", address]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as first:
        assert first.stderr is not None
        assert first.stderr.readline() == f"arenabot: playing claims at {address}\n"
        try:
            second = run(path, "--address", address)
        finally:
            first.terminate()
    assert second.returncode == 1
    assert second.stderr.splitlines()[-1] == (
        f"arenabot: cannot listen on {address}: is it taken, or no address? "
        "--address chooses another"
    )
    assert "Traceback" not in second.stderr


def test_a_bot_without_a_turn_is_told_in_one_line(tmp_path: Path) -> None:
    """Before anything listens."""
    done = run(program(tmp_path, "    pass"))
    assert (done.returncode, done.stderr) == (
        2,
        "arenabot: MyBot cannot be served before it has: turn\n",
    )
