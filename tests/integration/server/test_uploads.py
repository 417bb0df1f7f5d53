"""Bots that are sent: taken in whole, once, and within every bound."""

from __future__ import annotations

import asyncio
import io
import threading
import time
import zipfile
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import grpc
import pytest

from arena.app import accounts
from arena.app.bots import intake
from arena.store import Role, Store, StoreFull, SubmissionState
from arena.store.testing import new_version
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.archives import data, header, packed, upload
from tests.integration.server.calling import Caller, Served, refused

GOOD = packed("good")
Message = pb.SubmitBotRequest


@pytest.fixture
def chosen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The settings that a test names."""
    found: dict[str, Any] = getattr(request, "param", {})
    return found


def settings(**chosen: Any) -> pytest.MarkDecorator:
    """Let a test's server have these settings."""
    return pytest.mark.parametrize("chosen", [chosen], indirect=True)


async def send(caller: Caller, archive: bytes, **told: object) -> pb.Submission:
    """Send an archive as it should be."""
    answer = await caller.bots.SubmitBot(upload(archive, **told))
    return answer.submission


async def stream(messages: Iterable[Message]) -> AsyncIterator[Message]:
    """These messages and no more."""
    for message in messages:
        yield message


async def test_a_bot_that_is_sent_is_taken_in(served: Served) -> None:
    """It is checked when the answer comes, the conductor knows of it, and its author sees it."""
    sent = await send(served["ana"], GOOD)
    assert (sent.bot, sent.author, sent.state) == ("good", "ana", pb.SUBMISSION_STATE_CHECKED)
    assert served.conductor.arrived == [sent.id]
    kept = served.store.submissions.get(sent.id)
    assert (kept.digest, kept.state) == (sent.digest, SubmissionState.CHECKED)
    shown = await served["ana"].bots.GetSubmission(pb.GetSubmissionRequest(id=sent.id))
    assert shown.submission == sent
    (audited,) = served.store.audit.entries("ana", most=10)
    assert (audited.method, audited.target, audited.outcome) == (
        "BotService/SubmitBot", "good", "OK",
    )  # fmt: skip


async def test_a_bot_that_cannot_start_is_rejected_with_the_reason(served: Served) -> None:
    """It can be read but not compiled: that is a submission with an end, and no work for us."""
    sent = await send(served["ana"], packed("broken", "def ("))
    assert sent.state == pb.SUBMISSION_STATE_REJECTED
    assert sent.reason.startswith("'bot.py', line 1: ")
    assert served.conductor.arrived == []
    again = await send(served["ana"], packed("broken"))
    assert again.state == pb.SUBMISSION_STATE_CHECKED


