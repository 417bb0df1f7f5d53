"""What a version has played: the newest first, across tournaments, and only what one may see."""

import pytest

from arena.store import Seeing, Store, Tournament
from arena.store.careers import Outing
from arena.store.testing import make_tournament, new_result, replay_of


def play(store: Store, tournament: Tournament) -> None:
    """All of it: seat 0 wins."""
    for match in store.matches(tournament.id):
        store.record_result(tournament.id, new_result(match), replay_of(match))


@pytest.fixture
def played(store: Store) -> Store:
    """Two tournaments of the same two bots, the second one private and olga's."""
    play(store, make_tournament(store, "first", blocks=2))
    play(store, make_tournament(store, "second", blocks=2, private=True, organiser="olga"))
    return store


def places(store: Store, seeing: Seeing, **asked: object) -> list[tuple[int, ...]]:
    """Where bot0 has played."""
    version = store.find_version("bot0").id
    found = store.careers.latest([version], seeing, **{"most": 99, **asked})  # type: ignore[arg-type]
    return [tuple(each.at) for each in found]


EVERYTHING = Seeing(all=True)
FIRST = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (1, 0, 0)]
SECOND = [(2, block, rotation) for _, block, rotation in FIRST]


def test_the_newest_come_first(played: Store) -> None:
    """By tournament, and in each by its schedule."""
    assert places(played, EVERYTHING) == SECOND + FIRST


@pytest.mark.parametrize(
    ("seeing", "sees"),
    [
        (Seeing(), FIRST),
        (Seeing("bob"), FIRST),
        (Seeing("olga"), SECOND + FIRST),
        (Seeing("ana"), SECOND + FIRST),
    ],
)
def test_private_ones_are_seen_by_who_has_to_do_with_them(
    played: Store, seeing: Seeing, sees: list[tuple[int, ...]]
) -> None:
    """Its organiser and the authors of its entries, ana here."""
    assert places(played, seeing) == sees


def test_a_part_goes_on_behind_the_one_before(played: Store) -> None:
    """Whatever its size, nothing is left out and nothing comes twice."""
    for most in (1, 2, 3, 5):
        found: list[tuple[int, ...]] = []
        while part := places(
            played, EVERYTHING, most=most, before=Outing(*found[-1]) if found else None
        ):
            found += part
        assert found == SECOND + FIRST


def test_an_appearance_says_how_it_went_from_there(played: Store) -> None:
    """Seat, rank, faults, who else was at the table."""
    version = played.find_version("bot0").id
    last, before_it = played.careers.latest([version], Seeing(), most=2)
    assert (last.tournament, last.seat, last.rank, len(last.faults)) == ("first", 1, 2, 1)
    assert (before_it.seat, before_it.rank, before_it.table_size) == (0, 1, 2)
    (fellow,) = last.fellows
    assert (fellow.bot, fellow.version, fellow.rank) == ("bot1", 1, 1)


def test_versions_of_one_bot_at_one_table_are_both_there(played: Store) -> None:
    """Each with the other one as its fellow."""
    both = [played.find_version(bot).id for bot in ("bot0", "bot1")]
    found = played.careers.latest(both, Seeing(), most=2)
    assert [each.at for each in found] == [Outing(1, 1, 1)] * 2
    assert {each.fellows[0].bot for each in found} == {"bot0", "bot1"}


def test_lists_of_tournaments_go_without_entries(played: Store) -> None:
    """But say how many there are."""
    (one,) = played.pages.listed(Seeing(), most=9)
    assert (one.tournament.name, one.tournament.entries, one.entries) == ("first", (), 2)
    assert [each.tournament.name for each in played.pages.listed(Seeing("olga"), most=9)] == [
        "second",
        "first",
    ]
