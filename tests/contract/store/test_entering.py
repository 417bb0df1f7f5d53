"""Who takes part in a tournament before its schedule is drawn, and the drawing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from arena.store import (
    AlreadyDone,
    BotVersion,
    EntriesChanged,
    EntryClosed,
    EntryRefused,
    InvalidRecord,
    NotFound,
    NotScheduled,
    Request,
    Store,
    StoreError,
    Tournament,
    TournamentOver,
    TournamentState,
)
from arena.store.testing import make_tournament, new_matches, new_tournament, new_version

ASKED = Request("ana", "r1", "TournamentService/EnterTournament", "f")


@pytest.fixture
def cup(store: Store) -> Tournament:
    """A tournament of two at a table that is open for entry."""
    return store.create_tournament(new_tournament(blocks=0, organiser="olga", private=True))


def bot(store: Store, name: str, **changes: object) -> BotVersion:
    """A version of a bot."""
    return store.add_version(new_version(name, **changes), b"archive")


def entered(store: Store) -> list[str]:
    """Who is in the cup, as `bot:number`, by position."""
    entries = store.tournament("cup").entries
    assert len({entry.position for entry in entries}) == len(entries)
    return [f"{entry.version.bot}:{entry.version.number}" for entry in entries]


def draw(store: Store, cup: Tournament, *bots: BotVersion, blocks: int = 3) -> None:
    """Draw a schedule of those two."""
    store.entering.draw(cup.id, bots, new_matches(blocks), blocks=blocks)


def test_a_tournament_without_bots_is_open_for_entry(
    store: Store, cup: Tournament, open_store: Callable[[], Store]
) -> None:
    """Its seed's hash is published from the start; who set it up and that it is private is kept."""
    assert cup.entry_open
    assert cup.entries == ()
    assert len(cup.seed_hash) == 64
    assert (cup.organiser, cup.private, cup.blocks, cup.wanted) == ("olga", True, 0, None)
    assert store.progress(cup.id).state is TournamentState.ENTRY
    assert store.pending_matches(cup.id) == []
    assert open_store().tournament("cup") == cup
    drawn = make_tournament(store, "drawn")
    assert (drawn.organiser, drawn.private, drawn.entry_open) == (None, False, False)


def test_a_bot_enters_once_and_a_newer_version_takes_its_place(
    store: Store, cup: Tournament
) -> None:
    """Entering twice changes nothing, and others stay."""
    first, other = bot(store, "zed"), bot(store, "abe")
    for version in (first, other, first):
        store.entering.enter(cup.id, version)
    assert entered(store) == ["zed:1", "abe:1"]
    store.entering.enter(cup.id, bot(store, "zed", digest="cd" * 32))
    assert entered(store) == ["zed:2", "abe:1"]


def test_a_bot_leaves_and_may_come_back(store: Store, cup: Tournament) -> None:
    """Whoever isn't there can't leave."""
    for name in ("one", "two", "three"):
        store.entering.enter(cup.id, bot(store, name))
    store.entering.leave(cup.id, "two")
    assert entered(store) == ["one:1", "three:1"]
    with pytest.raises(NotFound, match="bot 'two' does not take part in tournament 'cup'"):
        store.entering.leave(cup.id, "two")
    store.entering.enter(cup.id, store.find_version("two"))
    assert entered(store) == ["one:1", "three:1", "two:1"]


def test_what_can_not_play_is_refused(store: Store, cup: Tournament) -> None:
    """Another game's bot, a retired version, and the code of a bot that is in already."""
    one = bot(store, "one")
    store.entering.enter(cup.id, one)
    with pytest.raises(EntryRefused, match="copy and one are the same code"):
        store.entering.enter(cup.id, bot(store, "copy", digest=one.digest))
    with pytest.raises(EntryRefused, match="claro plays claro, claim, not claims"):
        store.entering.enter(cup.id, bot(store, "claro", games=("claro", "claim")))
    old = bot(store, "old")
    store.roster.retire("old")
    with pytest.raises(EntryRefused, match="old:1 is retired"):
        store.entering.enter(cup.id, old)
    assert entered(store) == ["one:1"]


