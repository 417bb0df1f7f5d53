"""The plain arithmetic of TrueSkill: the package's to the last digits, and sound far out."""

import math
from statistics import NormalDist

import pytest
import trueskill
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.rating.freeforall import draw_margin, updated

BETA = 25 / 6


def exact(draw_probability: float) -> trueskill.TrueSkill:
    """The package with an exact normal distribution in the place of its own."""
    return trueskill.TrueSkill(
        tau=0,
        draw_probability=draw_probability,
        backend=(
            lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
            lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
            NormalDist().inv_cdf,
        ),
    )


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.tuples(st.floats(-50, 100), st.floats(0.1, 25), st.integers(1, 8)),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([0.001, 0.05, 0.4]),
)
def test_it_is_the_packages_algorithm(
    table: list[tuple[float, float, int]], draw_probability: float
) -> None:
    """To eight digits where the package has an exact normal distribution: tables of 2 to 8, any
    ties, any strengths that it can compute with."""
    table.sort(key=lambda entry: entry[2])
    means, sigmas, ranks = (list(column) for column in zip(*table, strict=True))
    env = exact(draw_probability)
    groups = [(trueskill.Rating(*entry[:2]),) for entry in table]
    try:
        rated = env.rate(groups, ranks=ranks)
    except (FloatingPointError, ValueError):
        assume(False)  # it gives up on some of the greatest surprises
    found_means, variances = updated(
        means,
        [sigma**2 for sigma in sigmas],
        ranks,
        BETA**2,
        draw_margin(draw_probability, BETA),
    )
    assert found_means == pytest.approx([one.mu for (one,) in rated], rel=1e-6, abs=1e-6)
    assert [math.sqrt(one) for one in variances] == pytest.approx(
        [one.sigma for (one,) in rated], rel=1e-6
    )


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-1e5, 1e5), st.floats(1e-3, 100), st.integers(1, 8)),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([0.001, 0.05, 0.4]),
)
def test_no_surprise_is_too_great(
    table: list[tuple[float, float, int]], draw_probability: float
) -> None:
    """Whatever was believed and happened, numbers come out, and nobody is less certain for it."""
    table.sort(key=lambda entry: entry[2])
    means, sigmas, ranks = (list(column) for column in zip(*table, strict=True))
    found, variances = updated(
        means,
        [sigma**2 for sigma in sigmas],
        ranks,
        BETA**2,
        draw_margin(draw_probability, BETA),
    )
    assert all(map(math.isfinite, found))
    for before, after in zip(sigmas, variances, strict=True):
        assert 0 < math.sqrt(after) <= before * (1 + 1e-9)


@pytest.mark.parametrize("tie", [False, True])
def test_beyond_what_floats_can_hold_it_goes_on_smoothly(tie: bool) -> None:
    """Where the area of the tail becomes too small the next formula takes over without a step."""

    def after(apart: float) -> tuple[list[float], list[float]]:
        return updated([25, 25 + apart], [1, 1], [1, 1 if tie else 2], 1, 0.01)

    # The difference has a standard deviation of 2, the formulas change at 35 of them.
    for less, more in [(69.9, 70.1), (69.99, 70.05)]:
        (one, other), (one_variance, _) = after(less)
        (far, farther), (far_variance, _) = after(more)
        assert 0 < far - one < more - less
        assert 0 < farther - other < more - less
        assert far_variance == pytest.approx(one_variance, rel=1e-4)


def test_a_margin_is_what_equals_tie_by() -> None:
    """The difference of two equal performances lies within it as often as was said."""
    margin = draw_margin(0.2, 3.0)
    difference = NormalDist(0, math.sqrt(2) * 3.0)
    assert difference.cdf(margin) - difference.cdf(-margin) == pytest.approx(0.2)
