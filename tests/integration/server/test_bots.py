"""BotService: submissions watched and listed, bots shown, logs read, versions retired."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from typing import Any

from sqlalchemy import update

from arena.app.bots import intake
from arena.app.conducting.hub import submission_topic
from arena.store import Store, StoredSubmission, SubmissionState
from arena.store.schema import TournamentRow
from arena.store.testing import (
    logs_of,
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.archives import packed
from tests.integration.server.calling import SPECTATOR, Caller, Served, refused

PROVENANCE = {"base_image": "sha256:1", "sdk": "0.1.0", "protocol": "arenabot.v1", "engine": "1.0"}


def _received(store: Store, bot: str = "good", author: str = "ana") -> StoredSubmission:
    return intake.receive(store, author, packed(bot))


def _ready(store: Store, found: StoredSubmission, log: bytes = b"") -> StoredSubmission:
    new = new_version(found.bot, author=found.author, digest=found.digest)
    return store.submissions.ready(found.id, new, PROVENANCE, advice=["short"], log=log)


async def _whole(answers: AsyncIterable[Any]) -> bytes:
    return b"".join([answer.data async for answer in answers])


async def test_a_watcher_sees_each_change_until_the_end(served: Served) -> None:
    """What is, then what happens, each state once; the stream ends with the submission."""
    store, hub = served.store, served.conductor.hub
    found = _received(store)
    topic = submission_topic(found.id)
    seen = []
    steps = [
        lambda: store.submissions.advance(found.id, SubmissionState.CHECKED),
        lambda: store.submissions.advance(found.id, SubmissionState.CHECKED),
        lambda: store.submissions.advance(found.id, SubmissionState.QUALIFYING),
        lambda: _ready(store, found),
    ]
    async for answer in served["ana"].bots.WatchSubmission(pb.WatchSubmissionRequest(id=found.id)):
        seen.append(answer.submission)
        if seen[-1].state == pb.SUBMISSION_STATE_RECEIVED:
            assert hub.watched(topic)
        if steps:
            hub.publish(topic, steps.pop(0)())
        if len(steps) == 2:  # the same again is no change
            hub.publish(topic, steps.pop(0)())
    assert [one.state for one in seen] == [
        pb.SUBMISSION_STATE_RECEIVED,
        pb.SUBMISSION_STATE_CHECKED,
        pb.SUBMISSION_STATE_QUALIFYING,
        pb.SUBMISSION_STATE_READY,
    ]
    assert (seen[-1].version, list(seen[-1].advice)) == (1, ["short"])
    assert not hub.watched(topic)


async def test_one_that_is_over_is_shown_once(served: Served) -> None:
    """There is nothing to wait for."""
    found = _received(served.store)
    served.store.submissions.reject(found.id, "it crashed")
    watched = served["ana"].bots.WatchSubmission(pb.WatchSubmissionRequest(id=found.id))
    (only,) = [answer.submission async for answer in watched]
    assert (only.state, only.reason) == (pb.SUBMISSION_STATE_REJECTED, "it crashed")


async def test_a_watcher_is_let_go_when_the_hub_closes(served: Served) -> None:
    """As when the server stops."""
    found = _received(served.store)
    seen = 0
    async for _ in served["ana"].bots.WatchSubmission(pb.WatchSubmissionRequest(id=found.id)):
        seen += 1
        served.conductor.hub.close()
    assert seen == 1


async def test_trouble_is_shown(served: Served) -> None:
    """Who waits for us is told why."""
    found = _received(served.store)
    served.store.submissions.stuck(found.id, "the engine is away")
    shown = await served["ana"].bots.GetSubmission(pb.GetSubmissionRequest(id=found.id))
    assert shown.submission.trouble == "the engine is away"
    assert shown.submission.state == pb.SUBMISSION_STATE_RECEIVED


async def test_what_is_another_s_is_not_there(served: Served) -> None:
    """With the very words for what really isn't."""
    found = _received(served.store)
    bots = served["bo"].bots
    for ask in (
        lambda id_: bots.GetSubmission(pb.GetSubmissionRequest(id=id_)),
        lambda id_: _whole(bots.GetLog(pb.GetLogRequest(submission=id_))),
        lambda id_: _whole(bots.WatchSubmission(pb.WatchSubmissionRequest(id=id_))),
    ):
        said = []
        for id_ in (found.id, "0" * 16):
            with refused(pb.REASON_NOT_FOUND) as told:
                await ask(id_)
            said.append(str(told).replace(id_, "ID"))
        assert said[0] == said[1]


