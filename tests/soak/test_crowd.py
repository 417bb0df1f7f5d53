"""A server that a crowd comes to loses nothing and has nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.crowd import campaign, database

AUTHORS = 200
WATCHERS = 50


@pytest.mark.soak
@pytest.mark.docker
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_whoever_submits_at_once_is_answered_and_becomes_ready_once(
    tmp_path: Path,
    base_image: str,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the default limits nobody is refused; watchers miss nothing; descriptors go back."""
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)
    with capsys.disabled(), database(kind):
        outcome = await campaign(tmp_path / "home", AUTHORS, WATCHERS, AUTHORS)
        print(f"\n{kind}\n{outcome}", flush=True)
    assert not outcome.calls.errors
    before, most, after = outcome.held
    assert most.descriptors > before.descriptors + AUTHORS / 2
    assert after.descriptors < before.descriptors + AUTHORS / 10
