"""Taking submissions in, as far as nothing of them is run."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
import zipfile
from dataclasses import replace
from typing import Any, cast

import pytest

from arena.app.bots import contestants, intake
from arena.store import Store, SubmissionState
from arena.submissions import DEFAULT_LIMITS, SubmissionError
from tests.integration.server.archives import BOT, packed


def test_what_is_kept_has_the_digest_that_was_told(store: Store) -> None:
    """However it was packed."""
    found = intake.receive(store, "ana", packed("mine"))
    assert contestants.read_kept(store.blob(found.archive)).digest == found.digest
    assert intake.receive(store, "ana", packed("mine")) == found


def test_a_bot_is_read_back_that_is_larger_than_what_may_be_sent(store: Store) -> None:
    """It is kept without being compressed."""
    digits = random.Random(1).randbytes(15 << 19).hex()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("bot.toml", 'name = "large"\ngame = "claims"\n')
        archive.writestr("bot.py", BOT)
        archive.writestr("a.txt", digits)
        archive.writestr("b.txt", digits)
    sent = buffer.getvalue()
    assert len(sent) < DEFAULT_LIMITS.archive_bytes
    found = intake.receive(store, "ana", sent)
    assert len(store.blob(found.archive)) > DEFAULT_LIMITS.archive_bytes
    assert intake.check(store, found).state is SubmissionState.CHECKED


def test_checks_are_done_once(store: Store) -> None:
    """Whoever comes second finds them done, and what was said of it."""
    found = intake.receive(store, "ana", packed("mine", **{"numpy.py": "x = ("}))
    checked = intake.check(store, found)
    assert checked.state is SubmissionState.CHECKED
    assert len(checked.advice) == 2
    assert intake.check(store, checked) == checked
    assert intake.check(store, found) == checked


def test_limits_may_be_narrower(store: Store) -> None:
    """What can't be read is nobody's submission."""
    archive = packed("mine")
    with pytest.raises(SubmissionError):
        intake.receive(store, "ana", archive, limits=replace(DEFAULT_LIMITS, archive_bytes=99))
    assert store.submissions.unfinished() == []
    assert store.roster.owner("mine") is None


def test_a_state_is_told_once_however_often_it_was_cut_off(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who counts what submissions come to counts each of them once."""

    async def build(*_: object) -> tuple[object, object]:
        return object(), object()

    async def cut_off(*_: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr("arena.app.bots.building.build", build)
    monkeypatch.setattr("arena.app.bots.qualifying.find_rival", lambda: None)
    monkeypatch.setattr("arena.app.bots.qualifying.trials", lambda *_: [])
    monkeypatch.setattr("arena.app.bots.qualifying.try_out", cut_off)
    found = intake.receive(store, "ana", packed("mine"))
    seen: list[SubmissionState] = []

    async def process() -> None:
        member, play = cast("Any", None), cast("Any", None)
        with contextlib.suppress(asyncio.CancelledError):
            await intake.process(
                store,
                found.id,
                member=member,
                play=play,
                on_change=lambda now: seen.append(now.state),
            )

    for _ in range(3):
        asyncio.run(process())
    assert seen == [SubmissionState.CHECKED, SubmissionState.BUILT, SubmissionState.QUALIFYING]
