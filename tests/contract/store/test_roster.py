"""The bots by name: whose they are, where they play, what is retired."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from arena.store import (
    AlreadyDone,
    BotSummary,
    EntryRefused,
    NotFound,
    Request,
    Store,
)
from arena.store.schema import TournamentRow
from arena.store.testing import make_tournament, new_matches, new_tournament, new_version


def test_bots_come_in_pages_by_name(store: Store) -> None:
    """Each once with its versions, all or an author's."""
    for bot, author in (("b-a", "ana"), ("ba", "bob"), ("b", "ana"), ("c", "bob")):
        store.add_version(new_version(bot, author=author), b"")
    store.add_version(new_version("b", digest="2"), b"")
    every = [
        BotSummary("b", "ana", 2, 2),
        BotSummary("b-a", "ana", 1, 1),
        BotSummary("ba", "bob", 1, 1),
        BotSummary("c", "bob", 1, 1),
    ]
    for asked in (None, "ana", "bob", "eve"):
        seen: list[BotSummary] = []
        while page := store.roster.page(
            author=asked, after=seen[-1].name if seen else None, size=3
        ):
            seen += page
        assert seen == [bot for bot in every if asked in (None, bot.author)]
    assert store.roster.bot("b") == every[0]
    with pytest.raises(NotFound, match="there is no bot 'zzz'"):
        store.roster.bot("zzz")


def test_a_retired_version_is_not_the_newest_any_more(store: Store) -> None:
    """The bare name means what can be entered; the retired one is there by its number."""
    for digest in "abc":
        store.add_version(new_version(digest=digest), b"")
    assert store.roster.retire("greedy", 3) == BotSummary("greedy", "ana", 2, 3)
    assert store.find_version("greedy").number == 2
    assert store.find_version("greedy:3").retired is not None
    assert store.find_version("greedy:2").retired is None
    once = store.find_version("greedy:3")
    store.roster.retire("greedy", 3)
    assert store.find_version("greedy:3") == once
    assert store.roster.retire("greedy") == BotSummary("greedy", "ana", None, 3)
    with pytest.raises(NotFound, match="bot 'greedy' is retired"):
        store.find_version("greedy")
    assert [version.number for version in store.versions("greedy")] == [1, 2, 3]


def test_a_retired_version_cannot_be_entered_and_its_history_stays(store: Store) -> None:
    """A tournament that has it goes on; a new one refuses it."""
    cup = make_tournament(store)
    store.roster.retire("bot1")
    assert [entry.version.bot for entry in store.tournament("cup").entries] == ["bot0", "bot1"]
    assert len(store.pending_matches(cup.id)) == 6
    bots = [entry.version for entry in cup.entries]
    with pytest.raises(EntryRefused, match=r"bot1:1 is retired and can't be entered any more"):
        store.create_tournament(new_tournament("cup2"), bots, new_matches())
    with pytest.raises(NotFound):
        store.tournament("cup2")


def test_what_is_not_there_cannot_be_retired(store: Store) -> None:
    """Neither a bot nor a version; nothing else is."""
    store.add_version(new_version(), b"")
    with pytest.raises(NotFound, match="there is no bot 'random'"):
        store.roster.retire("random")
    with pytest.raises(NotFound, match="bot 'greedy' has no version 2"):
        store.roster.retire("greedy", 2)
    assert store.roster.bot("greedy").newest == 1


def test_retiring_is_asked_for_once(store: Store) -> None:
    """The same request again is done already."""
    store.add_version(new_version(), b"")
    request = Request("ana", "r1", "RetireBot", "f")
    store.roster.retire("greedy", request=request)
    with pytest.raises(AlreadyDone) as done:
        store.roster.retire("greedy", request=request)
    assert done.value.target == "greedy"


def test_appearances_are_those_that_the_viewer_may_see(store: Store) -> None:
    """A private tournament shows to its organiser and to whoever plays in it."""
    make_tournament(store, "open")
    other = store.add_version(new_version("other", author="bob"), b"")
    bots = [store.find_version("bot0"), other]
    secret = store.create_tournament(new_tournament("secret"), bots, new_matches())
    with store._database.write() as session:
        session.execute(
            update(TournamentRow)
            .where(TournamentRow.id == secret.id)
            .values(private=True, organiser="zoe")
        )
    both, public = [("secret", 1), ("open", 1)], [("open", 1)]
    for viewer, seen in ((None, public), ("eve", public), ("zoe", both), ("bob", both)):
        assert store.roster.appearances("bot0", viewer) == seen
    assert store.roster.appearances("bot0", None, everything=True) == both
    assert store.roster.appearances("bot0", "ana", most=1) == both[:1]


def test_what_can_be_entered_is_what_the_newest_version_in_use_plays(store: Store) -> None:
    """As a bare name means it; retired bots and those of other games are left out."""
    for bot, games in (("b", ("claro",)), ("a", ("claims", "claro")), ("c", ("claims",))):
        store.add_version(new_version(bot, games=games), b"")
    store.add_version(new_version("c", digest="2", games=("claro",)), b"")
    assert store.roster.players("claro") == ["a", "b", "c"]
    assert store.roster.players("claims") == ["a"]
    store.roster.retire("c", 2)
    store.roster.retire("a")
    assert store.roster.players("claims") == ["c"]
    assert store.roster.players("claro") == ["b"]
