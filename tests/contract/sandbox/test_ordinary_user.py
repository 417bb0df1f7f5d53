"""What still holds when the arena is run by a member of the engine's group instead of root."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.contract.sandbox.conftest import Place
    from tests.wire import Wire

pytestmark = [
    pytest.mark.docker,
    pytest.mark.skipif(os.getuid() != 0, reason="only root can become an ordinary user"),
]

NOBODY = 65534


@pytest.fixture
def kind() -> str:
    """The process sandbox makes no difference between users."""
    return "docker"


@pytest.fixture
def theirs() -> Iterator[Path]:
    """A folder that belongs to an ordinary user."""
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    os.chown(folder, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


async def test_an_ordinary_user_starts_and_stops_bots(
    place: Place, wire: Wire, theirs: Path
) -> None:
    """Without root a bot starts in a plain folder under the user's own id, and leaves nothing."""
    with place.held(theirs / "run", ready=False, host=wire.host, user=NOBODY) as arena:
        assert arena.says()["report"].startswith("is running")
        arena.end(signal.SIGINT)
    assert not arena.path.exists()
    assert place.of_run(arena.path) == []


async def test_a_hostile_tree_in_a_plain_folder_is_removed(
    place: Place, wire: Wire, theirs: Path
) -> None:
    """A tree of 3,000 levels, locked, with a link to everything, goes and takes nothing along."""
    kept = theirs / "kept"
    kept.touch()
    kept.chmod(0o600)
    behaviour = "serve_litter"
    with place.held(
        theirs / "run", ready=False, host=wire.host, user=NOBODY, behaviour=behaviour
    ) as arena:
        assert arena.says()["report"].startswith("is running")
        arena.end(signal.SIGINT)
    assert not arena.path.exists()
    assert kept.stat().st_mode & 0o777 == 0o600
