"""A ranking that goes on from a file is, at every moment, the one that is worked out anew."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from arena.app.rankings import growing
from arena.app.rankings.kept_files import RankingFiles
from arena.app.rankings.ranking import NotKept, Rankings, ranking
from arena.store import Store, Tournament
from arena.store.restore import restore
from arena.store.testing import make_tournament, new_result, replay_of
from tests.unit.app.rankings.chance import play

T = TypeVar("T")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rankings of a few matches are kept, too."""
    monkeypatch.setattr(growing, "WORTH_SAVING", 1)


@pytest.fixture
def files(tmp_path: Path) -> RankingFiles:
    """Where they are kept."""
    return RankingFiles(tmp_path / "rankings")


def play_blocks(store: Store, cup: Tournament, blocks: range, chance: random.Random) -> None:
    """Let these blocks be played, in some order."""
    matches = [each for each in store.pending_matches(cup.id) if each.key.block in blocks]
    chance.shuffle(matches)
    for match in matches:
        play(store, cup, match, chance)


def test_at_every_start_it_is_the_same(store: Store, files: RankingFiles) -> None:
    """Bit for bit, whatever came since, with withdrawals, new bots and tournaments at once."""
    chance = random.Random(3)
    one = make_tournament(store, "one", blocks=60, size=3)
    two = make_tournament(store, "two", blocks=30, size=5)
    for step in range(12):
        play_blocks(store, one, range(6 * step), chance)
        play_blocks(store, two, range(4 * (step - 3)), chance)
        if step == 7:
            store.entering.withdraw(two.id, "bot3", why="x", annul=True)
        kept = Rankings(store, files=files)
        assert kept.ranking("claims") == ranking(store, "claims")
        assert kept.overview(store.tournament("two")).table == (
            Rankings(store).overview(store.tournament("two")).table
        )
    assert files.names() == ["all-claims", f"tournament-{two.id}"]


def test_only_what_came_since_is_read(store: Store, files: RankingFiles, reads: list[int]) -> None:
    """Nothing, where nothing has come; and the older one is given without a look."""
    chance = random.Random(1)
    cup = make_tournament(store, blocks=10)
    play_blocks(store, cup, range(7), chance)
    made = Rankings(store, files=files).ranking("claims")
    assert reads == [0]
    again = Rankings(store, files=files)
    assert again.ranking("claims", older=True) == made
    assert reads == [0]
    play_blocks(store, cup, range(9), chance)
    assert again.ranking("claims", older=True) == made
    assert again.ranking("claims") == ranking(store, "claims")
    assert reads == [0, 7, 0]


def test_another_past_is_noticed(store: Store, files: RankingFiles, tmp_path: Path) -> None:
    """A store that was put back to an older backup, and played on with other results."""
    chance = random.Random(2)
    cup = make_tournament(store, blocks=8)
    play_blocks(store, cup, range(4), chance)
    store.back_up(tmp_path / "backup")
    play_blocks(store, cup, range(8), chance)
    Rankings(store, files=files).ranking("claims")
    restore(tmp_path / "backup", tmp_path / "restored")
    with Store.open(tmp_path / "restored") as other:
        with pytest.raises(NotKept):
            Rankings(other, files=files).ranking("claims", older=True)
        play_blocks(other, other.tournament("cup"), range(8), random.Random(99))
        with pytest.raises(NotKept):
            Rankings(other, files=files).ranking("claims", older=True)
        assert Rankings(other, files=files).ranking("claims") == ranking(other, "claims")


@pytest.mark.parametrize("harm", ["cut", "turned", "empty", "older code"])
def test_a_file_that_is_no_good_is_as_good_as_none(
    store: Store, files: RankingFiles, harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made anew, and said in the log if it was damaged."""
    cup = make_tournament(store, blocks=4)
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    Rankings(store, files=files).ranking("claims")
    (file,) = (tmp_path / "rankings").iterdir()
    content = file.read_bytes()
    if harm == "older code":
        monkeypatch.setattr("arena.app.rankings.kept_files._code", lambda: "another")
    elif harm == "turned":
        file.write_bytes(content[:-20] + bytes(byte ^ 1 for byte in content[-20:]))
    else:
        file.write_bytes(content[: 0 if harm == "empty" else -7])
    assert files.load("all-claims") is None
    with pytest.raises(NotKept):
        Rankings(store, files=files).ranking("claims", older=True)
    assert Rankings(store, files=files).ranking("claims") == ranking(store, "claims")
    assert files.load("all-claims") is not None or harm == "older code"


def without(of: Mapping[str, T], name: str) -> dict[str, T]:
    """All but one."""
    return {each: value for each, value in of.items() if each != name}


def test_a_whole_file_that_says_something_else_is_none(store: Store, files: RankingFiles) -> None:
    """Whatever is missing from it."""
    cup = make_tournament(store, blocks=4)
    for match in store.matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    Rankings(store, files=files).ranking("claims")
    kept = files.load("all-claims")
    assert kept is not None
    for name in kept.facts:
        files.save("all-claims", replace(kept, facts=without(kept.facts, name)))
        with pytest.raises(NotKept):
            Rankings(store, files=files).ranking("claims", older=True)
    for name in kept.columns:
        files.save("all-claims", replace(kept, columns=without(kept.columns, name)))
        with pytest.raises(NotKept):
            Rankings(store, files=files).ranking("claims", older=True)
