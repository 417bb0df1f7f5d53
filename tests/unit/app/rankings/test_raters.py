"""Each game is rated with what was measured of it, in any of the ways there are."""

from __future__ import annotations

import pytest

from arena.app.errors import WrongCall
from arena.app.rankings.raters import DRAWS, WAYS, learner
from arena.games import GAMES
from arena.rating import MatchResult, standings

RESULTS = [
    MatchResult((0, 0), (0, 1, 2), (1, 2, 2), (0, 1, 1), (0, 0, 0)),
    MatchResult((0, 1), (1, 2, 0), (2, 3, 1), (5, 9, 0), (0, 0, 0)),
    MatchResult((0, 2), (2, 0, 1), (2, 1, 2), (4, 0, 4), (0, 0, 0)),
]


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_players_was_measured(game: str) -> None:
    """None is left to a guess."""
    assert list(DRAWS[game]) == list(GAMES[game].seats)
    assert all(0 < draws < 0.5 for draws in DRAWS[game].values())


@pytest.mark.parametrize("way", WAYS)
def test_every_way_puts_the_winner_first(way: str) -> None:
    """In a block that one entry has won three times."""
    found = standings(RESULTS, learner=learner("claro", way))
    assert found[0].entry == 0
    assert found[0].mu > found[1].mu + 1


def test_the_package_and_plain_floats_give_the_same_ranking() -> None:
    """To a thousandth."""
    plain, package = (standings(RESULTS, learner=learner("claro", w)) for w in ("match", "package"))
    for one, other in zip(plain, package, strict=True):
        assert one.entry == other.entry
        assert one.mu == pytest.approx(other.mu, abs=1e-3)
        assert one.sigma == pytest.approx(other.sigma, abs=1e-3)


def test_a_win_says_more_where_ties_are_common() -> None:
    """In Claro, where somebody often ties, whoever wins is further ahead than in Claims."""
    rare, common = (standings(RESULTS[:1], learner=learner(game)) for game in ("claims", "claro"))
    assert common[0].mu > rare[0].mu


def test_a_way_that_does_not_exist_is_refused_in_one_line() -> None:
    """With those that do."""
    with pytest.raises(WrongCall, match="match, block, passes, package, not by elo") as error:
        learner("claims", "elo")
    assert "\n" not in str(error.value)
