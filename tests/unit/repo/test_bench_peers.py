"""The bench `engine`: who it is measured against, and what it does where that can't be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benches import engine
from benches._peers import PEERS, Peer, PeerMissing, playing, python_of

ROOT = Path(__file__).parents[3]
PEER = Peer("rlcard", "uno", 2)


def checkout(root: Path, make_env: str) -> Path:
    """A checkout whose tools/make-env is this script."""
    script = root / "tools/make-env"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n{make_env}\n")
    script.chmod(0o755)
    return root


def test_a_peers_environment_is_made_of_its_own_pins_with_the_python_of_the_bench(
    tmp_path: Path,
) -> None:
    """And whatever builds it is pinned there, too."""
    root = checkout(tmp_path, 'echo "$1 $2 $PYTHON $UV_BUILD_CONSTRAINT" >called')
    assert python_of(PEER, root) == root / ".venv-peers/rlcard/bin/python"
    pins = "requirements/peer-rlcard.txt"
    called = (root / "called").read_text().split()
    assert called == [".venv-peers/rlcard", pins, sys.executable, str(root / pins)]
    assert all((ROOT / peer.requirements).is_file() for peer in PEERS)


@pytest.mark.parametrize(
    ("make_env", "why"),
    [
        ("echo more >&2; echo no such host >&2; echo >&2; exit 2", "no such host"),
        ("exit 1", "it does not say why"),
    ],
)
def test_a_peer_that_cant_be_installed_is_named_in_one_line(
    tmp_path: Path, make_env: str, why: str
) -> None:
    """With the last thing that was said about it."""
    with pytest.raises(PeerMissing) as caught:
        python_of(PEER, checkout(tmp_path, make_env))
    assert str(caught.value) == f"rlcard: it can't be installed ({why})"


def test_nothing_of_a_peer_is_in_our_own_environment() -> None:
    """Played with our interpreter, each of them ends at once and is named in one line."""
    for peer in PEERS:
        with (
            pytest.raises(PeerMissing, match=f"{peer.library}: it can't be run .*No module named"),
            playing(Path(sys.executable), peer.library, peer.game, peer.players),
        ):
            pass


def test_the_bench_goes_on_without_its_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our games are measured, and a note names who is missing."""

    def missing(peer: Peer) -> Path:
        raise PeerMissing(f"{peer.library}: gone")

    monkeypatch.setattr(engine, "python_of", missing)
    monkeypatch.setattr(engine, "_ROUNDS", 1)
    table = engine.beside_peers()
    assert [row.name for row in table.rows] == [
        f"{game}, 4 players" for game in ("Claims", "Claim!", "Claro")
    ]
    assert all(row.median > 0 and row.more and row.more["moves a match"] > 1 for row in table.rows)
    assert table.note == "without rlcard: gone; without open_spiel: gone"


def test_the_program_that_plays_needs_nothing_of_ours_but_the_engine() -> None:
    """A peer's environment has no arena: before an engine is chosen, only Python is imported."""
    program = ROOT / "benches/_playouts.py"
    code = f"import runpy, sys; runpy.run_path({str(program)!r}); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "json" in loaded
    assert not {"arena", "arenabot", "benches"} & set(loaded)