async def _submissions(caller: Caller, size: int) -> list[str]:
    seen, token = [], ""
    while True:
        page = await caller.bots.ListSubmissions(
            pb.ListSubmissionsRequest(page_size=size, page_token=token)
        )
        assert len(page.submissions) <= size
        seen += [one.bot for one in page.submissions]
        token = page.next_page_token
        if not token:
            return seen


async def test_submissions_are_listed_in_pages(served: Served) -> None:
    """The newest first, one's own; an admin's are everybody's; no page is empty at the end."""
    for number in range(6):
        _received(served.store, f"bot{number}", "bo" if number % 2 else "ana")
    for size in (1, 2, 3, 4):
        assert await _submissions(served["ana"], size) == ["bot4", "bot2", "bot0"]
        assert await _submissions(served["ada"], size) == [f"bot{n}" for n in range(5, -1, -1)]
    assert await _submissions(served["olga"], 2) == []
    with refused(pb.REASON_INVALID):
        await served["ana"].bots.ListSubmissions(
            pb.ListSubmissionsRequest(page_token="x")  # noqa: S106 - no password
        )
    with refused(pb.REASON_TOO_LARGE):
        await served["ana"].bots.ListSubmissions(pb.ListSubmissionsRequest(page_size=501))


async def test_bots_are_listed_in_pages(served: Served) -> None:
    """By name, all or an author's; a name that has no version yet is no bot."""
    for bot, author in (("c", "ana"), ("a", "bo"), ("b", "ana")):
        served.store.add_version(new_version(bot, author=author), b"")
    _received(served.store, "waiting")
    first = await served[SPECTATOR].bots.ListBots(pb.ListBotsRequest(page_size=2))
    assert [(bot.name, bot.author, bot.newest) for bot in first.bots] == [
        ("a", "bo", 1), ("b", "ana", 1),
    ]  # fmt: skip
    rest = await served[SPECTATOR].bots.ListBots(
        pb.ListBotsRequest(page_size=2, page_token=first.next_page_token)
    )
    assert ([bot.name for bot in rest.bots], rest.next_page_token) == (["c"], "")
    own = await served[SPECTATOR].bots.ListBots(pb.ListBotsRequest(author="ana"))
    assert [bot.name for bot in own.bots] == ["b", "c"]


async def test_a_bot_is_shown_with_its_versions_and_where_they_play(served: Served) -> None:
    """With what each was built and qualified; private tournaments to who has to do with them."""
    _ready(served.store, _received(served.store))
    served.store.add_version(new_version("good", digest="2", label="beta"), b"")
    other = served.store.add_version(new_version("other", author="bo"), b"")
    for name in ("open", "secret"):
        served.store.create_tournament(
            new_tournament(name), [served.store.find_version("good:1"), other], new_matches()
        )
    with served.store._database.write() as session:
        session.execute(
            update(TournamentRow)
            .where(TournamentRow.name == "secret")
            .values(private=True, organiser="olga")
        )
    for who, seen in (
        (SPECTATOR, ["open"]),
        ("otto", ["open"]),
        ("olga", ["secret", "open"]),
        ("bo", ["secret", "open"]),
        ("ana", ["secret", "open"]),
        ("ada", ["secret", "open"]),
    ):
        shown = await served[who].bots.GetBot(pb.GetBotRequest(name="good"))
        assert [(one.tournament, one.version) for one in shown.appearances] == [
            (name, 1) for name in seen
        ]
    assert (shown.bot.name, shown.bot.newest, shown.bot.versions) == ("good", 2, 2)
    one, two = shown.versions
    assert one.provenance == pb.Provenance(**PROVENANCE)
    assert (two.number, two.label, two.HasField("provenance")) == (2, "beta", False)
    with refused(pb.REASON_NOT_FOUND):
        await served["ana"].bots.GetBot(pb.GetBotRequest(name="nobody"))


