"""The golden playthroughs are what is played now, and they show all that can happen."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games import GAMES
from arenabot.claro import ClaroRoundReason
from arenabot.events import MatchReason, RoundReason
from tests.golden import playthroughs

TABLES = [(game.id, seats) for game in GAMES.values() for seats in game.seats]
#: Lines of a diff that are shown before the command is named that shows all.
SHOWN = 30


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_game_is_played_as_its_golden_file_says(game: str, seats: int) -> None:
    """Every move, drawn card, reshuffle, score and rank is as it was written down."""
    path = playthroughs.FOLDER / f"{game}-{seats}.txt"
    diff = playthroughs.differences(path, playthroughs.page(game, seats))
    if diff:
        shown = "\n".join(diff[:SHOWN])
        pytest.fail(
            f"{shown}\n... {len(diff)} lines in all: python -m tests.golden.playthroughs shows "
            "them, --write accepts them",
            pytrace=False,
        )


@pytest.mark.parametrize("game", GAMES)
def test_there_are_at_least_100_playthroughs_of_each_game(game: str) -> None:
    """Over all numbers of players, each on a seed of its own."""
    cases = [case for seats in GAMES[game].seats for case in playthroughs.cases(game, seats)]
    assert len(cases) >= 100
    assert len({case.seed for case in cases}) == len(cases)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_played_with(game: str) -> None:
    """Some playthrough sets it to other than its default."""
    options = GAMES[game].options().as_dict()
    seats = GAMES[game].seats[0]
    changed = {
        name
        for case in playthroughs.cases(game, seats)
        for name, value in case.options.items()
        if options[name] != value
    }
    assert changed == set(options)


@pytest.mark.parametrize(
    ("game", "reasons"),
    [
        ("claims", {reason.value for reason in RoundReason} - {"claim"}),
        ("claim", {"max_laps", "stall_laps"}),
        ("claro", {reason.value for reason in ClaroRoundReason}),
    ],
)
def test_rounds_end_in_every_way_there_is(game: str, reasons: set[str]) -> None:
    """Each reason is found in the game's files, and claims that held and that failed."""
    pages = "".join(kept.read_text("utf-8") for kept in playthroughs.FOLDER.glob(f"{game}-*.txt"))
    assert all(f"round ends by {reason}:" in pages for reason in reasons)
    if game != "claro":
        assert "that held:" in pages
        assert "that failed:" in pages
    assert "reshuffle 1:" in pages
    assert "!" in pages.partition("\n\n")[2]


def test_matches_end_in_every_way_there_is() -> None:
    """By the target, by max_rounds and by stars."""
    pages = "".join(kept.read_text("utf-8") for kept in playthroughs.FOLDER.glob("*.txt"))
    for reason in MatchReason:
        assert f"match ends by {reason.value}:" in pages


def test_the_command_shows_what_changed_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A changed move is one line out and one in; a file of no game is named; --write mends both."""
    monkeypatch.setattr(playthroughs, "FOLDER", tmp_path)
    monkeypatch.setattr(playthroughs, "GAMES", {"claro": GAMES["claro"]})
    assert playthroughs.main(["--write"]) == 0
    capsys.readouterr()
    assert playthroughs.main([]) == 0
    assert capsys.readouterr().out == ""

    page = tmp_path / "claro-3.txt"
    page.write_text(page.read_text("utf-8").replace("round ends", "Round ends", 1), "utf-8")
    (tmp_path / "chess-2.txt").touch()
    assert playthroughs.main([]) == 1
    shown = capsys.readouterr()
    assert sum(line.startswith("-Round ends") for line in shown.out.splitlines()) == 1
    assert sum(line.startswith("+round ends") for line in shown.out.splitlines()) == 1
    assert "chess-2.txt belongs to no game" in shown.out
    assert shown.err == "2 of 4 files differ\n"

    assert playthroughs.main(["--write"]) == 0
    assert playthroughs.main([]) == 0
