"""What a person reads about the order of an adaptive tournament."""

from datetime import UTC, datetime

import pytest

from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Ranked, Table
from arena.app.rankings.waves import Clarity
from arena.cli.clarity_view import open_line, show_clarity
from arena.rating import Beaten, Meetings, Neighbours, Rating, Separation, Standing
from arena.store import BotVersion, Entry, Progress, Tournament, TournamentState

BOTS = (("ana", 1), ("bob", 1), ("bob", 2))


def version(at: int) -> BotVersion:
    name, number = BOTS[at]
    return BotVersion(
        at, name, "x", number, None, "d", ("claims",), "python", "bot.py", "k", datetime.now(UTC)
    )


TOURNAMENT = Tournament(
    id=1,
    name="cup",
    game="claims",
    options={},
    table_size=2,
    blocks=600,
    seed=bytes(32),
    seed_hash="",
    timers={},
    max_faults=10,
    sandbox="process",
    isolation="match",
    engine="1.0",
    created=datetime.now(UTC),
    entries=tuple(Entry(at, version(at)) for at in range(3)),
    until_clear=0.95,
)


def overview(*ranking: int, state: TournamentState = TournamentState.RUNNING) -> Overview:
    """The tournament with its entries ranked so by their ratings."""
    ranked = tuple(
        Ranked(
            place + 1,
            version(entry),
            Standing(place + 1, entry, Rating(25.0, 1.0), 8, 4, 1.5, 0.0, 0),
            Beaten(0, 0, None, None),
        )
        for place, entry in enumerate(ranking)
    )
    progress = Progress(state, matches=80, done=80, holes=0, voids=0)
    return Overview(TOURNAMENT, progress, frozenset(), frozenset(), Table(ranked, Meetings()), None)


def clarity(first: int | None, second: int | None, more: int | None) -> Clarity:
    """The order bob:2, ana, bob:1; each of the two gaps needs so many more blocks."""
    gaps = [
        Neighbours(better, worse, needs == 0, 20, 0.0 if needs == 0 else 0.3, needs)
        for better, worse, needs in ((2, 0, first), (0, 1, second))
    ]
    return Clarity(40, Separation((2, 0, 1), tuple(gaps)), more)


def test_a_clear_order_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    """With the probability that it was played for; versions of one bot are told apart."""
    show_clarity(overview(2, 0, 1), clarity(0, 0, 0))
    assert capsys.readouterr().out.splitlines() == [
        "order after 40 blocks: bob:2 > ana > bob:1",
        "clear: neighbours are separated with probability 0.95",
    ]


def test_open_pairs_are_shown_with_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    show_clarity(overview(2, 0, 1), clarity(0, 1200, 1200))
    told = capsys.readouterr().out
    assert "order after 40 blocks: bob:2 > ana ? bob:1" in told
    assert "about 1,200" in told
    assert "it may have 600 blocks; about 1,200 more blocks would make the order clear" in told


def test_where_nothing_shows_a_difference_there_is_no_telling(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As between equal bots, when the blocks are used up."""
    show_clarity(overview(2, 0, 1, state=TournamentState.FINISHED), clarity(0, None, None))
    told = capsys.readouterr().out
    assert "no telling" in told
    assert "all 600 blocks that it may have were played; nothing shows yet that all of" in told


def test_a_rating_that_has_it_the_other_way_round_is_pointed_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of pairs that are proven, and of those only."""
    show_clarity(overview(1, 0, 2), clarity(0, 30, 30))
    told = capsys.readouterr().out
    assert "the rating has ana before bob:2: go by the order here" in told
    assert "the rating has bob:1" not in told


def test_a_wave_is_told_in_one_line() -> None:
    assert open_line(TOURNAMENT, clarity(0, 7, 7)) == "40 of at most 600 blocks, open: ana ? bob:1"
