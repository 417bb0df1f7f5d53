"""tools/make-env says in one line what is wrong, and leaves alone what is right."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def make_env(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "tools/make-env", folder, "requirements/dev.txt"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHON": python},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("found", ["missing", "too old, or without venv"])
def test_a_python_that_will_not_do_is_refused_in_one_line(tmp_path: Path, found: str) -> None:
    python = tmp_path / "python3"
    if found != "missing":
        python.write_text("#!/bin/sh\necho AssertionError >&2\nexit 1\n")
        python.chmod(0o755)

    ended = make_env(tmp_path / "env", str(python))

    assert ended.returncode == 1
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "Python 3.11 or newer" in line
    assert "PYTHON=" in line
    assert not (tmp_path / "env").exists()
