"""TrueSkill as we use it, either way: the package's numbers, safe where the package is not."""

import subprocess
import sys
from pathlib import Path

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import (
    SIGMA_FLOOR,
    ByMatch,
    MatchResult,
    PackageRater,
    Rating,
    RatingError,
    TrueSkillRater,
    standings,
)

AnyRater = type[TrueSkillRater | PackageRater]
RATERS = pytest.mark.parametrize("rated_by", [TrueSkillRater, PackageRater])

beliefs = st.builds(Rating, st.floats(-50, 100), st.floats(0.5, 25 / 3))
usual = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3))


def run(code: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    command = [sys.executable, *flags, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_ratings_are_those_of_the_package() -> None:
    """A match of four with a tie, then one of two, worked out by calling the package itself."""
    env = trueskill.TrueSkill(draw_probability=0.1, tau=0, backend=None)
    four = [(env.create_rating(),) for _ in range(4)]
    (a,), (b,), (c,), (d,) = env.rate(four, ranks=[2, 1, 2, 4])
    (a,), (d,) = env.rate([(a,), (d,)], ranks=[2, 1])
    found = standings(
        [
            MatchResult((0, 0), (0, 1, 2, 3), (2, 1, 2, 4), (5, 1, 5, 9), (0, 0, 0, 0)),
            MatchResult((0, 1), (0, 3), (2, 1), (9, 1), (0, 0)),
        ],
        learner=ByMatch(PackageRater(draw_probability=0.1)),
    )
    assert {s.entry: (s.mu, s.sigma) for s in found} == {
        entry: (rating.mu, rating.sigma) for entry, rating in enumerate((a, b, c, d))
    }


@settings(deadline=None, max_examples=100)
@given(
    st.lists(usual, min_size=2, max_size=8).flatmap(
        lambda known: st.tuples(
            st.just(dict(enumerate(known))),
            st.lists(st.integers(1, 8), min_size=len(known), max_size=len(known)),
        )
    ),
    st.sampled_from([0.01, 0.3]),
    st.sampled_from([0.0, 0.1]),
    st.sampled_from([1, 0.5, 6]),
)
def test_plain_floats_agree_with_the_package(
    match: tuple[dict[int, Rating], list[int]], probability: float, drift: float, matches: float
) -> None:
    """At all table sizes, with ties, surprises, drift: to a ten thousandth at worst, since the
    package's own normal distribution is not exact."""
    before, ranks = match[0], dict(enumerate(match[1]))
    ours, theirs = (
        rated_by(draw_probability=probability, drift=drift).update(before, ranks, matches=matches)
        for rated_by in (TrueSkillRater, PackageRater)
    )
    for entry in before:
        assert ours[entry].mu == pytest.approx(theirs[entry].mu, abs=1e-4)
        assert ours[entry].sigma == pytest.approx(theirs[entry].sigma, abs=1e-4)


@RATERS
def test_known_numbers_come_out_on_every_platform(
    rated_by: AnyRater,
) -> None:
    """The first match of two with the usual settings, as published for the package."""
    rater = rated_by(draw_probability=0.1)
    after = rater.update({0: rater.new(), 1: rater.new()}, {0: 1, 1: 2})
    assert after[0].mu == pytest.approx(29.396, abs=1e-3)
    assert after[1].mu == pytest.approx(20.604, abs=1e-3)
    assert after[0].sigma == after[1].sigma == pytest.approx(7.171, abs=1e-3)


@settings(deadline=None)
@given(beliefs, beliefs)
@RATERS
def test_a_winner_never_falls_and_a_loser_never_rises(
    rated_by: AnyRater, one: Rating, other: Rating
) -> None:
    """Whatever was believed of the two before."""
    after = rated_by().update({0: one, 1: other}, {0: 1, 1: 2})
    assert after[0].mu >= one.mu - 1e-9
    assert after[1].mu <= other.mu + 1e-9


@settings(deadline=None)
@given(beliefs, beliefs, st.sampled_from([0, 1e-9, 0.01, 0.3]))
@RATERS
def test_a_tie_draws_two_together(
    rated_by: AnyRater, one: Rating, other: Rating, probability: float
) -> None:
    """Neither passes the other's old strength, also where ties were said never to happen."""
    after = rated_by(draw_probability=probability).update({0: one, 1: other}, {0: 1, 1: 1})
    low, high = sorted([one.mu, other.mu])
    assert low - 0.01 <= min(after[0].mu, after[1].mu) <= max(after[0].mu, after[1].mu)
    assert max(after[0].mu, after[1].mu) <= high + 0.01
    assert abs(after[0].mu - after[1].mu) <= high - low + 0.01


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("probability", [0, 0.01, 0.5])
@RATERS
def test_ties_make_more_certain_at_any_draw_probability(
    rated_by: AnyRater, size: int, probability: float
) -> None:
    """With 0 the package itself would let sigma grow without end."""
    rater = rated_by(draw_probability=probability)
    believed = dict.fromkeys(range(size), rater.new())
    for _ in range(40):
        believed = rater.update(believed, dict.fromkeys(range(size), 1))
    assert all(rating.sigma < 2.5 for rating in believed.values())


@pytest.mark.parametrize("size", range(2, 9))
@RATERS
def test_a_tie_of_all_leaves_equals_equal(rated_by: AnyRater, size: int) -> None:
    """To a hundredth: beyond two, the package's answer depends a little on the order."""
    rater = rated_by()
    after = rater.update(dict.fromkeys(range(size), rater.new()), dict.fromkeys(range(size), 1))
    assert {round(rating.mu, 2) for rating in after.values()} == {25.0}
    sigmas = [rating.sigma for rating in after.values()]
    assert max(sigmas) - min(sigmas) < 0.01
    if size == 2:
        assert after[0] == after[1]


@RATERS
def test_the_order_of_the_mappings_makes_no_difference(rated_by: AnyRater) -> None:
    """Bit for bit with ties, where the package's answer depends on it."""
    rater = rated_by(draw_probability=0.1)
    before = {entry: Rating(20.0 + 3 * entry, 3.0 + entry) for entry in range(4)}
    ranks = {0: 2, 1: 2, 2: 1, 3: 2}
    backwards = rater.update(dict(reversed(before.items())), dict(reversed(ranks.items())))
    assert rater.update(before, ranks) == backwards


@RATERS
def test_nobody_is_known_better_than_the_floor(rated_by: AnyRater) -> None:
    """However often they play."""
    rater = rated_by(sigma_floor=3.0)
    believed = dict.fromkeys(range(4), rater.new())
    for _ in range(60):
        believed = rater.update(believed, {0: 1, 1: 2, 2: 3, 3: 4})
    assert {rating.sigma for rating in believed.values()} == {3.0}
    assert rated_by().update({0: Rating(25.0, 1e-9), 1: Rating(25.0, 1e-9)}, {0: 1, 1: 2})[
        0
    ].sigma == pytest.approx(SIGMA_FLOOR, rel=0.01)


@RATERS
def test_the_greatest_surprise_is_rated(rated_by: AnyRater) -> None:
    """After 500 matches that all end alike, the last wins and the first is last."""
    rater = rated_by(draw_probability=0)
    believed = dict.fromkeys(range(8), rater.new())
    for _ in range(500):
        believed = rater.update(believed, {entry: entry + 1 for entry in range(8)})
    after = rater.update(believed, {entry: 8 - entry for entry in range(8)})
    assert after[7].mu > believed[7].mu
    assert after[0].mu < believed[0].mu
    tied = rater.update({0: believed[0], 7: believed[7]}, {0: 1, 7: 1})
    assert tied[7].mu > believed[7].mu


def test_what_the_package_cannot_compute_is_said_in_one_line() -> None:
    """Four equals and one far better than they tie; in plain floats this is no trouble."""
    before = {0: Rating(0, 1), 1: Rating(0, 1), 2: Rating(0, 1), 3: Rating(0, 1), 4: Rating(85, 1)}
    with pytest.raises(RatingError, match="use the rater in plain floats") as error:
        PackageRater(beta=1, draw_probability=0).update(before, dict.fromkeys(before, 1))
    assert "\n" not in str(error.value)
    after = TrueSkillRater(beta=1, draw_probability=0).update(before, dict.fromkeys(before, 1))
    assert 0 < after[0].mu < after[4].mu < 85


@pytest.mark.parametrize("probability", [-0.1, 1.0, 2.0, float("nan")])
@RATERS
def test_a_draw_probability_out_of_bounds_is_refused(
    rated_by: AnyRater, probability: float
) -> None:
    """With what is allowed."""
    with pytest.raises(RatingError, match="from 0 to below 1"):
        rated_by(draw_probability=probability)


@pytest.mark.parametrize("floor", [0.0, -1.0, float("nan")])
@RATERS
def test_a_floor_out_of_bounds_is_refused(rated_by: AnyRater, floor: float) -> None:
    """With what is allowed."""
    with pytest.raises(RatingError, match="above 0"):
        rated_by(sigma_floor=floor)


def test_using_it_is_clean_where_every_warning_is_an_error(tmp_path: Path) -> None:
    """Also when the package is compiled for the first time."""
    code = (
        "from arena.rating import PackageRater, Rating;"
        "PackageRater().update({0: Rating(25, 8), 1: Rating(25, 8)}, {0: 1, 1: 2})"
    )
    done = run(code, "-W", "error", "-X", f"pycache_prefix={tmp_path}")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_package_alone_would_not_be_clean(tmp_path: Path) -> None:
    """So the test before this one shows something."""
    done = run("import trueskill", "-W", "error", "-X", f"pycache_prefix={tmp_path}")
    assert "invalid escape sequence" in done.stderr


def test_other_warnings_go_their_way(tmp_path: Path) -> None:
    """The same warning from other code is an error again once the package is loaded."""
    code = r"""if True:
        from arena.rating import PackageRater
        rater = PackageRater()
        rater.update(dict.fromkeys((0, 1), rater.new()), {0: 1, 1: 2})
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
        "import sys, arena.rating as r; r.PackageRater(); assert 'trueskill' not in sys.modules;"
        "r.PackageRater().update({0: r.Rating(25, 8), 1: r.Rating(25, 8)}, {0: 1, 1: 1});"
        "assert 'trueskill' in sys.modules; assert not {'scipy', 'mpmath'} & set(sys.modules)"
    )
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")
