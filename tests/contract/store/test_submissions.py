"""Submissions: kept once, moved forward only, a version at their end and not before."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from arena.store import (
    AlreadyDone,
    InvalidRecord,
    NameTaken,
    NewSubmission,
    NotFound,
    Request,
    RequestReused,
    Store,
    StoredSubmission,
    SubmissionState,
    TooManyUnfinished,
)
from arena.store.testing import new_version

PROVENANCE = {"base_image": "sha256:1", "sdk": "0.1.0", "protocol": "arenabot.v1", "engine": "1.0"}


def _new(bot: str = "greedy", **changes: str) -> NewSubmission:
    version = new_version(bot)
    return replace(NewSubmission(bot, version.author, version.digest), **changes)


def _ready(store: Store, found: StoredSubmission, log: bytes = b"") -> StoredSubmission:
    new = new_version(found.bot, author=found.author, digest=found.digest)
    return store.submissions.ready(found.id, new, PROVENANCE, log=log)


def test_a_submission_comes_back_as_it_was_handed_in(store: Store) -> None:
    """It has an id of its own and its archive, and is received."""
    kept = store.submissions.receive(_new(), b"the archive")
    assert (kept.bot, kept.author, kept.digest) == ("greedy", "ana", _new().digest)
    assert (kept.state, kept.reason, kept.advice) == (SubmissionState.RECEIVED, "", ())
    assert (kept.version, kept.log, kept.trouble) == (None, None, "")
    assert store.blob(kept.archive) == b"the archive"
    assert len(bytes.fromhex(kept.id)) == 8
    assert store.submissions.get(kept.id) == kept


def test_the_same_bytes_of_the_same_bot_are_the_same_submission(store: Store) -> None:
    """While it is under way, and once it is ready; other bytes are another one."""
    first = store.submissions.receive(_new(), b"1")
    assert store.submissions.receive(_new(), b"packed otherwise") == first
    done = _ready(store, first)
    assert store.submissions.receive(_new(), b"1") == done
    assert store.submissions.receive(_new(digest="other"), b"2").id != first.id


def test_a_rejected_one_may_be_tried_again(store: Store) -> None:
    """The same bytes are then another submission, and the rejected one stays as it was."""
    first = store.submissions.receive(_new(), b"1")
    rejected = store.submissions.reject(first.id, "it crashed", log=b"printed")
    again = store.submissions.receive(_new(), b"1")
    assert again.id != first.id
    assert again.state is SubmissionState.RECEIVED
    assert store.submissions.get(first.id) == rejected
    assert rejected.log is not None
    assert store.blob(rejected.log) == b"printed"


def test_a_version_that_is_there_already_is_ready_at_once(store: Store) -> None:
    """As with one that was kept before there was a server; the very same version."""
    version = store.add_version(new_version(), b"1")
    kept = store.submissions.receive(_new(), b"1", most_unfinished=0)
    assert (kept.state, kept.version) == (SubmissionState.READY, version.number)
    assert store.submissions.unfinished() == []
    assert store.versions() == [version]


def test_a_name_belongs_to_the_first_who_hands_it_in(store: Store) -> None:
    """Before there is a version, and also once his submission was rejected."""
    first = store.submissions.receive(_new(), b"1")
    for _ in range(2):
        with pytest.raises(NameTaken, match=r"'greedy' belongs to ana: choose another name"):
            store.submissions.receive(_new(author="bob"), b"1")
        with pytest.raises(NameTaken):
            store.add_version(new_version(author="bob"), b"1")
        store.submissions.reject(first.id, "it crashed")
    assert store.roster.owner("greedy") == "ana"
    assert store.roster.owner("random") is None
    assert store.bots() == []


def test_of_many_who_hand_a_name_in_at_once_one_gets_it(store: Store) -> None:
    """Twenty authors, one name: nineteen are refused, and nothing of theirs is kept."""

    def hand_in(number: int) -> str | None:
        try:
            return store.submissions.receive(_new(author=f"author{number}"), b"1").author
        except NameTaken:
            return None

    with ThreadPoolExecutor(20) as threads:
        (owner,) = filter(None, threads.map(hand_in, range(20)))
    assert [kept.author for kept in store.submissions.unfinished()] == [owner]
    assert store.roster.owner("greedy") == owner


def test_an_author_hands_the_same_in_twenty_times_at_once(store: Store) -> None:
    """One submission comes of it."""
    with ThreadPoolExecutor(20) as threads:
        ids = set(threads.map(lambda _: store.submissions.receive(_new(), b"1").id, range(20)))
    assert ids == {kept.id for kept in store.submissions.unfinished()}
    assert len(ids) == 1


def test_it_goes_forward_and_never_back(store: Store) -> None:
    """A step that was done is done: the same again changes nothing, what comes before neither."""
    kept = store.submissions.receive(_new(), b"1")
    states = list(SubmissionState)[1:4]
    for state in states:
        moved = store.submissions.advance(kept.id, state, advice=["short names", "short names"])
        assert moved.state is state
        assert store.submissions.advance(kept.id, state) == moved
        assert store.submissions.advance(kept.id, SubmissionState.CHECKED) == moved
    assert moved.advice == ("short names",)


def test_ready_and_its_version_are_one(store: Store) -> None:
    """The version has what the submission has, and with what it was built; once."""
    kept = store.submissions.receive(_new(), b"1")
    assert store.versions() == []
    done = _ready(store, kept, log=b"printed")
    (version,) = store.versions()
    assert (done.state, done.version) == (SubmissionState.READY, 1)
    assert (version.digest, version.archive) == (kept.digest, kept.archive)
    assert version.provenance == PROVENANCE
    assert version.retired is None
    assert done.log is not None
    assert store.blob(done.log) == b"printed"
    assert _ready(store, kept) == done
    assert store.submissions.reject(kept.id, "too late") == done
    assert store.versions() == [version]


def test_a_version_that_cannot_be_kept_leaves_the_submission_where_it_is(store: Store) -> None:
    """State and version change in one transaction."""
    kept = store.submissions.receive(_new(), b"1")
    with pytest.raises(InvalidRecord):
        store.submissions.ready(kept.id, new_version(runtime=""), PROVENANCE)
    with pytest.raises(NameTaken):
        store.submissions.ready(kept.id, new_version(author="bob"), PROVENANCE)
    assert store.submissions.get(kept.id) == kept
    assert store.versions() == []


def test_what_keeps_us_is_told_until_it_goes_on(store: Store) -> None:
    """Trouble is no rejection; how often we spoilt its matches is counted."""
    kept = store.submissions.receive(_new(), b"1")
    assert store.submissions.stuck(kept.id, "the engine is away") == 0
    assert store.submissions.get(kept.id).trouble == "the engine is away"
    assert [found.id for found in store.submissions.unfinished()] == [kept.id]
    assert store.submissions.advance(kept.id, SubmissionState.CHECKED).trouble == ""
    assert [store.submissions.stuck(kept.id, "spoilt", spoilt=True) for _ in range(2)] == [1, 2]
    done = _ready(store, kept)
    assert done.trouble == ""
    store.submissions.stuck(kept.id, "too late", spoilt=True)
    assert store.submissions.get(kept.id) == done


def test_an_author_has_only_so_many_under_way(store: Store) -> None:
    """The third of two is refused; what others have under way doesn't count, nor what is over."""
    first = store.submissions.receive(_new("a"), b"a", most_unfinished=2)
    store.submissions.receive(_new("b"), b"b", most_unfinished=2)
    with pytest.raises(TooManyUnfinished, match="2 submissions of yours are under way"):
        store.submissions.receive(_new("c"), b"c", most_unfinished=2)
    assert store.roster.owner("c") is None
    assert store.submissions.receive(_new("a"), b"a", most_unfinished=2) == first
    store.submissions.receive(_new("d", author="bob"), b"d", most_unfinished=2)
    store.submissions.reject(first.id, "it crashed")
    store.submissions.receive(_new("c"), b"c", most_unfinished=2)
    assert [found.bot for found in store.submissions.unfinished("ana")] == ["b", "c"]


