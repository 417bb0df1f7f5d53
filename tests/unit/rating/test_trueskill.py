"""TrueSkill as we use it: the package's numbers, safe where the package is not."""

import subprocess
import sys
from pathlib import Path

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import (
    SIGMA_FLOOR,
    MatchResult,
    Rating,
    RatingError,
    TrueSkillRater,
    standings,
)

beliefs = st.builds(Rating, st.floats(-50, 100), st.floats(0.5, 25 / 3))


def run(code: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    command = [sys.executable, *flags, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_ratings_are_those_of_the_package() -> None:
    """A match of four with a tie, then one of two, worked out by calling the package itself."""
    env = trueskill.TrueSkill(draw_probability=0.1, backend=None)
    four = [(env.create_rating(),) for _ in range(4)]
    (a,), (b,), (c,), (d,) = env.rate(four, ranks=[2, 1, 2, 4])
    (a,), (d,) = env.rate([(a,), (d,)], ranks=[2, 1])
    found = standings(
        [
            MatchResult((0, 0), (0, 1, 2, 3), (2, 1, 2, 4), (5, 1, 5, 9), (0, 0, 0, 0)),
            MatchResult((0, 1), (0, 3), (2, 1), (9, 1), (0, 0)),
        ],
        rater=TrueSkillRater(draw_probability=0.1),
    )
    assert {s.entry: (s.mu, s.sigma) for s in found} == {
        entry: (rating.mu, rating.sigma) for entry, rating in enumerate((a, b, c, d))
    }


def test_known_numbers_come_out_on_every_platform() -> None:
    """The first match of two with the usual settings, as published for the package."""
    rater = TrueSkillRater(draw_probability=0.1)
    after = rater.update({0: rater.new(), 1: rater.new()}, {0: 1, 1: 2})
    assert after[0].mu == pytest.approx(29.396, abs=1e-3)
    assert after[1].mu == pytest.approx(20.604, abs=1e-3)
    assert after[0].sigma == after[1].sigma == pytest.approx(7.171, abs=1e-3)


@settings(deadline=None)
@given(beliefs, beliefs)
def test_a_winner_never_falls_and_a_loser_never_rises(one: Rating, other: Rating) -> None:
    """Whatever was believed of the two before."""
    after = TrueSkillRater().update({0: one, 1: other}, {0: 1, 1: 2})
    assert after[0].mu >= one.mu - 1e-9
    assert after[1].mu <= other.mu + 1e-9


@settings(deadline=None)
@given(beliefs, beliefs, st.sampled_from([0, 1e-9, 0.01, 0.3]))
def test_a_tie_draws_two_together(one: Rating, other: Rating, probability: float) -> None:
    """Neither passes the other's old strength, also where ties were said never to happen."""
    after = TrueSkillRater(draw_probability=probability).update({0: one, 1: other}, {0: 1, 1: 1})
    low, high = sorted([one.mu, other.mu])
    assert low - 0.01 <= min(after[0].mu, after[1].mu) <= max(after[0].mu, after[1].mu)
    assert max(after[0].mu, after[1].mu) <= high + 0.01
    assert abs(after[0].mu - after[1].mu) <= high - low + 0.01


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("probability", [0, 0.01, 0.5])
def test_ties_make_more_certain_at_any_draw_probability(size: int, probability: float) -> None:
    """With 0 the package itself would let sigma grow without end."""
    rater = TrueSkillRater(draw_probability=probability)
    believed = dict.fromkeys(range(size), rater.new())
    for _ in range(40):
        believed = rater.update(believed, dict.fromkeys(range(size), 1))
    assert all(rating.sigma < 2.5 for rating in believed.values())


@pytest.mark.parametrize("size", range(2, 9))
def test_a_tie_of_all_leaves_equals_equal(size: int) -> None:
    """To a hundredth: beyond two, the package's answer depends a little on the order."""
    rater = TrueSkillRater()
    after = rater.update(dict.fromkeys(range(size), rater.new()), dict.fromkeys(range(size), 1))
    assert {round(rating.mu, 2) for rating in after.values()} == {25.0}
    sigmas = [rating.sigma for rating in after.values()]
    assert max(sigmas) - min(sigmas) < 0.01
    if size == 2:
        assert after[0] == after[1]


def test_the_order_of_the_mappings_makes_no_difference() -> None:
    """Bit for bit with ties, where the package's answer depends on it."""
    rater = TrueSkillRater(draw_probability=0.1)
    before = {entry: Rating(20.0 + 3 * entry, 3.0 + entry) for entry in range(4)}
    ranks = {0: 2, 1: 2, 2: 1, 3: 2}
    backwards = rater.update(dict(reversed(before.items())), dict(reversed(ranks.items())))
    assert rater.update(before, ranks) == backwards


def test_nobody_is_known_better_than_the_floor() -> None:
    """However often they play."""
    rater = TrueSkillRater(sigma_floor=3.0)
    believed = dict.fromkeys(range(4), rater.new())
    for _ in range(60):
        believed = rater.update(believed, {0: 1, 1: 2, 2: 3, 3: 4})
    assert {rating.sigma for rating in believed.values()} == {3.0}
    assert TrueSkillRater().update({0: Rating(25.0, 1e-9), 1: Rating(25.0, 1e-9)}, {0: 1, 1: 2})[
        0
    ].sigma == pytest.approx(SIGMA_FLOOR, rel=0.01)


def test_the_greatest_surprise_is_rated() -> None:
    """After 500 matches that all end alike, the last wins and the first is last."""
    rater = TrueSkillRater(draw_probability=0)
    believed = dict.fromkeys(range(8), rater.new())
    for _ in range(500):
        believed = rater.update(believed, {entry: entry + 1 for entry in range(8)})
    after = rater.update(believed, {entry: 8 - entry for entry in range(8)})
    assert after[7].mu > believed[7].mu
    assert after[0].mu < believed[0].mu
    tied = rater.update({0: believed[0], 7: believed[7]}, {0: 1, 7: 1})
    assert tied[7].mu > believed[7].mu


@pytest.mark.parametrize("probability", [-0.1, 1.0, 2.0, float("nan")])
def test_a_draw_probability_out_of_bounds_is_refused(probability: float) -> None:
    """With what is allowed."""
    with pytest.raises(RatingError, match="from 0 to below 1"):
        TrueSkillRater(draw_probability=probability)


@pytest.mark.parametrize("floor", [0.0, -1.0, float("nan")])
def test_a_floor_out_of_bounds_is_refused(floor: float) -> None:
    """With what is allowed."""
    with pytest.raises(RatingError, match="above 0"):
        TrueSkillRater(sigma_floor=floor)


def test_using_it_is_clean_where_every_warning_is_an_error(tmp_path: Path) -> None:
    """Also when the package is compiled for the first time."""
    code = "from arena.rating import TrueSkillRater; TrueSkillRater()"
    done = run(code, "-W", "error", "-X", f"pycache_prefix={tmp_path}")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_package_alone_would_not_be_clean(tmp_path: Path) -> None:
    """So the test before this one shows something."""
    done = run("import trueskill", "-W", "error", "-X", f"pycache_prefix={tmp_path}")
    assert "invalid escape sequence" in done.stderr


def test_other_warnings_go_their_way(tmp_path: Path) -> None:
    """The same warning from other code is an error again once the package is loaded."""
    code = r"""if True:
        from arena.rating import TrueSkillRater
        TrueSkillRater()
        print("loaded")
        compile(r"'\d'", "other.py", "eval")
    """
    done = run(code, "-W", "error", "-X", f"pycache_prefix={tmp_path}")
    assert done.stdout == "loaded\n"
    assert "other.py" in done.stderr
    assert "invalid escape sequence" in done.stderr


def test_reading_ratings_loads_nothing_that_rates() -> None:
    """The package comes with the first rater, and no backend ever."""
    code = (
        "import sys, arena.rating as r; assert 'trueskill' not in sys.modules;"
        "r.TrueSkillRater().update({0: r.Rating(25, 8), 1: r.Rating(25, 8)}, {0: 1, 1: 1});"
        "assert 'trueskill' in sys.modules; assert not {'scipy', 'mpmath'} & set(sys.modules)"
    )
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")
