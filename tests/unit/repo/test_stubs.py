"""The committed stubs are what proto/ says."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_committed_stubs_equal_freshly_generated_ones(tmp_path: Path) -> None:
    generator = ROOT / ".venv-proto" / "bin" / "python"
    if not generator.exists():
        pytest.fail("the stubs' generator is not installed: run `make env-proto`")
    subprocess.run([generator, ROOT / "tools/generate_stubs.py", "--out", tmp_path], check=True)

    fresh = contents(tmp_path / "arenabot" / "v1")
    committed = contents(ROOT / "sdk/src/arenabot/v1")

    assert "player_pb2.py" in fresh
    stale = {name for name in fresh | committed if fresh.get(name) != committed.get(name)}
    assert not stale, "run `make proto` and commit what it writes"
