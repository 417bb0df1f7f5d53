"""Options: their bounds, and errors that say what is allowed."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from arenabot.options import ClaimOptions, ClaimsOptions, OptionError, Options


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (ClaimsOptions, {"target": 300, "stall_laps": 20, "max_laps": 500, "max_rounds": 500}),
        (
            ClaimOptions,
            {"target": 300, "stall_laps": 20, "max_laps": 100, "max_rounds": 500, "claim_laps": 2},
        ),
    ],
)
def test_the_defaults_are_those_of_the_rulings(
    kind: type[Options], expected: dict[str, int]
) -> None:
    """X8, Claims 9, Claim! 4 and 6; as a dictionary they make equal options again."""
    assert kind().as_dict() == expected
    assert kind.of(expected) == kind.of({}) == kind()


@pytest.mark.parametrize("kind", [ClaimsOptions, ClaimOptions])
def test_an_unknown_option_is_refused_with_those_there_are(kind: type[Options]) -> None:
    """The error names what was given and every option."""
    known = ", ".join(kind().as_dict())
    with pytest.raises(OptionError, match=f"unknown option 'taget'; there are: {known}"):
        kind.of({"taget": 300})


@pytest.mark.parametrize(
    ("kind", "name", "low", "high"),
    [
        (ClaimsOptions, "stall_laps", 1, 10_000),
        (ClaimsOptions, "max_laps", 2, 10_000),
        (ClaimsOptions, "max_rounds", 1, 10_000),
        (ClaimOptions, "target", 50, 1000),
        (ClaimOptions, "claim_laps", 0, 10),
    ],
)
def test_a_number_is_taken_within_its_bounds_and_refused_beyond_them(
    kind: type[Options], name: str, low: int, high: int
) -> None:
    """Both bounds are allowed, the numbers next to them are not."""
    for allowed in (low, high):
        assert kind.of({name: allowed}).as_dict()[name] == allowed
    for refused in (low - 1, high + 1):
        with pytest.raises(
            OptionError,
            match=f"{name} is {refused}, but must be a whole number from {low} to {high}",
        ):
            kind.of({name: refused})


@pytest.mark.parametrize("value", [True, 20.0, "20", None, [20]])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    """Neither truth values nor fractions nor texts pass for numbers."""
    for name in ("stall_laps", "max_laps", "max_rounds", "target"):
        with pytest.raises(OptionError, match=f"{name} is "):
            ClaimsOptions.of({name: value})


@pytest.mark.parametrize("target", [150, 300])
def test_claims_is_played_to_150_or_300(target: int) -> None:
    """Short and Classic."""
    assert ClaimsOptions(target=target).target == target


def test_max_laps_of_claim_must_exceed_claim_laps() -> None:
    """Else nobody could ever claim (X8)."""
    assert ClaimOptions(max_laps=11, claim_laps=10).claim_laps == 10
    with pytest.raises(OptionError, match="max_laps is 10, but must be more than claim_laps"):
        ClaimOptions(max_laps=10, claim_laps=10)


def test_options_cannot_be_changed_and_can_be_pickled_and_hashed() -> None:
    """They are the same in every process."""
    options = ClaimsOptions(target=150)
    with pytest.raises(AttributeError):
        options.target = 300  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301 - our own
    assert len({options, ClaimsOptions(target=150)}) == 1
