"""A ranking that is kept and grows is, at every moment, the one that is worked out anew."""

import random
from dataclasses import replace

import pytest

from arena.app.rankings.ranking import Rankings, overview, ranking
from arena.store import Store
from arena.store.testing import make_tournament, new_result, replay_of
from tests.unit.app.rankings.chance import play


@pytest.mark.parametrize("way", ["match", "block", "passes"])
def test_it_is_the_same_after_every_match(store: Store, way: str) -> None:
    """Bit for bit, with matches in any order, holes, and tournaments at the same time."""
    chance = random.Random(way)
    kept = Rankings(store)
    first = make_tournament(store, "one", blocks=24, size=3)
    second = make_tournament(store, "two", blocks=16, size=3)
    to_play = [(cup, match) for cup in (first, second) for match in store.matches(cup.id)]
    # Nearly in schedule order, as workers play, and for a while both tournaments at once.
    to_play.sort(key=lambda one: one[1].key.block + 12 * one[0].id + chance.uniform(0, 3))
    for step, (cup, match) in enumerate(to_play):
        play(store, cup, match, chance)
        if step % 8 == 0 or step + 4 > len(to_play):
            assert kept.ranking("claims", way=way) == ranking(store, "claims", way=way)
            shown = kept.overview(cup, way=way)
            assert shown == overview(store, cup.name, way=way)
            assert [*shown.table.duels()] == [*overview(store, cup.name, way=way).table.duels()]
    assert any(row.beaten.luck for row in kept.ranking("claims", way=way).ranked)


def test_only_what_is_new_is_read(store: Store, reads: list[int]) -> None:
    """Nothing as long as nothing has come; then only the blocks that were not settled."""
    chance = random.Random(1)
    cup = make_tournament(store, blocks=10)
    kept = Rankings(store)
    for match in store.matches(cup.id)[:9]:
        store.record_result(cup.id, new_result(match), replay_of(match))
    kept.overview(cup)
    assert reads == [0]
    assert kept.overview(cup).ranked[0].standing.matches == 9
    assert reads == [0]
    for match in store.pending_matches(cup.id):
        play(store, cup, match, chance)
    kept.overview(cup)
    assert reads == [0, 4]
    kept.overview(cup)
    assert reads == [0, 4]


def test_it_keeps_no_more_than_it_may(store: Store, reads: list[int]) -> None:
    """What was not asked for longest is forgotten first, and worked out anew when asked for."""
    cups = [make_tournament(store, name, blocks=4) for name in ("one", "two", "three")]
    for cup in cups:
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
    kept = Rankings(store, most_bouts=8)
    one, two, three = cups
    for cup in (one, two, one, three, one):
        kept.overview(cup)
    assert len(reads) == 3
    kept.overview(two)
    assert len(reads) == 4


def test_a_private_tournament_is_in_no_public_ranking(store: Store) -> None:
    """Whoever ranks for himself sees it in his own."""
    for name, private in (("open", False), ("secret", True)):
        cup = make_tournament(store, name, blocks=1, private=private)
        for match in store.matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))
    kept = Rankings(store)
    assert [cup.name for cup in kept.ranking("claims", public=True).tournaments] == ["open"]
    assert [cup.name for cup in kept.ranking("claims").tournaments] == ["open", "secret"]
    assert kept.ranking("claims", public=True).ranked[0].standing.matches == 2


def test_what_a_bot_was_built_with_changes_nothing(store: Store) -> None:
    """Versions that came through a server know it, and can be ranked as all others."""
    cup = make_tournament(store, blocks=1)
    entries = tuple(
        replace(entry, version=replace(entry.version, provenance={"sdk": "1"}))
        for entry in cup.entries
    )
    built = Rankings(store).overview(replace(cup, entries=entries))
    plain = overview(store, "cup")
    assert [row.standing for row in built.ranked] == [row.standing for row in plain.ranked]