async def test_a_runtime_that_is_not_here_is_rejected(served: Served) -> None:
    """The author is told which one is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("bot.toml", 'name = "js"\ngame = "claims"\nruntime = "node"\n')
        archive.writestr("bot.js", "")
    sent = await send(served["ana"], buffer.getvalue())
    assert sent.state == pb.SUBMISSION_STATE_REJECTED
    assert sent.reason == 'bot.toml: this arena has no runtime "node": use "python"'


def _wrong_streams() -> dict[str, tuple[list[Message], pb.Reason.ValueType, str]]:
    told, pieces = header(GOOD), data(GOOD, 100)
    large = bytes(200_000)
    return {
        "nothing": ([], pb.REASON_INVALID, "first of all comes the header"),
        "an empty message": ([Message()], pb.REASON_INVALID, "first of all comes the header"),
        "data first": ([*pieces, told], pb.REASON_INVALID, "first of all comes the header"),
        "two headers": ([told, told, *pieces], pb.REASON_INVALID, "data and nothing else"),
        "a header again": ([told, *pieces, told], pb.REASON_INVALID, "data and nothing else"),
        "an empty piece": ([told, Message(), *pieces], pb.REASON_INVALID, "data and nothing else"),
        "more than was said": (
            [header(GOOD, size=len(GOOD) - 1), *pieces],
            pb.REASON_INVALID,
            "more came than",
        ),
        "fewer than was said": (
            [told, *pieces[:-1]],
            pb.REASON_DIGEST_MISMATCH,
            "bytes have arrived: send it again",
        ),
        "only a header": ([told], pb.REASON_DIGEST_MISMATCH, "only 0 of"),
        "another digest": (
            [header(GOOD, sha256="0" * 64), *pieces],
            pb.REASON_DIGEST_MISMATCH,
            "another digest than was announced",
        ),
        "other bytes": (
            [told, *pieces[1:], pieces[0]],
            pb.REASON_DIGEST_MISMATCH,
            "another digest than was announced",
        ),
        "no digest": ([header(GOOD, sha256="")], pb.REASON_INVALID, "sha256 is the SHA-256"),
        "a digest in capitals": (
            [header(GOOD, sha256="A" * 64)],
            pb.REASON_INVALID,
            "sha256 is the SHA-256",
        ),
        "nothing in it": ([header(b"")], pb.REASON_INVALID, "there is nothing in this archive"),
        "too large": ([header(GOOD, size=1 << 40)], pb.REASON_TOO_LARGE, "larger than 24 MiB"),
        "a large piece": (
            [header(large), Message(data=large[: (64 << 10) + 1])],
            pb.REASON_TOO_LARGE,
            "64 KiB of data at most",
        ),
    }


@pytest.mark.parametrize("wrong", _wrong_streams())
async def test_what_is_sent_wrongly_is_refused_and_leaves_nothing(
    served: Served, wrong: str
) -> None:
    """Each with its reason and what to do; afterwards there is room for as much as before."""
    messages, reason, says = _wrong_streams()[wrong]
    with refused(reason) as told:
        await served["ana"].bots.SubmitBot(stream(messages))
    assert says in str(told)
    assert_nothing_is_kept(served.store)
    assert (await send(served["ana"], GOOD)).state == pb.SUBMISSION_STATE_CHECKED


def assert_nothing_is_kept(store: Store) -> None:
    """Neither in the database nor on the disk."""
    assert store.submissions.page(None, size=9) == []
    assert store.roster.owner("good") is None
    assert not [path for path in (store.folder / "blobs").rglob("*") if path.is_file()]


def _hostile_archives() -> dict[str, bytes]:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.toml", 'name = "good"\ngame = "claims"\n')
        archive.writestr("bot.py", b"#" * (15 << 20))
    return {
        "a bomb": bomb.getvalue(),
        "garbage": b"\x00\xff" * 500,
        "an empty archive": b"PK\x05\x06" + bytes(18),
        "a way out": packed("good", **{"../../etc/cron.d/x": "boo"}),
        "a name that is none": packed("Good Bot"),
        "cut short": GOOD[:-30],
    }


@pytest.mark.parametrize("archive", _hostile_archives())
async def test_what_cannot_be_unpacked_is_refused(served: Served, archive: str) -> None:
    """With what is wrong about it in one line; nothing of it is kept."""
    with refused(pb.REASON_BOT_REFUSED) as told:
        await send(served["ana"], _hostile_archives()[archive])
    assert str(told).isprintable()
    assert_nothing_is_kept(served.store)


async def test_a_name_belongs_to_its_first_author(served: Served) -> None:
    """Whoever else sends it is refused, also an admin, and also before it is a version."""
    await send(served["ana"], GOOD)
    served.store.add_version(new_version("kept", author="bo"), b"")
    for who, name, owner in (("bo", "good", "ana"), ("ada", "good", "ana"), ("ana", "kept", "bo")):
        with refused(pb.REASON_NAME_TAKEN) as told:
            await send(served[who], packed(name))
        assert f"the bot name '{name}' belongs to {owner}" in str(told)


async def test_the_same_files_are_the_same_submission(served: Served) -> None:
    """However they are packed, and whether or not they are sent as the same request."""
    first = await send(served["ana"], GOOD, request_id="r1")
    again = await send(served["ana"], GOOD, request_id="r2")
    assert again == first
    assert await send(served["ana"], GOOD) == first
    assert set(served.conductor.arrived) == {first.id}


async def test_a_retry_need_not_bring_the_data_again(served: Served) -> None:
    """The header with its request id is enough; with other content it is a mistake."""
    first = await send(served["ana"], GOOD, request_id="r1")
    only = stream([header(GOOD, request_id="r1")])
    assert (await served["ana"].bots.SubmitBot(only)).submission == first
    with refused(pb.REASON_REQUEST_ID_REUSED):
        await send(served["ana"], packed("other"), request_id="r1")
    other = await send(served["bo"], packed("other"), request_id="r1")
    assert other.author == "bo"


async def test_one_request_many_times_at_once_is_one_submission(served: Served) -> None:
    """Whoever got no answer and asks again may come before the first one is through."""
    sending = [send(served["olga"], GOOD, request_id="r1") for _ in range(3)]
    ids = {sent.id for sent in await asyncio.gather(*sending)}
    assert len(ids) == 1
    assert [found.id for found in served.store.submissions.page(None, size=9)] == list(ids)


@settings(upload_idle_seconds=1)
async def test_who_sends_nothing_for_long_is_sent_away(served: Served) -> None:
    """Before the header, and between two pieces; a quick one goes through all the same."""

    async def silent(*messages: Message) -> AsyncIterator[Message]:
        for message in messages:
            yield message
        await asyncio.sleep(600)

    for messages in ((), (header(GOOD), *data(GOOD, 50)[:3])):
        with refused(pb.REASON_INVALID) as told:
            await served["ana"].bots.SubmitBot(silent(*messages))
        assert "nothing came for 1 seconds" in str(told)
    assert (await send(served["ana"], GOOD)).state == pb.SUBMISSION_STATE_CHECKED


@settings(upload_seconds=3)
async def test_who_drips_for_ever_is_sent_away_and_holds_nobody_up(served: Served) -> None:
    """A byte now and then keeps no upload alive beyond its time; others are served meanwhile."""

    async def dripping() -> AsyncIterator[Message]:
        yield header(GOOD, size=1 << 20)
        while True:
            yield Message(data=b"x")
            await asyncio.sleep(0.1)

    dripped = asyncio.ensure_future(served["ana"].bots.SubmitBot(dripping()))
    await asyncio.sleep(0.5)
    assert (await send(served["bo"], GOOD)).state == pb.SUBMISSION_STATE_CHECKED
    assert not dripped.done()
    with refused(pb.REASON_UNAVAILABLE) as told:
        await dripped
    assert "longer than 3 seconds" in str(told)


@settings(all_uploads_bytes=300_000)
async def test_no_more_comes_in_than_there_is_room_for(served: Served) -> None:
    """What is announced counts, not what has come; it is given back however the upload ends."""
    held, going = await _hold_uploads(served["ana"], 1)
    with refused(pb.REASON_RATE_LIMITED) as told:
        await served["bo"].bots.SubmitBot(stream([header(bytes(200_000))]))
    assert told.again_in == 5
    assert (await send(served["bo"], GOOD)).bot == "good"
    _let_go(held, going)
    await _until_refused(served["bo"], pb.REASON_DIGEST_MISMATCH, header(bytes(200_000)))


@settings(uploads_at_once=2)
async def test_an_author_sends_so_many_at_once(served: Served) -> None:
    """The third of two is refused at once; others may."""
    held, going = await _hold_uploads(served["ana"], 2)
    with refused(pb.REASON_RATE_LIMITED):
        await send(served["ana"], GOOD)
    assert (await send(served["bo"], GOOD)).bot == "good"
    _let_go(held, going)


async def _hold_uploads(
    caller: Caller, many: int
) -> tuple[asyncio.Event, Sequence[asyncio.Future[Any]]]:
    """Uploads of 200 kB that have begun and don't go on."""
    released = asyncio.Event()

    async def held() -> AsyncIterator[Message]:
        yield header(bytes(200_000))
        yield Message(data=bytes(1000))
        await released.wait()

    going = [asyncio.ensure_future(caller.bots.SubmitBot(held())) for _ in range(many)]
    await asyncio.sleep(0.5)
    assert not any(call.done() for call in going)
    return released, going


