"""A machine with four times as much to do as it can: nobody pays for it but who sleeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.stress import ATTEMPTS, Tally, stress

MATCHES = 500
FEW = 10

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("engine")]


@pytest.fixture(autouse=True)
def _own_base(base_image: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_PYTHON_IMAGE", base_image)


def check(tally: Tally, matches: int) -> None:
    """What must hold of however many matches."""
    assert tally.stood + tally.given_up == matches
    assert tally.faults["honest"] == tally.faults["worker"] == {}
    assert tally.unpunished == 0
    assert set(tally.faults["sleeper"]) <= {"TIMEOUT", "TOO_MANY_FAULTS"}
    assert tally.given_up <= matches / 50
    assert sum(tally.voids.values()) <= ATTEMPTS * (1 + matches / 50)


@pytest.mark.timeout(600)
def test_a_few_matches_beside_hogs_are_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten matches: no honest bot is charged, the sleeper in each."""
    tally = stress(tmp_path, range(FEW))
    with capsys.disabled():
        print(f"\n{tally}", flush=True)
    check(tally, FEW)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_five_hundred_matches_beside_hogs_are_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With enough turns that a plain clock on the wall would have called late."""
    tally = stress(tmp_path, range(MATCHES))
    with capsys.disabled():
        print(f"\n{tally}", flush=True)
    check(tally, MATCHES)
    assert tally.saved > 0
