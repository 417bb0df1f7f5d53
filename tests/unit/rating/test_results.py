"""Results that make no sense are refused with one line."""

import pytest

from arena.rating import MatchResult, RatingError


@pytest.mark.parametrize(
    ("entries", "ranks", "points", "faults", "said"),
    [
        ((3,), (1,), (0,), (0,), "two or more different entries"),
        ((3, 3), (1, 2), (0, 1), (0, 0), "two or more different entries"),
        ((3, 4), (1, 2, 3), (0, 1), (0, 0), "for all its seats"),
        ((3, 4), (1, 2), (0,), (0, 0), "for all its seats"),
        ((3, 4), (1, 2), (0, 1), (), "for all its seats"),
        ((3, 4), (0, 1), (0, 1), (0, 0), "do not count up"),
        ((3, 4, 5), (1, 2, 2), (0, 1, 1), (0, 0, 0), None),
        ((3, 4, 5), (1, 1, 2), (0, 0, 1), (0, 0, 0), "do not count up"),
    ],
)
def test_a_result_must_fit_together(
    entries: tuple[int, ...],
    ranks: tuple[int, ...],
    points: tuple[int, ...],
    faults: tuple[int, ...],
    said: str | None,
) -> None:
    """Entries are different, lists are equally long, ranks skip after ties."""
    if said is None:
        assert MatchResult((0, 0), entries, ranks, points, faults).entries == entries
        return
    with pytest.raises(RatingError, match=said) as error:
        MatchResult((0, 0), entries, ranks, points, faults)
    assert "\n" not in str(error.value)