def _let_go(held: asyncio.Event, going: Sequence[asyncio.Future[Any]]) -> None:
    held.set()
    for call in going:
        call.cancel()


async def _until_refused(caller: Caller, reason: pb.Reason.ValueType, *messages: Message) -> None:
    """Wait until a call is refused for that reason and no other."""
    for _ in range(100):
        try:
            with refused(reason):
                await caller.bots.SubmitBot(stream(messages))
        except AssertionError:
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("it was never refused so")


@settings(uploads_per_hour=2)
async def test_an_author_sends_so_many_an_hour(served: Served) -> None:
    """Those that are refused count, since they cost as much; another author's don't."""
    with refused(pb.REASON_BOT_REFUSED):
        await send(served["ana"], b"garbage")
    await send(served["ana"], GOOD)
    with refused(pb.REASON_RATE_LIMITED) as told:
        await send(served["ana"], packed("other"))
    assert told.again_in is not None
    assert 0 < told.again_in <= 1800
    await send(served["bo"], packed("other"))


@settings(unfinished_submissions=2)
async def test_an_author_has_so_many_under_way(served: Served) -> None:
    """Until one of them is ready or rejected."""
    first = await send(served["ana"], packed("one"))
    await send(served["ana"], packed("two"))
    with refused(pb.REASON_RATE_LIMITED) as told:
        await send(served["ana"], packed("three"))
    assert "2 submissions of yours are under way" in str(told)
    served.store.submissions.reject(first.id, "it crashed")
    await send(served["ana"], packed("three"))