def test_the_same_request_again_is_done_already(store: Store) -> None:
    """It leads to what came of it first, also of bytes that had been handed in before."""
    request = Request("ana", "r1", "SubmitBot", "f")
    assert store.submissions.asked(None) is None
    assert store.submissions.asked(request) is None
    kept = store.submissions.receive(_new(), b"1", request=request)
    for again in (request, Request("ana", "r2", "SubmitBot", "f")):
        if again.id == "r2":
            assert store.submissions.receive(_new(), b"1", request=again) == kept
        with pytest.raises(AlreadyDone) as done:
            store.submissions.receive(_new(), b"1", request=again)
        assert done.value.target == kept.id
        assert store.submissions.asked(again) == kept
    with pytest.raises(RequestReused):
        store.submissions.asked(Request("ana", "r1", "SubmitBot", "another"))


def test_a_refused_request_may_come_again(store: Store) -> None:
    """What was refused was not done: nothing is remembered of it."""
    store.submissions.receive(_new("a"), b"a")
    request = Request("ana", "r1", "SubmitBot", "f")
    with pytest.raises(TooManyUnfinished):
        store.submissions.receive(_new("b"), b"b", most_unfinished=1, request=request)
    assert store.submissions.asked(request) is None
    assert store.submissions.receive(_new("b"), b"b", request=request).bot == "b"


