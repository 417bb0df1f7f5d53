"""However often a command is told to end, it ends once, and with nothing but its one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")

#: A command that is stopped while it sleeps and once more while it tidies up, in both manners.
WAITING = """
import time
def command():
    try:
        print("ready", flush=True)
        time.sleep(60)
    finally:
        print("ending", flush=True)
        time.sleep(0.3)
        print("ended", flush=True)
"""
PLAYING = """
import asyncio
async def play():
    try:
        print("ready", flush=True)
        await asyncio.sleep(60)
    finally:
        print("ending", flush=True)
        await asyncio.sleep(0.3)
        print("ended", flush=True)
def command():
    signals.run(play())
"""
PROGRAM = """
import signal, sys
from arena.cli import main, signals
signals.hear()
{command}
main._run = lambda _: command()
code = main.run([])
print({tail}, flush=True)
sys.exit(code)
"""


def start(command: str, tail: str = "''") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(command=command, tail=tail)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("command", [WAITING, PLAYING], ids=["waiting", "playing"])
@pytest.mark.parametrize("first", ENDING)
@pytest.mark.parametrize("second", [None, *ENDING])
def test_the_first_signal_stops_and_the_second_breaks_nothing(
    command: str, first: str, second: str | None
) -> None:
    with start(command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(getattr(signal, first))
        assert process.stdout.readline() == "ending\n"
        if second is not None:
            process.send_signal(getattr(signal, second))
        out, err = process.communicate(timeout=30)
    assert (out.split(), err, process.returncode) == (["ended"], "arena: stopped\n", 130)


def test_a_coroutine_that_ends_by_itself_leaves_the_next_one_to_be_stopped() -> None:
    twice = PLAYING.replace(
        "def command():", "def command():\n    signals.run(asyncio.sleep(0, 1))"
    )
    with start(twice) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (out.split(), err, process.returncode) == (["ending", "ended"], "arena: stopped\n", 130)


def test_what_goes_wrong_while_a_command_is_stopped_is_not_lost() -> None:
    failing = PLAYING.replace('print("ended", flush=True)', 'raise ValueError("not closed")')
    caught = failing.replace(
        "    signals.run(play())",
        "    try:\n        signals.run(play())\n"
        "    except ValueError as error:\n        print(error, flush=True)\n        return 1",
    )
    with start(caught) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert (out.splitlines()[:2], err, process.returncode) == (["ending", "not closed"], "", 1)


@pytest.mark.parametrize("name", ENDING)
def test_what_is_to_be_ignored_stays_ignored(name: str) -> None:
    """As with nohup, or Ctrl-C for what a shell runs in the background."""
    number = getattr(signal, name)
    asked = f"signal.getsignal({int(number)}) is signal.SIG_IGN"
    before = signal.signal(number, signal.SIG_IGN)
    try:
        process = start("command = int", asked)
    finally:
        signal.signal(number, before)
    with process:
        out, err = process.communicate(timeout=30)
    assert (out, err) == ("True\n", "")


def test_a_program_that_is_stopped_while_it_is_loaded_says_no_more_than_that() -> None:
    """Loading takes long enough for somebody to see that they called it wrongly."""
    hold = (
        "import sys, time, types\n"
        "class Slow(types.ModuleType):\n"
        "    def __getattr__(self, name):\n"
        "        print('ready', flush=True)\n"
        "        time.sleep(60)\n"
        "sys.modules['arena.cli.main'] = Slow('arena.cli.main')\n"
        "from arena.cli.entry import main\n"
        "main()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (err, process.returncode) == ("arena: stopped\n", 130)
