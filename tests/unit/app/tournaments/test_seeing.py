"""Who may see what of a tournament, and when."""

from __future__ import annotations

import pytest

from arena.app.tournaments import seeing
from arena.store import NotFound, Seeing, Store
from arena.store.testing import make_tournament, new_result, replay_of


@pytest.mark.parametrize(
    ("who", "sees"),
    [
        (Seeing(), False),
        (Seeing("eve"), False),
        (Seeing("ana"), True),
        (Seeing("olga"), True),
        (Seeing("eve", all=True), True),
    ],
)
def test_a_private_one_is_there_only_for_those_concerned(
    store: Store, who: Seeing, sees: bool
) -> None:
    """Its organiser, the author of its bots, an admin; the others hear what they'd hear of none."""
    public = make_tournament(store, "open")
    hidden = make_tournament(store, "hidden", organiser="olga", private=True)
    assert seeing.may_see(public, who)
    assert seeing.find(store, "open", who) == public
    assert seeing.may_see(hidden, who) is sees
    if sees:
        assert seeing.find(store, "hidden", who) == hidden
        return
    with pytest.raises(NotFound) as told:
        seeing.find(store, "hidden", who)
    with pytest.raises(NotFound) as missing:
        seeing.find(store, "absent", who)
    assert str(told.value).replace("hidden", "absent") == str(missing.value)


def test_a_private_one_of_nobody_is_nobodys(store: Store) -> None:
    """A spectator has no name, and is not the organiser of what has none."""
    cup = make_tournament(store, private=True)
    assert cup.organiser is None
    assert not seeing.may_see(cup, Seeing())


def test_a_replay_is_released_with_its_block(store: Store) -> None:
    cup = make_tournament(store)
    first, second, *_ = store.matches(cup.id)
    for match, released in ((first, False), (second, True)):
        store.record_result(cup.id, new_result(match), replay_of(match))
        assert seeing.is_released(store, cup, first.id) is released