async def test_once_all_has_come_it_is_kept_whoever_goes_away(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller that hangs up while we check leaves no submission that nobody works on."""
    checking, go_on = threading.Event(), threading.Event()
    check = intake.check

    def slow(*told: Any) -> Any:
        checking.set()
        assert go_on.wait(60)
        return check(*told)

    monkeypatch.setattr(intake, "check", slow)
    call = served["ana"].bots.SubmitBot(upload(GOOD))
    sending = asyncio.ensure_future(call)
    assert await asyncio.to_thread(checking.wait, 60)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await asyncio.sleep(0.5)
    assert served.conductor.arrived == []
    go_on.set()
    until = time.monotonic() + 60
    while not served.conductor.arrived:
        assert time.monotonic() < until
        await asyncio.sleep(0.05)
    (kept,) = served.store.submissions.unfinished()
    assert served.conductor.arrived == [kept.id]
    assert kept.state is SubmissionState.CHECKED


async def test_twenty_authors_at_once(served: Served) -> None:
    """All of them get in, each with his own, once."""

    async def one(number: int) -> pb.Submission:
        name = f"author{number}"
        made = await asyncio.to_thread(accounts.add_author, served.store, name, Role.AUTHOR)
        async with grpc.aio.insecure_channel(served.target) as channel:
            return await send(Caller(channel, made.secret), packed(f"bot{number}"))

    sent = await asyncio.gather(*map(one, range(20)))
    assert [(one.bot, one.author) for one in sent] == [
        (f"bot{number}", f"author{number}") for number in range(20)
    ]
    assert {one.state for one in sent} == {pb.SUBMISSION_STATE_CHECKED}
    assert sorted(served.conductor.arrived) == sorted(one.id for one in sent)


async def test_no_refusal_tells_where_things_lie_here(served: Served) -> None:
    """Full disks and the like are the operator's business, and no rejection."""
    folder = served.store.folder / "blobs" / "tmp"
    folder.rmdir()
    folder.write_text("no folder")
    with refused(pb.REASON_UNAVAILABLE) as told:
        await send(served["ana"], GOOD)
    assert str(served.store.folder) not in str(told)
    folder.unlink()
    folder.mkdir()
    assert (await send(served["ana"], GOOD)).state == pb.SUBMISSION_STATE_CHECKED


async def test_a_check_that_fails_through_us_is_done_later(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept by then: the conductor goes on with it, and the same request leads to it."""

    def failing(*_: Any) -> None:
        raise StoreFull("no space left at /secret/path")

    with monkeypatch.context() as patch:
        patch.setattr(intake, "check", failing)
        with refused(pb.REASON_UNAVAILABLE) as told:
            await send(served["ana"], GOOD, request_id="r1")
    assert "/secret" not in str(told)
    (kept,) = served.store.submissions.unfinished()
    assert kept.state is SubmissionState.RECEIVED
    assert served.conductor.arrived == [kept.id]
    assert (await send(served["ana"], GOOD, request_id="r1")).id == kept.id