def test_entry_is_closed_and_opened(store: Store, cup: Tournament) -> None:
    """Closed nobody comes and nobody goes; either twice is the same as once."""
    one = bot(store, "one")
    store.entering.enter(cup.id, one)
    for _ in range(2):
        store.entering.close(cup.id)
    assert not store.tournament("cup").entry_open
    changes: list[Callable[[], None]] = [
        lambda: store.entering.enter(cup.id, bot(store, "two")),
        lambda: store.entering.leave(cup.id, "one"),
    ]
    for change in changes:
        with pytest.raises(EntryClosed, match="entry of tournament 'cup' is closed"):
            change()
    for _ in range(2):
        store.entering.open(cup.id)
    store.entering.leave(cup.id, "one")
    assert entered(store) == []


def test_drawing_gives_places_in_the_order_that_is_asked_for(store: Store, cup: Tournament) -> None:
    """Whatever the order of arrival was; from then on it is like one created with its bots."""
    zed, abe = bot(store, "zed"), bot(store, "abe")
    store.entering.enter(cup.id, zed)
    store.entering.enter(cup.id, abe)
    draw(store, cup, abe, zed)
    assert entered(store) == ["abe:1", "zed:1"]
    drawn = store.tournament("cup")
    assert (drawn.blocks, drawn.entry_open, drawn.seed_hash) == (3, False, cup.seed_hash)
    assert store.progress(cup.id).state is TournamentState.CREATED
    assert len(store.pending_matches(cup.id)) == 6


def test_once_it_is_drawn_entry_is_over(store: Store, cup: Tournament) -> None:
    """Also of a tournament that never was open."""
    one, two = bot(store, "one"), bot(store, "two")
    for version in (one, two):
        store.entering.enter(cup.id, version)
    draw(store, cup, one, two)
    changes: list[Callable[[int], None]] = [
        lambda id_: store.entering.enter(id_, bot(store, "three")),
        lambda id_: store.entering.leave(id_, "one"),
        store.entering.open,
        store.entering.close,
        lambda id_: store.entering.draw(id_, [one, two], new_matches(), blocks=3),
    ]
    for tournament in (cup, make_tournament(store, "fixed")):
        for change in changes:
            with pytest.raises(EntryClosed, match="is drawn: entry is over"):
                change(tournament.id)
    assert entered(store) == ["one:1", "two:1"]


def test_a_schedule_for_others_than_are_entered_is_refused(store: Store, cup: Tournament) -> None:
    """Who came or went meanwhile would be lost: nothing is changed."""
    one, two, three = (bot(store, name) for name in ("one", "two", "three"))
    store.entering.enter(cup.id, one)
    store.entering.enter(cup.id, two)
    for field in ((one, three), (one,), (one, two, three), (one, one)):
        with pytest.raises(EntriesChanged, match="try again"):
            draw(store, cup, *field)
    with pytest.raises(InvalidRecord, match="has a match at least"):
        store.entering.draw(cup.id, [one, two], [], blocks=3)
    with pytest.raises(InvalidRecord, match="different entries out of 2"):
        store.entering.draw(cup.id, [one, two], new_matches(1, 3), blocks=3)
    assert store.progress(cup.id).state is TournamentState.ENTRY
    assert store.tournament("cup").entry_open


def test_a_cancelled_one_takes_nobody(store: Store, cup: Tournament) -> None:
    """Nor is it drawn."""
    one = bot(store, "one")
    store.cancel(cup.id)
    assert store.progress(cup.id).state is TournamentState.CANCELLED
    changes: list[Callable[[], None]] = [
        lambda: store.entering.enter(cup.id, one),
        lambda: store.entering.open(cup.id),
        lambda: draw(store, cup, one),
    ]
    for change in changes:
        with pytest.raises(TournamentOver, match="was cancelled"):
            change()


