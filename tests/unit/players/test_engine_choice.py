"""gRPC looks once, at its import, at how it is to work; this room sees to it before."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arenabot.transport import POLLING, VARIABLE

WATCH = """
import os, sys
sys.addaudithook(lambda event, args: event == "import" and args[0] == "grpc"
                 and print(os.environ.get("GRPC_EXPERIMENTS")))
"""


def fresh(code: str) -> subprocess.CompletedProcess[str]:
    """What an interpreter prints for which nobody has chosen."""
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment)


@pytest.mark.parametrize("module", ["arena.players.remote", "arena.tournament.worker"])
def test_grpc_is_imported_after_the_choice(module: str) -> None:
    """Whoever plays through gRPC imports this room first."""
    assert fresh(f"{WATCH}\nimport {module}").stdout == f"{POLLING}\n"


def test_grpc_knows_the_engines_by_these_names() -> None:
    """It would say so on standard error if it didn't, in every bot's log."""
    assert not fresh("import arena.players.remote, grpc; grpc.aio.init_grpc_aio()").stderr
