"""A whole server in a thread of its own, for commands that call it as a person's would."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

from arena.app import accounts
from arena.app.bots.contestants import new_version, read_kept
from arena.app.conducting.conductor import Conductor
from arena.app.conducting.hub import submission_topic
from arena.server.arena import Arena
from arena.server.listening import Listening
from arena.server.logs import logging_to
from arena.server.settings import Settings
from arena.store import Role, Store, StoredSubmission, SubmissionState

#: Seconds for anything that a test waits for, on a busy machine.
PATIENCE = 100.0


class TrustingConductor(Conductor):
    """Plays tournaments, but takes every bot that is handed in for good without trying it.

    One that is called `bad` is rejected.
    """

    def submission_arrived(self, submission_id: str) -> None:
        """Let it be ready, or rejected, after each state on the way."""
        self._trust = asyncio.get_running_loop().create_task(self._judge(submission_id))

    async def _judge(self, id_: str) -> None:
        submissions = self._store.submissions
        for state in (SubmissionState.BUILT, SubmissionState.QUALIFYING):
            self._tell(await asyncio.to_thread(submissions.advance, id_, state))
            await asyncio.sleep(0.2)
        found = submissions.get(id_)
        if found.bot == "bad":
            self._tell(submissions.reject(id_, "it crashed", log=b"Traceback: \x1b[31mboom"))
            return
        new = new_version(read_kept(self._store.blob(found.archive)), found.author)
        self._tell(submissions.ready(id_, new, {}, advice=["be quicker"], log=b"built"))

    def _tell(self, submission: StoredSubmission) -> None:
        self.hub.publish(submission_topic(submission.id), submission)


class Serving:
    """A server that is up, and the tokens of its authors."""

    def __init__(self, port: int, tokens: dict[str, str]) -> None:
        self.address = f"127.0.0.1:{port}"
        self.tokens = tokens


@contextmanager
def serving(home: Path, **settings: Any) -> Iterator[Serving]:
    """Serve the store in a folder from another thread, with an author, an organiser, an admin."""
    up: Future[Serving] = Future()
    down = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(home, settings, up, down)))
    thread.start()
    try:
        yield up.result(PATIENCE)
    finally:
        down.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


async def _serve(
    home: Path, settings: dict[str, Any], up: Future[Serving], down: threading.Event
) -> None:
    try:
        (home / "log").mkdir(parents=True, exist_ok=True)
        async with AsyncExitStack() as ending:
            store = ending.enter_context(Store.open(home))
            chosen = Settings(**{"port": 0, "web_port": 0, **settings})
            # Not among what the commands print.
            log = ending.enter_context((home / "log" / "served.log").open("a"))
            ending.enter_context(logging_to(log, chosen))
            conductor = TrustingConductor(store, workers=1, log=log)
            listening = Listening(Arena(store, chosen, conductor))
            ending.push_async_callback(conductor.close)
            ending.push_async_callback(listening.stop, grace=0)
            listening.bind()
            await conductor.start()
            await listening.start()
            roles = {"ana": Role.AUTHOR, "olga": Role.ORGANISER, "ada": Role.ADMIN}
            known = {author.name for author in store.accounts.authors()}
            tokens = {
                name: accounts.add_author(store, name, role).secret
                for name, role in roles.items()
                if name not in known
            }
            up.set_result(Serving(listening.port, tokens))
            await asyncio.to_thread(down.wait)
    except BaseException as error:
        if not up.done():
            up.set_exception(error)
        raise