def test_there_is_nothing_to_withdraw_from_before_it_is_drawn(
    store: Store, cup: Tournament
) -> None:
    """There a bot leaves."""
    store.entering.enter(cup.id, bot(store, "one"))
    with pytest.raises(NotScheduled, match="has no schedule yet"):
        store.entering.withdraw(cup.id, "one", why="late")


def test_the_same_request_changes_something_once(store: Store, cup: Tournament) -> None:
    """Also after another change, and it says what it was about."""
    one, two = bot(store, "one"), bot(store, "two")
    store.entering.enter(cup.id, one, request=ASKED)
    store.entering.leave(cup.id, "one", request=replace(ASKED, id="r2"))
    with pytest.raises(AlreadyDone) as done:
        store.entering.enter(cup.id, one, request=ASKED)
    assert done.value.target == "cup"
    assert entered(store) == []
    assert store.entering.asked(ASKED) == "cup"
    assert store.entering.asked(replace(ASKED, id="r9")) is None
    assert store.entering.asked(None) is None
    for version in (one, two):
        store.entering.enter(cup.id, version)
    changes: list[tuple[str, Callable[[Request], Any]]] = [
        ("open", lambda asked: store.entering.open(cup.id, request=asked)),
        ("close", lambda asked: store.entering.close(cup.id, request=asked)),
        (
            "draw",
            lambda asked: store.entering.draw(
                cup.id, [one, two], new_matches(), blocks=3, request=asked
            ),
        ),
        ("cancel", lambda asked: store.cancel(cup.id, asked)),
        (
            "out",
            lambda asked: store.entering.withdraw(cup.id, "one", why="it cheats", request=asked),
        ),
        ("new", lambda asked: store.create_tournament(new_tournament("b"), request=asked)),
    ]
    for request, change in changes:
        change(replace(ASKED, id=request))
        with pytest.raises(AlreadyDone):
            change(replace(ASKED, id=request))


def test_a_change_that_was_refused_may_be_asked_for_again(store: Store, cup: Tournament) -> None:
    """By the same request, once it is possible."""
    one = bot(store, "one")
    store.entering.close(cup.id)
    with pytest.raises(EntryClosed):
        store.entering.enter(cup.id, one, request=ASKED)
    store.entering.open(cup.id)
    store.entering.enter(cup.id, one, request=ASKED)
    assert entered(store) == ["one:1"]


def test_many_enter_at_once(store: Store, cup: Tournament, open_store: Callable[[], Store]) -> None:
    """From several processes' stores: each is in once, in a place of its own."""
    stores = [store, open_store(), open_store()]
    bots = [bot(store, f"bot{number}") for number in range(12)]
    newer = [bot(store, f"bot{number}", digest=f"{number:064x}") for number in range(12)]
    calls = [(stores[at % 3], version) for at, version in enumerate([*bots, *newer, *bots])]
    with ThreadPoolExecutor(9) as pool:
        list(pool.map(lambda call: call[0].entering.enter(cup.id, call[1]), calls))
    assert sorted(name.partition(":")[0] for name in entered(store)) == sorted(
        version.bot for version in bots
    )
    assert [entry.position for entry in store.tournament("cup").entries] == list(range(12))


def test_whoever_enters_while_it_is_drawn_is_in_it_or_told(
    store: Store, cup: Tournament, open_store: Callable[[], Store]
) -> None:
    """Never lost, however the two meet."""
    one, two, late = (bot(store, name) for name in ("one", "two", "late"))
    for version in (one, two):
        store.entering.enter(cup.id, version)
    other = open_store()
    told: list[StoreError] = []

    def enter() -> None:
        try:
            other.entering.enter(cup.id, late)
        except StoreError as error:
            told.append(error)

    with ThreadPoolExecutor(2) as pool:
        entering = pool.submit(enter)
        with suppress(EntriesChanged):
            draw(store, cup, one, two)
        entering.result()
    drawn = store.progress(cup.id).state is TournamentState.CREATED
    assert drawn == ("late:1" not in entered(store)) == bool(told)
    assert all(isinstance(error, EntryClosed) for error in told)
