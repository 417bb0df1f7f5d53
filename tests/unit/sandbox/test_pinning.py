"""A descriptor that leads to the bot's socket and nowhere else."""

import os
import socket
import time
from pathlib import Path

import pytest

from arena.sandbox.errors import SandboxFailed
from arena.sandbox.pinning import BotEndedError, NotASocketError, address_of, wait_for_socket


async def always() -> bool:
    """A bot that runs."""
    return True


async def never() -> bool:
    """A bot that has ended."""
    return False


def listening(path: Path) -> socket.socket:
    """A socket that somebody serves."""
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(path))
    server.listen()
    return server


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a short name to bind in."""
    monkeypatch.chdir(tmp_path)
    return Path()


async def test_a_pinned_socket_is_followed_wherever_it_is_moved(place: Path) -> None:
    """The address leads to the socket that was checked, and not to its successor at that path."""
    with listening(place / "bot.sock") as first:
        pinned = await wait_for_socket(place, os.getuid(), 5, always)
        first.accept()[0].close()
        (place / "bot.sock").rename(place / "old.sock")
        with listening(place / "bot.sock") as second, socket.socket(socket.AF_UNIX) as client:
            second.setblocking(False)
            client.connect(address_of(pinned).removeprefix("unix:"))
            first.accept()[0].close()
            with pytest.raises(BlockingIOError):
                second.accept()
    os.close(pinned)


async def test_a_socket_of_another_user_is_refused(place: Path) -> None:
    """Who listens must have the bot's user id, not merely own a socket in its folder."""
    with (
        listening(place / "bot.sock"),
        pytest.raises(NotASocketError, match="a socket of another user"),
    ):
        await wait_for_socket(place, os.getuid() + 1, 5, always)


async def test_a_full_backlog_is_waited_for(place: Path) -> None:
    """A bot that is too busy to accept gets its time, and no more."""
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(place / "bot.sock"))
        server.listen(0)
        client.connect(str(place / "bot.sock"))
        with pytest.raises(TimeoutError):
            await wait_for_socket(place, os.getuid(), 0.1, always)


async def test_the_end_of_the_bot_ends_the_waiting(place: Path) -> None:
    """A bot that is gone is not waited for."""
    with pytest.raises(BotEndedError):
        await wait_for_socket(place, os.getuid(), 100, never)


async def test_pinning_fails_without_leaking(place: Path) -> None:
    """Whatever is refused, no descriptor stays open."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    (place / "bot.sock").symlink_to("/var/run/docker.sock")
    with pytest.raises(NotASocketError, match="a symbolic link"):
        await wait_for_socket(place, os.getuid(), 5, always)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


async def test_addresses_dont_come_back_soon(place: Path) -> None:
    """The number of a closed descriptor is not the next bot's address."""
    seen = set()
    with listening(place / "bot.sock"):
        for _ in range(50):
            pinned = await wait_for_socket(place, os.getuid(), 5, always)
            seen.add(address_of(pinned))
            os.close(pinned)
    assert len(seen) == 50


async def test_time_that_others_took_is_not_the_bots(place: Path) -> None:
    """Half of the wall time is its own, so it gets twice as long."""
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        await wait_for_socket(place, os.getuid(), 0.2, always, lambda wall: wall / 2)
    assert time.monotonic() - began >= 0.4


async def test_a_bot_that_gets_no_time_is_given_up_in_the_end(place: Path) -> None:
    """And that is our fault, not the bot's."""
    with pytest.raises(SandboxFailed, match="too much to do"):
        await wait_for_socket(place, os.getuid(), 0.02, always, lambda _: 0.0)
