"""What happens to a served store whose disk is full, or whose database goes away."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.store import Store, TournamentState
from tests.integration.server.conducting import bot, cup, digests
from tests.integration.server.process import Server, serving
from tests.postgresql import server as postgresql_server

from .conftest import Mount
from .test_full_disk import _fill

PATIENCE = 120.0
BLOCKS = 10


def _set_up(home: Path) -> None:
    """A tournament that a server is to play."""
    bots = [bot(home.parent / "bots", name) for name in ("one", "two")]
    with Store.open(home) as store:
        store.running.want(cup(store, bots, blocks=BLOCKS).id)


def _until(true: Callable[[], object], server: Server) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert server.process.poll() is None, server.log.read_text()
        assert time.monotonic() < until, server.log.read_text()
        time.sleep(0.1)


@contextmanager
def _done(home: Path) -> Iterator[Callable[[], int]]:
    """Tells how many matches are done."""
    with Store.open(home) as store:
        id_ = store.tournament("cup").id
        yield lambda: store.progress(id_).done


def _events(server: Server) -> list[str]:
    lines = server.log.read_text().splitlines()
    return [json.loads(line)["event"] for line in lines if line.startswith("{")]


def _undisturbed(tmp_path: Path) -> list[tuple[str, str]]:
    home = tmp_path / "calm"
    _set_up(home)
    with serving(home) as server, _done(home) as done:
        _until(lambda: done() == 2 * BLOCKS, server)
    with Store.open(home) as store:
        return digests(store, store.tournament("cup"))


@pytest.mark.timeout(400)
def test_a_server_on_a_full_disk_says_so_and_goes_on_when_there_is_room(
    tmp_path: Path, mount_tmpfs: Mount
) -> None:
    """It stays up meanwhile, nothing is lost, and nobody had to start it again."""
    home = tmp_path / "home"
    with mount_tmpfs(home, "size=24m"):
        _set_up(home)
        with serving(home) as server:
            with _done(home) as done:
                _until(lambda: done() >= 2, server)
                filler = _fill(home, leave=0)
                _until(lambda: "tournament in trouble" in _events(server), server)
                assert "no space is left for the store at" in server.log.read_text()
                stuck = done()
                time.sleep(1)
                assert server.process.poll() is None
                assert done() == stuck < 2 * BLOCKS
                filler.unlink()
                _until(lambda: done() == 2 * BLOCKS, server)
            server.stop()
            assert server.ended() == 0
            assert "Traceback" not in server.log.read_text()
        with Store.open(home) as store:
            cup_ = store.tournament("cup")
            assert store.progress(cup_.id).state is TournamentState.FINISHED
            found = digests(store, cup_)
            assert all(store.blob(result.replay) for result in store.results(cup_.id))
    assert found == _undisturbed(tmp_path)


@pytest.mark.timeout(400)
def test_a_server_whose_database_is_restarted_ends_and_the_next_one_goes_on(tmp_path: Path) -> None:
    """It no longer holds the store, so it stops playing within seconds and says why in one line."""
    home = tmp_path / "home"
    with postgresql_server() as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_DATABASE", running.url().render_as_string(hide_password=False))
        _set_up(home)
        with serving(home) as server:
            with _done(home) as done:
                _until(lambda: done() >= 2, server)
            running.stop()
            began = time.monotonic()
            assert server.ended() == 1
            assert time.monotonic() - began < 60
            said = server.log.read_text().splitlines()[-1]
            assert said.startswith("arena: the store is no longer held by this process, since its")
            assert said.endswith("what was recorded before is safe")
            assert "Traceback" not in server.log.read_text()
        running.start()
        with serving(home) as server, _done(home) as done:
            assert done() >= 2
            _until(lambda: done() == 2 * BLOCKS, server)
        with Store.open(home) as store:
            found = digests(store, store.tournament("cup"))
    assert found == _undisturbed(tmp_path)
