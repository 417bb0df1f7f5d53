"""What people play is kept for them, one match at a time, and is part of no result."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arena.store import (
    AtATable,
    NewPersonMatch,
    NotFound,
    PersonMatch,
    PersonMatchState,
    PersonResult,
    SeatedBot,
    Store,
)
from arena.store.retention import Policy
from arena.store.testing import make_tournament, new_result, new_version, replay_of

RESULT = PersonResult(
    reason="target", rounds=7, totals=(310, 12), ranks=(2, 1), faults=(0, 1), out=(None, "LEFT")
)
NOW = datetime.now(UTC)


def wish(id_: str = "m1", author: str = "ana", **changes: Any) -> NewPersonMatch:
    """A match of Claims against the sample bot greedy."""
    told: dict[str, Any] = {
        "id": id_,
        "author": author,
        "game": "claims",
        "options": {"target": 150},
        "seat": 1,
        "bots": (SeatedBot("greedy", "1", "ab" * 32), None),
        **changes,
    }
    return NewPersonMatch(**told)


def played(store: Store, id_: str, author: str = "ana", replay: bytes = b"replay") -> PersonMatch:
    """One that is over."""
    store.people.want(wish(id_, author))
    store.people.begin(id_)
    return store.people.end(id_, RESULT, replay)


def test_a_match_goes_from_wanted_to_over(store: Store) -> None:
    """And all of it is kept."""
    wanted = store.people.want(wish())
    assert (wanted.state, wanted.bots) == (PersonMatchState.WANTED, wish().bots)
    assert store.people.begin("m1").state is PersonMatchState.PLAYING
    over = store.people.end("m1", RESULT, b"replay")
    assert over == store.people.get("m1")
    assert (over.state, over.result, over.seat) == (PersonMatchState.OVER, RESULT, 1)
    assert over.options == {"target": 150}
    assert over.ended is not None
    assert over.ended >= over.created
    assert over.replay is not None
    assert store.blob(over.replay) == b"replay"


def test_what_has_ended_stays_as_it_is(store: Store) -> None:
    """Whoever comes late with something else changes nothing."""
    store.people.want(wish())
    cut = store.people.interrupt("m1", "the arena was stopped")
    assert (cut.state, cut.why) == (PersonMatchState.INTERRUPTED, "the arena was stopped")
    assert store.people.begin("m1") == cut
    assert store.people.end("m1", RESULT, b"replay") == cut
    over = played(store, "m2")
    assert store.people.interrupt("m2", "too late") == over


def test_a_person_plays_one_match_at_a_time(store: Store) -> None:
    """Others play theirs meanwhile."""
    store.people.want(wish("m1"))
    store.people.want(wish("m2", "bob"))
    for begin in (False, True):
        if begin:
            store.people.begin("m1")
        with pytest.raises(AtATable, match="leave it"):
            store.people.want(wish("m3"))
    store.people.interrupt("m1", "cut off")
    assert store.people.want(wish("m3")).state is PersonMatchState.WANTED


def test_what_nobody_plays_any_more_is_interrupted(store: Store) -> None:
    """All that is under way, or one person's; what has ended is left alone."""
    over = played(store, "m0")
    for id_, author in (("m1", "ana"), ("m2", "bob"), ("m3", "cleo")):
        store.people.want(wish(id_, author))
    store.people.begin("m3")
    assert store.people.interrupt_all("lost", "ana") == 1
    assert store.people.get("m2").state is PersonMatchState.WANTED
    assert store.people.interrupt_all("stopped") == 2
    assert store.people.interrupt_all("stopped") == 0
    assert [store.people.get(id_).why for id_ in ("m1", "m2", "m3")] == ["lost", *["stopped"] * 2]
    assert store.people.get("m0") == over


def test_a_person_s_matches_are_listed_the_newest_first(store: Store) -> None:
    """In pages, and nobody else's."""
    for id_ in ("m1", "m2", "m3"):
        played(store, id_)
    played(store, "b1", "bob")
    assert [match.id for match in store.people.page("ana", size=2)] == ["m3", "m2"]
    assert [match.id for match in store.people.page("ana", before="m2", size=2)] == ["m1"]
    for before in ("b1", "nothing"):
        with pytest.raises(NotFound):
            store.people.page("ana", before=before, size=2)
    with pytest.raises(NotFound):
        store.people.get("nothing")


def test_a_replay_is_kept_as_long_as_replays_are(store: Store) -> None:
    """What only a person's match names is not taken for left over; its time over, it goes."""
    over = played(store, "m1")
    assert over.replay is not None
    later = NOW + timedelta(days=40)
    store.retention.sweep(Policy(logs=1, rejected=1), later)
    assert store.blob(over.replay) == b"replay"
    assert store.retention.sweep(Policy(replays=60), later).blobs == 0
    assert store.retention.sweep(Policy(replays=30), later, dry_run=True).blobs == 1
    assert store.people.get("m1").replay == over.replay


def test_equal_bytes_that_a_result_needs_stay(store: Store) -> None:
    """One blob may be a person's replay and a result's."""
    cup = make_tournament(store, blocks=1)
    match = store.pending_matches(cup.id)[0]
    store.record_result(cup.id, new_result(match), replay_of(match))
    played(store, "m1", replay=replay_of(match))
    assert store.retention.sweep(Policy(replays=30), NOW + timedelta(days=40)).blobs == 0


def test_the_bots_of_a_public_ranking_are_those_that_were_rated_in_it(store: Store) -> None:
    """In use, of this game, not in a private tournament, and with a result."""
    cup = make_tournament(store, blocks=1)
    assert store.roster.ranked("claims") == []
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    assert [version.bot for version in store.roster.ranked("claims")] == ["bot0", "bot1"]
    among = store.roster.ranked("claims", ["bot1", "nobody"])
    assert [version.bot for version in among] == ["bot1"]
    assert store.roster.ranked("claims", []) == []
    assert store.roster.ranked("claro") == []
    store.roster.retire("bot1")
    assert [version.bot for version in store.roster.ranked("claims")] == ["bot0"]


def test_one_s_own_bots_are_told_by_their_newest_version_in_use(store: Store) -> None:
    """Whether or not they have played; nobody else's."""
    for bot, author in (("two", "ana"), ("one", "ana"), ("old", "ana"), ("bobs", "bob")):
        for digest in ("ab" * 32, "cd" * 32):
            store.add_version(new_version(bot, author=author, digest=digest), b"archive")
    store.roster.retire("one", 2)
    store.roster.retire("old")
    found = [(version.bot, version.number) for version in store.roster.own("ana")]
    assert found == [("one", 1), ("two", 2)]


def test_the_bots_of_private_tournaments_are_not_told(store: Store) -> None:
    """Nobody else knows of them."""
    cup = make_tournament(store, blocks=1, private=True)
    for match in store.pending_matches(cup.id):
        store.record_result(cup.id, new_result(match), replay_of(match))
    assert store.roster.ranked("claims") == []
