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


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    """Instead of getting half of the other bot's calls."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run(
            program(tmp_path, "    def turn(self, observation): return None"), "--address", address
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"arenabot: cannot listen on {address}: is it taken, or no address? "
        "--address chooses another"
    )
    assert "Traceback" not in done.stderr


def test_a_bot_without_a_turn_is_told_in_one_line(tmp_path: Path) -> None:
    """Before anything listens."""
    done = run(program(tmp_path, "    pass"))
    assert (done.returncode, done.stderr) == (
        2,
        "arenabot: MyBot cannot be served before it has: turn\n",
    )
