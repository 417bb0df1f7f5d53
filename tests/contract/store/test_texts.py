"""Texts are data: no text field is ever read as SQL, as a pattern or as a format."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.store import InvalidRecord, NotFound, SeatFault, Store, Tournament
from arena.store.testing import (
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
)

NASTY = [
    "'; DROP TABLE bots; --",
    '"; DELETE FROM results; /*',
    "' OR '1'='1",
    "%",
    "_",
    "\\",
    "?",
    "$1",
    "%(name)s",
    "{name}",
    "`x`",
    "x' || char(0) || '",
    "שלום 🂡",
    "NULL",
    "1e999",
]


@pytest.mark.parametrize("text", NASTY)
def test_every_text_of_a_version_is_kept_as_it_is(store: Store, text: str) -> None:
    """And it finds itself alone."""
    plain = store.add_version(new_version("plain", label="plain"), b"")
    new = new_version(
        text, author=text, label=text, digest=text, games=(text,), runtime=text, entrypoint=text
    )
    added = store.add_version(new, b"")
    kept = (added.bot, added.author, added.label, added.digest, *added.games)
    assert (*kept, added.runtime, added.entrypoint) == (text,) * 7
    assert store.find_version(text) == added
    assert store.find_version(f"{text}:{text}") == added
    assert store.versions(text) == [added]
    assert store.find_version("plain:plain") == plain
    assert sorted(store.bots()) == sorted(["plain", text])


@pytest.mark.parametrize("text", NASTY)
def test_every_text_of_a_tournament_and_its_results_is_kept_as_it_is(
    store: Store, text: str
) -> None:
    """And nothing else is touched."""
    other = make_tournament(store, "other")
    bots = [store.add_version(new_version(name), b"") for name in ("a", "b")]
    new = new_tournament(text, game=text, engine=text, options={text: text}, timers={text: 1.0})
    matches = [replace(match, id=f"{match.id}{text}") for match in new_matches()]
    made = store.create_tournament(new, bots, matches)
    assert store.tournament(text) == made
    assert (made.name, made.game, made.engine) == (text, text, text)
    assert (made.options, made.timers) == ({text: text}, {text: 1.0})
    assert store.tournaments(text) == [made]

    result = new_result(matches[0], reason=text, replay_digest=text, measured={text: text})
    seats = tuple(
        replace(seat, outcome=text, detail=text, faults=(SeatFault(1, 1, text),))
        for seat in result.seats
    )
    store.record_result(made.id, replace(result, seats=seats), b"replay")
    found = store.result(made.id, matches[0].id)
    assert (found.reason, found.replay_digest, found.measured) == (text, text, {text: text})
    assert found.seats == seats
    store.record_void(made.id, matches[1].id, 1, reason=text, detail=text)
    assert [(void.reason, void.detail) for void in store.voids(made.id)] == [(text, text)]
    assert store.results(other.id) == []
    assert len(store.matches(other.id)) == 6


@pytest.mark.parametrize("detail", ["\0", "a\0b", "\udc80", "\x1b[31m", "x" * 5_000_000])
def test_a_bots_words_never_prevent_a_result(store: Store, cup: Tournament, detail: str) -> None:
    """What no database could hold is replaced, what is too long is cut, the rest is kept."""
    match = store.pending_matches(cup.id)[0]
    result = new_result(match)
    seats = tuple(replace(seat, detail=detail, outcome="CRASHED") for seat in result.seats)
    store.record_result(cup.id, replace(result, seats=seats), b"replay")
    store.record_void(cup.id, "m0-1", 1, reason="STALL", detail=detail)
    kept = store.result(cup.id, match.id).seats[0].detail
    assert store.voids(cup.id)[0].detail == kept
    assert "\0" not in kept
    assert len(kept) <= 4000
    assert kept.encode()


@pytest.mark.parametrize("name", ["\udc80", "a\0b", "x" * 100_000])
def test_asking_for_a_name_that_can_not_exist_is_answered(store: Store, name: str) -> None:
    """By whatever bytes stood on the command line."""
    for ask in (store.find_version, store.tournament, store.versions):
        with pytest.raises((NotFound, InvalidRecord)):
            ask(name)


@pytest.mark.parametrize(
    "key", ["", "../../arena.db", "a" * 63, "A" * 64, "a" * 64 + "\n", "0" * 64]
)
def test_a_blob_key_is_no_path(store: Store, key: str) -> None:
    """What isn't the name of a blob is not found, wherever it would point to."""
    with pytest.raises(NotFound):
        store.blob(key)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_a_number_that_is_too_large_is_refused(store: Store, cup: Tournament, number: int) -> None:
    """With one line, and nothing is recorded."""
    match = store.pending_matches(cup.id)[0]
    with pytest.raises(InvalidRecord, match="the store can't hold such a value"):
        store.record_result(cup.id, new_result(match, turns=number), b"replay")
    assert store.results(cup.id) == []
