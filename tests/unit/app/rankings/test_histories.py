"""How bots came to their ratings: through a ranking's moments, and over matches of their own."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.app.rankings.histories import COLUMNS, History, OwnHistory
from arena.app.rankings.ranking import ranking
from arena.app.rankings.table import Table
from arena.rating import Rating
from arena.store import Store
from arena.store.testing import new_matches, new_result, new_tournament, new_version, replay_of


@pytest.fixture
def table(store: Store) -> Table:
    """First `early` and `always` play, then `always` and `late`."""
    early, always, late = (
        store.add_version(new_version(name), b"") for name in ("early", "always", "late")
    )
    for name, bots in (("one", (early, always)), ("two", (always, late))):
        cup = store.create_tournament(new_tournament(name), bots, new_matches())
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
    return ranking(store, "claims").table


def of(table: Table, *names: str) -> History:
    """The history of these bots."""
    rows = {row.version.bot: row for row in table.ranked}
    return History.of(table, [rows[name] for name in names])


def test_a_history_begins_with_the_first_match_of_any_of_them(table: Table) -> None:
    """And goes on to the newest one, also of who plays no more."""
    matches = {
        names: [moment.matches for moment in of(table, *names).moments]
        for names in (("early",), ("late",), ("late", "early"))
    }
    assert matches[("early",)] == matches[("late", "early")] == list(range(1, 13))
    assert matches[("late",)] == list(range(7, 13))
    assert of(table).moments == ()


def test_nothing_is_known_before_a_first_match(table: Table) -> None:
    """After the last one it is what the ranking says."""
    found = of(table, "late", "early")
    late, early = found.ratings(found.moments[5])
    assert late is None
    assert isinstance(early, Rating)
    assert found.ratings(found.moments[-1]) == [row.standing.rating for row in found.rows]


def test_a_document_has_a_list_of_numbers_for_each_and_lines_have_the_same(table: Table) -> None:
    """With four digits behind the point."""
    found = of(table, "late", "early")
    told = found.document()
    assert told["matches"] == list(range(1, 13))
    late, _ = told["bots"]
    assert late["scores"][:6] == late["mu"][:6] == late["sigma"][:6] == [None] * 6
    rating = found.rows[0].standing.rating
    newest = (late["scores"][-1], late["mu"][-1], late["sigma"][-1])
    assert newest == tuple(round(one, 4) for one in (rating.score, rating.mu, rating.sigma))
    lines = [line for line in found.lines() if line["bot"] == "late"]
    assert tuple(lines[0]) == COLUMNS
    assert tuple(lines[-1].values()) == (12, "late", 1, *newest)
    assert [line["score"] for line in lines] == late["scores"]


@pytest.mark.parametrize("most", [1, 2, 5, 12, 100])
def test_few_moments_are_chosen_evenly_with_the_newest(table: Table, most: int) -> None:
    """All of them where there are no more."""
    chosen = [moment.matches for moment in of(table, "early").thinned(most)]
    assert 1 <= len(chosen) <= most
    assert chosen[-1] == 12
    assert len({after - before for before, after in pairwise(chosen)}) <= 1
    if most >= 12:
        assert chosen == list(range(1, 13))


def own(table: Table, *names: str) -> OwnHistory:
    """The own histories of these bots."""
    rows = {row.version.bot: row for row in table.ranked}
    return OwnHistory.of(table, [rows[name] for name in names])


def test_an_own_history_counts_its_own_matches(table: Table) -> None:
    """Whatever else was played before, between and after; it ends with what the ranking says."""
    found = own(table, "late", "early", "always")
    told = [each["matches"] for each in found.document()["bots"]]
    assert told == [list(range(1, 7)), list(range(1, 7)), list(range(1, 13))]
    assert [path[-1].rating for path in found.paths] == [row.standing.rating for row in found.rows]
    assert own(table).document() == {"bots": []}


def test_an_own_history_s_lines_have_what_its_document_has(table: Table) -> None:
    """With four digits behind the point."""
    found = own(table, "late", "always")
    lines = found.lines()
    for told in found.document()["bots"]:
        mine = [line for line in lines if line["bot"] == told["bot"]]
        assert tuple(mine[0]) == COLUMNS
        assert [line["matches"] for line in mine] == told["matches"]
        for one, all_ in (("score", "scores"), ("mu", "mu"), ("sigma", "sigma")):
            assert [line[one] for line in mine] == told[all_]


@pytest.mark.parametrize("most", [1, 2, 5, 100])
def test_few_steps_are_chosen_of_each(table: Table, most: int) -> None:
    """Evenly, with the newest of each, in the order of rows."""
    found = own(table, "late", "always")
    chosen = found.thinned(most)
    for row, path in zip(found.rows, found.paths, strict=True):
        mine = [step for of, step in chosen if of == row]
        assert 1 <= len(mine) <= most
        assert mine[-1] == path[-1]
        assert most < 100 or mine == list(path)