async def test_a_submission_s_log_is_read_in_pieces(served: Served) -> None:
    """All of it, with nothing in it that could upset a terminal; none is nothing."""
    found = _received(served.store)
    assert await _whole(served["ana"].bots.GetLog(pb.GetLogRequest(submission=found.id))) == b""
    printed = b"\x1b[31mred\x00\xff\n" + b"x" * 100 + b"\n" + b"line\n" * 40_000
    _ready(served.store, found, printed)
    log = await _whole(served["ana"].bots.GetLog(pb.GetLogRequest(submission=found.id)))
    assert log.count(b"line\n") == 40_000
    assert b"red" in log
    assert not {0x00, 0x1B} & set(log)
    log.decode()


async def test_a_seat_s_log_is_for_its_author_and_the_organiser(served: Served) -> None:
    """Of a match that is released; another seat's is not there for the author of this one."""
    store = served.store
    bots = [
        store.add_version(new_version(name, author=author), b"")
        for name, author in (("good", "ana"), ("other", "bo"))
    ]
    cup = store.create_tournament(new_tournament("cup"), bots, new_matches())
    with store._database.write() as session:
        session.execute(update(TournamentRow).values(organiser="olga"))

    def log(who: str, seat: int, match: str = "m0-0") -> Any:
        asked = pb.SeatLog(tournament="cup", match_id=match, seat=seat)
        return _whole(served[who].bots.GetLog(pb.GetLogRequest(seat=asked)))

    for match in store.pending_matches(cup.id):
        if match.key.block == 0:
            store.record_result(cup.id, new_result(match), replay_of(match), logs_of(match))
    for who, seats in (("ana", {0}), ("bo", {1}), ("olga", {0, 1}), ("ada", {0, 1}), ("otto", ())):
        for seat in (0, 1):
            if seat in seats:
                assert await log(who, seat) == f"m0-0, seat {seat}\n".encode()
            else:
                with refused(pb.REASON_NOT_FOUND):
                    await log(who, seat)
    assert await log("ana", 1, "m0-1") == b"m0-1, seat 1\n"
    with refused(pb.REASON_WRONG_STATE) as told:
        await log("ana", 0, "m1-0")
    assert "was not played yet" in str(told)
    with refused(pb.REASON_INVALID):
        await log("ada", 7)
    with refused(pb.REASON_INVALID):
        await _whole(served["ana"].bots.GetLog(pb.GetLogRequest()))


async def test_a_retired_version_is_out_of_use(served: Served) -> None:
    """By number or all at once; the same request again gives the same answer."""
    for digest in "ab":
        served.store.add_version(new_version("good", digest=digest), b"")
    bots = served["ana"].bots
    one = pb.RetireBotRequest(request_id="r1", bot="good", version=2)
    for _ in range(2):
        answer = await bots.RetireBot(one)
        assert (answer.bot.newest, answer.bot.versions) == (1, 2)
    shown = await bots.GetBot(pb.GetBotRequest(name="good"))
    assert [version.HasField("retired") for version in shown.versions] == [False, True]
    with refused(pb.REASON_NOT_FOUND):
        await bots.RetireBot(pb.RetireBotRequest(bot="good", version=4_000_000_000))
    assert (await bots.RetireBot(pb.RetireBotRequest(bot="good"))).bot.newest == 0
    with refused(pb.REASON_REQUEST_ID_REUSED):
        await bots.RetireBot(pb.RetireBotRequest(request_id="r1", bot="good"))


async def test_only_its_author_and_admins_retire_a_bot(served: Served) -> None:
    """For others it is as if they meant one that isn't there."""
    served.store.add_version(new_version("good"), b"")
    said = []
    for bot in ("good", "none"):
        with refused(pb.REASON_NOT_FOUND) as told:
            await served["bo"].bots.RetireBot(pb.RetireBotRequest(bot=bot))
        said.append(str(told).replace(bot, "BOT"))
    assert said[0] == said[1]
    assert (await served["ada"].bots.RetireBot(pb.RetireBotRequest(bot="good"))).bot.newest == 0


async def test_a_tournament_that_has_begun_keeps_a_retired_version(served: Served) -> None:
    """Its history stays, and so do its matches to come."""
    cup = make_tournament(served.store)
    await served["ada"].bots.RetireBot(pb.RetireBotRequest(bot="bot0"))
    pending = await asyncio.to_thread(served.store.pending_matches, cup.id)
    assert len(pending) == 6
