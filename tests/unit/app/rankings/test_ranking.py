"""Rankings and exports of what a store holds, holes and secrets included."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.app.errors import ArenaError
from arena.app.exports.export import export
from arena.app.rankings.ranking import overview, ranking
from arena.app.tournaments.kept_matches import full_id, released, seat_log
from arena.cli import main, standings
from arena.store import MAX_ATTEMPTS, NotFound, Store, StoredMatch, Tournament
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


def test_a_league_is_ranked_by_itself(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Over its own tournaments; one that isn't there, or with a tournament, is told in one line."""
    for name, league in (("one", "winter"), ("alone", None), ("two", "winter")):
        tournament = make_tournament(store, name, blocks=1, league=league, organiser="olga")
        for match in store.matches(tournament.id):
            play(store, tournament, match)
    assert main.run(["rankings", "--league", "winter", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tournaments"] == ["one", "two"]
    assert [row["matches"] for row in told["ranking"]] == [4, 4]
    assert main.run(["rankings", "--league", "winter"]) == 0
    assert "Claims, league winter, 2 tournaments" in capsys.readouterr().out
    assert main.run(["rankings", "--league", "wintr"]) == 1
    assert "no league 'wintr': did you mean 'winter'?" in capsys.readouterr().err
    assert main.run(["rankings", "--league", "winter", "--tournament", "one"]) == 2
    assert "name one of the two" in capsys.readouterr().err
    assert main.run(["tournament", "show", "one"]) == 0
    assert "arena rankings --league winter" in capsys.readouterr().out


def test_leagues_are_listed_in_the_order_of_their_beginning(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all games or of one, as a table and as a document; they are not ranked."""
    assert main.run(["rankings", "--leagues"]) == 0
    assert "no leagues yet: arena tournament create --league" in capsys.readouterr().out
    for name, league, game in (("1", "b", "claims"), ("2", "a", "claro"), ("3", "b", "claims")):
        make_tournament(store, name, league=league, game=game, organiser="olga")
    assert main.run(["rankings", "--leagues"]) == 0
    lines = [line.split()[:4] for line in capsys.readouterr().out.split("\n") if line.strip()]
    assert lines[-2:] == [["b", "claims", "2", "olga"], ["a", "claro", "1", "olga"]]
    assert main.run(["rankings", "--leagues", "--game", "claims", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "leagues": [
            {
                "league": "b",
                "game": "claims",
                "organiser": "olga",
                "created": store.leagues.find("b").created.isoformat(),
                "tournaments": 2,
            }
        ]
    }
    for more in (
        ["--league", "b"],
        ["--tournament", "1"],
        ["--head-to-head"],
        ["--rating", "block"],
    ):
        assert main.run(["rankings", "--leagues", *more]) == 2
        assert "--leagues lists the leagues" in capsys.readouterr().err


def test_whoever_has_the_store_may_use_any_league(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export tells of which one a tournament is part; a private one is of none."""
    make_tournament(store, "one", league="winter", organiser="olga")
    create = ["tournament", "create", "two", "--game", "claims", "--league", "winter"]
    assert main.run([*create, "--private"]) == 2
    assert "none of its tournaments can be private" in capsys.readouterr().err
    assert main.run([*create, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["league"] == "winter"
    assert store.leagues.find("winter").tournaments == 2


def test_ratings_can_be_learnt_in_other_ways(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the package itself to the same table; a way that does not exist is a wrong call."""
    tournament = make_tournament(store, "cup", blocks=3)
    for match in store.matches(tournament.id):
        play(store, tournament, match)
    assert main.run(["rankings", "--rating", "match"]) == 0
    plain = capsys.readouterr().out
    assert main.run(["rankings", "--tournament", "cup", "--rating", "package"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == plain.splitlines()[2:]
    assert overview(store, "cup", way="passes").ranked[0].standing.matches == 6
    assert main.run(["rankings", "--rating", "elo"]) == 2
    assert "match, block, passes, package, not by elo" in capsys.readouterr().err


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


def finished(store: Store, blocks: int, *, luck: bool = True) -> Tournament:
    """A tournament of two in which the lower seat always wins, with its luck or without."""
    tournament = make_tournament(store, blocks=blocks)
    for match in store.matches(tournament.id):
        new = new_result(match)
        seats = tuple(replace(seat, luck=seat.luck if luck else None) for seat in new.seats)
        store.record_result(tournament.id, replace(new, seats=seats), replay_of(match))
    return tournament


def test_a_ranking_says_how_sure_its_shares_are(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """By interval, and without luck: here all comes from the seat, which duplicates cancel."""
    tournament = finished(store, 30)
    for row in overview(store, "cup").ranked:
        assert (row.beaten.blocks, row.beaten.met) == (30, 60)
        assert row.beaten.plain is not None
        assert row.beaten.plain == row.beaten.adjusted
    assert main.run(["tournament", "show", "cup"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"bot0 +1 +30 +50\.0% +\d\d\.\d-\d\d\.\d +[+-]0\.0 +50\.0% ", shown)
    assert main.run(["rankings", "--json"]) == 0
    row, _ = json.loads(capsys.readouterr().out)["ranking"]
    assert (row["beaten"], row["adjusted"], row["luck"]) == (0.5, 0.5, 0)
    assert row["beaten_low"] < 0.5 < row["beaten_high"]
    assert row["adjusted_low"] < 0.5 < row["adjusted_high"]
    assert main.run(["tournament", "show", "cup", store.matches(tournament.id)[0].id]) == 0
    assert re.search(r" 0 +bot0 +1 +0 +\+0\.5 +PLAYED", capsys.readouterr().out)


def test_luck_that_was_not_counted_is_unknown(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a dash and as null, never as 0; so is what few blocks can't tell."""
    tournament = finished(store, 30, luck=False)
    assert main.run(["rankings"]) == 0
    assert re.search(r"bot0 +1 +30 +50\.0% +\S+ +- +- +-\n", capsys.readouterr().out)
    assert main.run(["rankings", "--json"]) == 0
    row, _ = json.loads(capsys.readouterr().out)["ranking"]
    assert [row[key] for key in ("luck", "adjusted", "adjusted_low")] == [None] * 3
    match = store.matches(tournament.id)[0]
    assert main.run(["tournament", "show", "cup", match.id]) == 0
    assert re.search(r" 0 +bot0 +1 +0 +- +PLAYED", capsys.readouterr().out)
    assert main.run(["tournament", "show", "cup", match.id, "--json"]) == 0
    seats = json.loads(capsys.readouterr().out)["result"]["seats"]
    assert [seat["luck"] for seat in seats] == [None, None]


def test_a_few_blocks_say_nothing_of_how_sure_they_are(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five blocks have a share and a dash for its interval."""
    finished(store, 5)
    assert main.run(["rankings"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"bot0 +1 +5 +50\.0% +- +- +- +-\n", shown)
    assert "from 6 blocks on" in shown


def beats(store: Store, blocks: int) -> None:
    """A tournament of three bots in which bot2 always ends first and bot0 always last."""
    tournament = make_tournament(store, blocks=blocks, size=3)
    for match in store.matches(tournament.id):
        new = new_result(match)
        seats = tuple(replace(seat, rank=3 - seat.entry) for seat in new.seats)
        store.record_result(tournament.id, replace(new, seats=seats), replay_of(match))


def test_head_to_head_has_all_pairs_the_better_first(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of the ranking, with what each pair proves."""
    beats(store, 8)
    assert main.run(["tournament", "show", "cup", "--head-to-head", "--json"]) == 0
    duels = json.loads(capsys.readouterr().out)["head_to_head"]
    assert [(duel["bot"], duel["against"]) for duel in duels] == [
        ("bot2", "bot1"),
        ("bot2", "bot0"),
        ("bot1", "bot0"),
    ]
    for duel in duels:
        assert (duel["blocks"], duel["met"], duel["won"], duel["share"]) == (8, 24, 24, 1)
        assert duel["chance"] == 1 - 0.5**9
        assert (duel["p"], duel["p_of_all"]) == (0.5**7, 3 * 0.5**7)
    assert main.run(["rankings", "--head-to-head"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^bot2 +bot1 +8 +24 +100\.0% +99\.8% +\* *$", shown, re.MULTILINE)


def test_one_bot_can_ask_for_its_own_pairs(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands first, and fewer pairs are allowed for."""
    beats(store, 8)
    assert main.run(["rankings", "--against", "bot0:1", "--json"]) == 0
    duels = json.loads(capsys.readouterr().out)["head_to_head"]
    assert [(duel["bot"], duel["against"], duel["won"]) for duel in duels] == [
        ("bot0", "bot2", 0),
        ("bot0", "bot1", 0),
    ]
    assert duels[0]["p_of_all"] == 2 * 0.5**7
    for called in ("nobody", "bot0:2"):
        assert main.run(["rankings", "--against", called]) == 1
        assert f"no bot of this ranking is called {called}" in capsys.readouterr().err


def test_a_trend_is_shown_where_there_is_room(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A narrow screen has the table without it."""
    beats(store, 8)
    assert main.run(["rankings"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ +1 +bot2 +1 +[\d.]+ +(=|[+-]\d+\.\d) +[\d.]+ ", shown, re.MULTILINE)
    assert "\ntrend: " in shown
    monkeypatch.setattr(standings, "fits", lambda _: False)
    assert main.run(["rankings"]) == 0
    assert "trend" not in capsys.readouterr().out


def rows(table: Path) -> list[dict[str, str]]:
    """The lines of a table in CSV."""
    return list(csv.DictReader(table.read_text().splitlines()))


def test_an_export_has_the_head_to_head_table_and_everyones_luck(
    store: Store, tmp_path: Path
) -> None:
    """A line for each pair that met, and a column in the results."""
    beats(store, 2)
    export(store, "cup", tmp_path / "out")
    duels = rows(tmp_path / "out" / "head_to_head.csv")
    assert [(duel["bot"], duel["against"], duel["chance"]) for duel in duels] == [
        ("bot2", "bot1", "0.875"),
        ("bot2", "bot0", "0.875"),
        ("bot1", "bot0", "0.875"),
    ]
    seats = rows(tmp_path / "out" / "results.csv")
    assert {seat["seat"]: seat["luck"] for seat in seats} == {"0": "0.5", "1": "-0.5", "2": "-1.5"}
    (standing, *_) = rows(tmp_path / "out" / "standings.csv")
    assert (standing["bot"], standing["beaten"], standing["beaten_low"]) == ("bot2", "1.0", "")


def test_a_beginning_that_fits_several_matches_names_none(store: Store) -> None:
    """A person is told how many it fits."""
    tournament = make_tournament(store)
    assert full_id(store, tournament, "m0-1") == "m0-1"
    for beginning, told in (("m0", "2 matches"), ("", "6 matches")):
        with pytest.raises(ArenaError, match=told):
            full_id(store, tournament, beginning)
    assert full_id(store, tournament, "m2-0") == "m2-0"
    for nobodys in ("x", "M0", "m0_1", "m%"):
        with pytest.raises(NotFound, match="no match of cup begins"):
            full_id(store, tournament, nobodys)


@pytest.mark.parametrize("name", ["cup.zip", "cup.json", "cup.tar.gz", "cup.tar.zst"])
def test_an_export_makes_no_folder_of_what_was_to_be_a_file(
    name: str, store: Store, tmp_path: Path
) -> None:
    """But one that is there already is one, whatever it is called."""
    make_tournament(store)
    with pytest.raises(ArenaError, match="would be a folder"):
        export(store, "cup", tmp_path / name)
    (tmp_path / name).mkdir()
    export(store, "cup", tmp_path / name)
    assert (tmp_path / name / "tournament.json").is_file()


def test_an_export_does_not_take_a_file_for_a_folder(store: Store, tmp_path: Path) -> None:
    """Nothing is written over."""
    make_tournament(store)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ArenaError, match="is a file"):
        export(store, "cup", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