def test_pages_bring_the_newest_first(store: Store) -> None:
    """Each once, however many stand on a page; an author's own, or everybody's."""
    for number in range(7):
        author = "bob" if number % 2 else "ana"
        store.submissions.receive(_new(f"bot{number}", author=author), b"")
    for asked, bots in ((None, "6543210"), ("ana", "6420"), ("bob", "531"), ("eve", "")):
        seen: list[StoredSubmission] = []
        while page := store.submissions.page(asked, before=seen[-1].id if seen else None, size=2):
            assert len(page) <= 2
            seen += page
        assert [kept.bot[-1] for kept in seen] == list(bots)
    with pytest.raises(NotFound):
        store.submissions.page(None, before="nonsense", size=2)


def test_another_s_submission_is_no_beginning_of_a_page(store: Store) -> None:
    """Else anybody could find out which ids there are: the sentence is that of one that isn't."""
    found = store.submissions.receive(_new("mine", author="ana"), b"")
    missing = "0" * 16
    told = []
    for id_ in (found.id, missing):
        with pytest.raises(NotFound) as caught:
            store.submissions.page("bob", before=id_, size=2)
        told.append(str(caught.value).replace(id_, "ID"))
    assert told[0] == told[1]


def test_another_process_goes_on_with_what_is_unfinished(
    store: Store, open_store: Callable[[], Store]
) -> None:
    """What one process was told is kept, another finds, in the order in which it came."""
    ids = [store.submissions.receive(_new(bot), b"").id for bot in ("c", "a", "b")]
    store.submissions.reject(ids[1], "it crashed")
    assert [found.id for found in open_store().submissions.unfinished()] == [ids[0], ids[2]]


@pytest.mark.parametrize("id_", ["", "0" * 16, "x" * 5000])
def test_what_is_not_there_is_not_found(store: Store, id_: str) -> None:
    """Whatever is asked of it."""
    calls: list[Callable[[], object]] = [
        lambda: store.submissions.get(id_),
        lambda: store.submissions.advance(id_, SubmissionState.CHECKED),
        lambda: store.submissions.reject(id_, ""),
        lambda: store.submissions.ready(id_, new_version(), PROVENANCE),
        lambda: store.submissions.stuck(id_, ""),
    ]
    for call in calls:
        with pytest.raises(NotFound, match="there is no submission") as refused:
            call()
        assert len(str(refused.value)) < 200


def test_a_submission_with_a_text_that_is_no_line_is_refused(store: Store) -> None:
    """Nothing that could upset a terminal or a database gets in by a name."""
    for field in ("bot", "author", "digest"):
        for text in ("", "a\n", "a\x1b[31m", "a" * 201):
            with pytest.raises(InvalidRecord):
                store.submissions.receive(_new(**{field: text}), b"")
    assert store.submissions.unfinished() == []


def test_those_of_a_bot_come_newest_first(store: Store) -> None:
    """All, or those that became one of its versions; so many at most."""
    first, second, third = (
        store.submissions.receive(_new(digest=digest), digest.encode()) for digest in "123"
    )
    store.submissions.receive(_new("other"), b"o")
    first = _ready(store, first)
    store.submissions.reject(second.id, "no")
    third = _ready(store, third)
    found = store.submissions.of_bot("greedy", size=9)
    assert [each.id for each in found] == [third.id, second.id, first.id]
    assert store.submissions.of_bot("greedy", 1, size=9) == [first]
    assert store.submissions.of_bot("greedy", 2, size=9) == [third]
    assert store.submissions.of_bot("greedy", size=1) == [third]
    older = store.submissions.of_bot("greedy", before=third.id, size=9)
    assert [each.id for each in older] == [second.id, first.id]
    with pytest.raises(NotFound):
        store.submissions.of_bot("greedy", before="none", size=9)
    assert store.submissions.of_bot("greedy", 3, size=9) == []
    assert store.submissions.of_bot("nobody", size=9) == []
