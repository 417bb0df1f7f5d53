"""What a tournament is set up with."""

from __future__ import annotations

from typing import Any

import pytest

from arena.app.errors import ArenaError, WrongCall
from arena.app.tournaments import setting_up
from arena.app.tournaments.setting_up import Plan
from arena.schedule import ScheduleError
from arena.store import EntriesChanged, EntryRefused, Store, Tournament
from arena.store.testing import new_version
from arena.tournament.job import Isolation, Lodging


def _plan(**changes: Any) -> Plan:
    wanted: dict[str, Any] = {"name": "cup", "game": "claims", "seed": bytes(32), "trusted": True}
    return Plan(**{**wanted, **changes})


def _created(store: Store, wanted: Plan) -> Tournament:
    return setting_up.create(store, wanted, ["random", "greedy"]).tournament


def test_without_containers_the_record_claims_nothing_that_needs_them(store: Store) -> None:
    """A process can't be held still; in a container it can."""
    process = _created(store, _plan(name="a", lodging=Lodging.PROCESS))
    assert process.ponder == "measure"
    assert _created(store, _plan(name="b")).ponder == "freeze"
    with pytest.raises(WrongCall, match="no containers"):
        _created(store, _plan(lodging=Lodging.PROCESS, isolation=Isolation.CONTAINER))


def _open(store: Store, name: str, bots: list[str], **changes: Any) -> Tournament:
    """One that is open for entry, entered by these in that order."""
    setting_up.create(store, _plan(name=name, **changes), [])
    for bot in bots:
        setting_up.enter(store, name, bot)
    return store.tournament(name)


@pytest.mark.parametrize("until_clear", [None, 0.9])
def test_the_order_of_arrival_decides_nothing(store: Store, until_clear: float | None) -> None:
    """Equal seeds and entries are drawn alike, as if it had been created with them by name."""
    drawn = []
    for name, bots in (("a", ["random", "greedy", "counter"]), ("b", ["counter", "random"])):
        _open(store, name, bots, until_clear=until_clear)
    setting_up.enter(store, "b", "greedy")
    for name in ("a", "b"):
        made = setting_up.draw(store, name)
        assert made.figures is not None
        assert made.matches == len(store.matches(made.tournament.id)) > 0
        drawn.append((made.tournament, store.matches(made.tournament.id)))
    fixed = setting_up.create(
        store, _plan(name="c", until_clear=until_clear), ["counter", "greedy", "random"]
    )
    drawn.append((fixed.tournament, store.matches(fixed.tournament.id)))
    assert drawn[0][1] == drawn[1][1] == drawn[2][1]
    assert {tournament.entries for tournament, _ in drawn} == {fixed.tournament.entries}
    assert {tournament.blocks for tournament, _ in drawn} == {fixed.tournament.blocks}


def test_how_many_blocks_was_said_at_the_start(store: Store) -> None:
    """Or is chosen when it is known how many there are."""
    assert _open(store, "a", ["random", "greedy"], blocks=5).blocks == 5
    assert setting_up.draw(store, "a").tournament.blocks == 5
    assert _open(store, "b", ["random", "greedy"]).blocks == 0
    assert setting_up.draw(store, "b").tournament.blocks > 0


def test_a_bot_that_comes_while_the_schedule_is_drawn_is_in_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it is drawn anew; if that goes on for ever, entry must be closed first."""
    cup = _open(store, "a", ["random", "greedy"])
    draw = store.entering.draw
    late = ["counter"]

    def just_before(*told: Any, **named: Any) -> None:
        for bot in late:
            setting_up.enter(store, "a", bot)
        late.clear()
        draw(*told, **named)

    monkeypatch.setattr(store.entering, "draw", just_before)
    assert len(setting_up.draw(store, "a").tournament.entries) == 3

    def never(*_: Any, **__: Any) -> None:
        raise EntriesChanged("again")

    monkeypatch.setattr(store.entering, "draw", never)
    with pytest.raises(ArenaError, match="close its entry first"):
        setting_up.draw(store, cup.name)


def test_too_few_bots_are_not_drawn(store: Store) -> None:
    """And entry goes on."""
    for bots in ([], ["random"]):
        name = f"with-{len(bots)}"
        _open(store, name, bots)
        with pytest.raises(ScheduleError, match="enter more bots or choose smaller tables"):
            setting_up.draw(store, name)
        assert store.tournament(name).entry_open


def test_a_field_that_makes_no_sense_is_refused(store: Store) -> None:
    """With versions that are kept already, too."""
    bots = [
        store.add_version(new_version(name, digest=digest * 64, games=games), b"")
        for name, digest, games in (
            ("one", "a", ("claims",)),
            ("copy", "a", ("claims",)),
            ("other", "b", ("claro",)),
        )
    ]
    with pytest.raises(EntryRefused, match="copy and one are the same code"):
        setting_up.set_up(store, _plan(), bots[:2])
    with pytest.raises(EntryRefused, match="other plays claro, not claims"):
        setting_up.set_up(store, _plan(), [bots[0], bots[2]])
    store.roster.retire("one")
    with pytest.raises(EntryRefused, match="one:1 is retired"):
        setting_up.set_up(store, _plan(), [bots[0], store.add_version(new_version("x"), b"")])
    assert store.tournaments() == []
