"""Rankings and exports of what a store holds, holes and secrets included."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.app.errors import ArenaError
from arena.app.export import export
from arena.app.kept_matches import full_id, released, seat_log
from arena.app.ranking import overview, ranking
from arena.cli import main
from arena.store import MAX_ATTEMPTS, Store, StoredMatch, Tournament
from arena.store.testing import logs_of, make_tournament, new_result, replay_of


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty store, which the command finds too."""
    monkeypatch.setenv("ARENA_HOME", str(tmp_path / "home"))
    opened = Store.open(tmp_path / "home")
    yield opened
    opened.close()


def play(store: Store, tournament: Tournament, match: StoredMatch) -> None:
    """Record that seat 0 won, and that seat 1 was late once."""
    store.record_result(tournament.id, new_result(match), replay_of(match), logs_of(match))


def spoil(store: Store, tournament: Tournament, match: StoredMatch) -> None:
    """Let a match be void so often that it is given up."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        store.record_void(tournament.id, match.id, attempt, reason="SANDBOX", detail="engine died")


def with_a_hole(store: Store) -> Tournament:
    """A finished tournament of three blocks, one match of the second given up."""
    tournament = make_tournament(store)
    for match in store.matches(tournament.id):
        if (match.key.block, match.key.rotation) == (1, 0):
            spoil(store, tournament, match)
        else:
            play(store, tournament, match)
    return tournament


def test_a_block_with_a_hole_is_left_out(store: Store) -> None:
    """All of it, its other match too, and the overview says which block it is."""
    with_a_hole(store)
    found = overview(store, "cup")
    assert found.hole_blocks == {1}
    assert found.progress.holes == 1
    assert [row.standing.matches for row in found.ranked] == [4, 4]
    assert [row.standing.faults for row in found.ranked] == [2, 2]
    assert ranking(store, "claims").holes == {"cup": 1}


def test_a_person_is_told_what_is_left_out(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """By ``rankings`` beside the table, by ``tournament show`` above it."""
    with_a_hole(store)
    assert main.run(["rankings"]) == 0
    assert "cup: 1 block left out" in capsys.readouterr().err
    assert main.run(["tournament", "show", "cup"]) == 0
    shown = capsys.readouterr().out
    assert "1 match given up: 1 block left out of the standings" in shown
    assert "3 attempts void by our own fault" in shown


def test_a_spoilt_match_says_what_happened(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each attempt with its reason, for an operator to read."""
    tournament = with_a_hole(store)
    (hole,) = (match for match in store.matches(tournament.id) if match.status.value == "hole")
    assert main.run(["tournament", "show", "cup", hole.id]) == 0
    assert "attempt 3 was void (SANDBOX): engine died" in capsys.readouterr().out


def test_one_version_in_two_tournaments_is_one_row(store: Store) -> None:
    """And the tournaments count in the order of their creation."""
    for name in ("cup", "league"):
        tournament = make_tournament(store, name, blocks=1)
        for match in store.matches(tournament.id):
            play(store, tournament, match)
    found = ranking(store, "claims")
    assert [tournament.name for tournament in found.tournaments] == ["cup", "league"]
    assert [row.standing.matches for row in found.ranked] == [4, 4]
    assert found.holes == {}
    assert ranking(store, "claro").ranked == ()


def test_an_entry_that_has_not_played_stands_with_what_is_believed_of_anybody(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the first match there is a table already, without means."""
    make_tournament(store)
    found = overview(store, "cup")
    assert [(row.rank, row.standing.matches) for row in found.ranked] == [(1, 0), (1, 0)]
    assert main.run(["tournament", "show", "cup"]) == 0
    assert "-" in capsys.readouterr().out


def test_a_match_is_secret_until_its_block_is_played(store: Store, tmp_path: Path) -> None:
    """Its replay and its logs; an export holds it back and says so."""
    tournament = make_tournament(store)
    first, second, *_ = store.matches(tournament.id)
    play(store, tournament, first)
    with pytest.raises(ArenaError, match="released"):
        released(store, "cup", first.id)
    with pytest.raises(ArenaError, match="released"):
        seat_log(store, tournament, first.id, 0)
    held = export(store, "cup", tmp_path / "out")
    assert (held.results, held.replays, held.held_back) == (1, 0, 1)
    play(store, tournament, second)
    assert released(store, "cup", first.id) == replay_of(first)
    assert seat_log(store, tournament, first.id, 1)[1] == logs_of(first)[1]
    free = export(store, "cup", tmp_path / "out")
    assert (free.results, free.replays, free.held_back) == (2, 2, 0)
    assert len(list((tmp_path / "out" / "replays").iterdir())) == 2


def test_a_beginning_that_fits_several_matches_names_none(store: Store) -> None:
    """A person is told how many it fits."""
    tournament = make_tournament(store)
    assert full_id(store, tournament, "m0-1") == "m0-1"
    for beginning, told in (("m0", "2 matches"), ("x", "no match"), ("", "6 matches")):
        with pytest.raises(ArenaError, match=told):
            full_id(store, tournament, beginning)


def test_an_export_does_not_take_a_file_for_a_folder(store: Store, tmp_path: Path) -> None:
    """Nothing is written over."""
    make_tournament(store)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ArenaError, match="is a file"):
        export(store, "cup", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
