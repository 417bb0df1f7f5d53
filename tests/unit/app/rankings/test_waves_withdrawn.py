"""Adaptive tournaments of which an entry is withdrawn: the same however they are stopped."""

from __future__ import annotations

import pytest

from arena.app.rankings.waves import Growth, clarity
from arena.store import MatchKey, Store, StoredMatch, Tournament, TournamentState
from arena.store.testing import new_tournament
from tests.unit.app.rankings.test_waves import STRENGTHS, create, finish, record


def growth_of(store: Store, cup: Tournament) -> Growth:
    growth = Growth.of(store, cup)
    assert growth is not None
    return growth


def later(store: Store, cup: Tournament) -> list[StoredMatch]:
    """The matches that were scheduled after the first entry was withdrawn."""
    first = store.tournament(cup.name).entries[0].withdrawn_from
    assert first is not None
    return [match for match in store.matches(cup.id) if match.key >= MatchKey(first, 0)]


@pytest.mark.parametrize("annul", [False, True])
@pytest.mark.parametrize("waves", [0, 1])
def test_it_goes_on_with_those_who_are_left(store: Store, annul: bool, waves: int) -> None:
    """The same for the process that was playing it and for one that takes it up later."""
    ends = []
    for name, forget in (("one", False), ("other", True)):
        cup = create(store, name)
        growth = growth_of(store, cup)
        for _ in range(waves):
            record(store, cup, store.pending_matches(cup.id), STRENGTHS)
            assert growth.grow()
        record(store, cup, store.pending_matches(cup.id)[:1], STRENGTHS)
        store.entering.withdraw(cup.id, "bot0", why="gone", annul=annul)
        record(store, cup, store.pending_matches(cup.id), STRENGTHS)
        if not forget:
            while growth.grow():
                record(store, cup, store.pending_matches(cup.id), STRENGTHS)
        ends.append(
            finish(store, cup, forget=True)
            if forget
            else [(match.id, match.seating) for match in store.matches(cup.id)]
        )
        assert store.progress(cup.id).state is TournamentState.FINISHED
        assert not [match for match in later(store, cup) if 0 in match.seating]
        found = clarity(store, store.tournament(name))
        assert found is not None
        assert found.separation.clear
        assert found.separation.order == (1, 2)
    assert ends[0] == ends[1]
    assert later(store, cup)


def test_a_withdrawal_between_choosing_a_wave_and_keeping_it_is_not_missed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wave is chosen anew, without that bot."""
    cup = create(store)
    record(store, cup, store.pending_matches(cup.id), STRENGTHS)
    growth = growth_of(store, cup)
    extend = store.extend_schedule
    tries = []

    def just_before(*told: object) -> None:
        tries.append(told)
        if len(tries) == 1:
            store.entering.withdraw(cup.id, "bot0", why="gone", annul=True)
        extend(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "extend_schedule", just_before)
    assert growth.grow()
    assert len(tries) == 2
    assert later(store, cup)
    assert not [match for match in later(store, cup) if 0 in match.seating]


def test_nothing_is_judged_before_a_schedule_is_drawn(store: Store) -> None:
    """Nobody is in it yet."""
    cup = store.create_tournament(new_tournament(blocks=0, until_clear=0.9))
    assert clarity(store, cup) is None
