"""Long lists in parts: each goes on behind the one before, and all together are the whole."""

from __future__ import annotations

import pytest

from arena.store import MatchKey, MatchStatus, NotFound, Seeing, Store, Tournament
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)


def _matches(
    store: Store, cup: Tournament, most: int, status: MatchStatus | None = None
) -> list[str]:
    """All matches, page by page."""
    found: list[str] = []
    after: MatchKey | None = None
    while page := store.pages.matches(cup.id, after=after, most=most, status=status):
        assert len(page) <= most
        found += [match.id for match in page]
        after = page[-1].key
    return found


@pytest.mark.parametrize("most", [1, 2, 4, 5, 100])
def test_pages_of_matches_are_all_matches_in_their_order(store: Store, most: int) -> None:
    """Whole or cut within blocks, of one status or all; and another tournament's are not theirs."""
    cup, other = make_tournament(store, size=3, blocks=4), make_tournament(store, "other")
    for tournament in (cup, other):
        for match in store.matches(tournament.id)[1:4]:
            store.record_result(tournament.id, new_result(match), replay_of(match))
    every = store.matches(cup.id)
    assert _matches(store, cup, most) == [match.id for match in every]
    for status in MatchStatus:
        listed = [match.id for match in every if match.status is status]
        assert _matches(store, cup, most, status) == listed


def test_a_page_goes_on_though_what_comes_before_has_changed(store: Store, cup: Tournament) -> None:
    """A match that was played meanwhile moves nothing."""
    first = store.pages.matches(cup.id, most=2)
    for match in first:
        store.record_result(cup.id, new_result(match), replay_of(match))
    pending = MatchStatus.PENDING
    assert [
        match.id
        for match in store.pages.matches(cup.id, after=first[-1].key, most=2, status=pending)
    ] == ["m1-0", "m1-1"]


def test_results_of_some_blocks(store: Store, cup: Tournament) -> None:
    """From a first to a last one, as `results` has them."""
    for match in store.matches(cup.id)[:5]:
        store.record_result(cup.id, new_result(match), replay_of(match))
    every = store.results(cup.id)
    assert store.pages.results(cup.id, 1, 2) == every[2:]
    assert store.pages.results(cup.id, 0, 0) == every[:2]
    assert store.pages.results(cup.id, 3, 9) == []


def test_matches_of_no_tournament_are_not_found(store: Store) -> None:
    with pytest.raises(NotFound):
        store.pages.matches(99, most=1)


def _names(store: Store, who: Seeing, game: str | None = None) -> list[str]:
    found: list[str] = []
    before: int | None = None
    while page := store.pages.tournaments(who, before=before, most=2, game=game):
        found += [tournament.name for tournament in page]
        before = page[-1].id
    return found


def test_tournaments_come_newest_first_and_private_ones_only_to_those_concerned(
    store: Store,
) -> None:
    """That is who organises one, who has a bot in it, and who may see all."""
    bots = {
        name: store.add_version(new_version(f"bot-{name}", author=name), b"")
        for name in ("ana", "bo")
    }
    for name, private, game in (
        ("one", False, "claims"),
        ("two", True, "claims"),
        ("three", True, "claro"),
        ("four", False, "claro"),
    ):
        new = new_tournament(name, private=private, game=game, organiser="olga", blocks=3)
        field = [bots["ana"], bots["bo"]] if name == "two" else []
        store.create_tournament(new, field, new_matches() if field else [])
    assert _names(store, Seeing()) == ["four", "one"]
    assert _names(store, Seeing("eve")) == ["four", "one"]
    assert _names(store, Seeing("bo")) == ["four", "two", "one"]
    assert _names(store, Seeing("olga")) == ["four", "three", "two", "one"]
    assert _names(store, Seeing(all=True)) == ["four", "three", "two", "one"]
    assert _names(store, Seeing("bo"), "claims") == ["two", "one"]
    (two,) = store.pages.tournaments(Seeing("bo"), most=1, game="claims")
    assert two == store.tournament("two")
