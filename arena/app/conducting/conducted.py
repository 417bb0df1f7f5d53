"""One tournament that a server plays until it has ended, whatever comes between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack, suppress
from contextvars import Context
from dataclasses import dataclass
from typing import Final

import structlog

from arena.app.conducting.hub import Hub, tournament_topic
from arena.app.conducting.pauses import Pauses
from arena.app.failures import FOR_PEOPLE
from arena.app.tournaments import running
from arena.app.tournaments.live import Playing, TournamentNews
from arena.app.tournaments.running import Prepared
from arena.app.troubles import in_public
from arena.sandbox.instance import Instance
from arena.store import MAX_ATTEMPTS, Progress, Store, StoreError, Tournament, TournamentState
from arena.tournament.broadcast import Broadcast
from arena.tournament.job import Played
from arena.tournament.runner import Step
from arena.tournament.sharing import InPlay, Sharing
from arena.tournament.uncut import uncut

log = structlog.get_logger()

ENDED: Final = frozenset({TournamentState.FINISHED, TournamentState.CANCELLED})
"""Nothing of it is played any more."""


@dataclass(frozen=True, slots=True)
class Backstage:
    """What all that goes on in a server shares."""

    store: Store
    member: Instance
    sharing: Sharing
    hub: Hub
    #: Set while something may be begun: not while the server drains.
    open: asyncio.Event


class Conducted:
    """A tournament that is wanted: played on and on, in spite of all that fails through us."""

    def __init__(
        self,
        backstage: Backstage,
        tournament: Tournament,
        *,
        on_step: Callable[[Step], None],
        on_end: Callable[[Conducted], None],
    ) -> None:
        """`on_step` hears of each match that has ended, `on_end` once that no more will be."""
        self.tournament = tournament
        self._backstage = backstage
        self._on_step = on_step
        self._on_end = on_end
        self._lane = backstage.sharing.lane(on_change=self._match)
        self._pauses = Pauses()
        self._trouble = ""
        #: As it was told last.
        self._progress: Progress | None = None
        self._task: asyncio.Task[None] | None = None
        self._cut = False

    @property
    def playing(self) -> Playing:
        """What is being done about it."""
        in_play = tuple(match.match_id for match in self._lane.in_play)
        return Playing(wanted=True, in_play=in_play, trouble=self._trouble)

    def broadcast(self, match_id: str) -> Broadcast | None:
        """A match's, while it is being played."""
        return self._lane.broadcast(match_id)

    def begin(self) -> None:
        """Play it, or try again now."""
        if self._task is None:
            self._cut = False
            # It goes on long after the call that asked for it.
            self._task = asyncio.create_task(self._go_on(), context=Context())
        self._pauses.end()

    async def cut(self) -> None:
        """Stop it at once; what was cut off counts as nothing."""
        if self._task is not None:
            self._cut = True
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None

    async def end(self) -> None:
        """Stop it for good."""
        await self.cut()
        self._lane.close()

    async def look(self) -> None:
        """Tell those who watch how far it is, by what the store says."""
        store, id_ = self._backstage.store, self.tournament.id
        self._progress = await asyncio.to_thread(store.progress, id_)
        self._tell()

    async def _go_on(self) -> None:
        name = self.tournament.name
        while not await self._play_on():
            log.info("tried again later", tournament=name)
            await self._pauses.pause()
        self._lane.close()
        self._on_end(self)
        self._tell()
        log.info("tournament ended", tournament=name)

    async def _play_on(self) -> bool:
        """Play until it has ended, or something fails; whether it has ended."""
        await self._backstage.open.wait()
        try:
            await self._play()
            self._trouble = ""
            await self.look()
        except Exception as error:
            await self._note(error)
        return self._over

    @property
    def _over(self) -> bool:
        return self._progress is not None and self._progress.state in ENDED

    async def _play(self) -> None:
        back, tournament = self._backstage, self.tournament
        preparing = running.prepared(
            back.store, tournament, back.member, self._being_done, self._go_on_preparing
        )
        async with AsyncExitStack() as stack:
            it = await uncut(_entered(stack, preparing))
            log.info("claimed", tournament=tournament.name, pending=it.before.pending)
            self._trouble, self._progress = "", it.before
            self._tell()
            await it.play(self._lane, on_step=self._step, on_wave=lambda _: self._wave())

    async def _note(self, error: Exception) -> None:
        """Say what is the trouble; that it was cancelled, by whomever, is none."""
        with suppress(StoreError):  # which then is the trouble itself
            await self.look()
            if self._over:
                return
        self._trouble = in_public(error)
        log.warning(
            "tournament in trouble",
            tournament=self.tournament.name,
            why=str(error) or type(error).__name__,
            exc_info=None if isinstance(error, FOR_PEOPLE) else error,
        )
        self._tell()

    def _go_on_preparing(self) -> None:
        """End the thread that makes bots ready once nobody waits for it."""
        if self._cut:
            raise asyncio.CancelledError

    def _being_done(self, what: str) -> None:
        log.info("preparing", tournament=self.tournament.name, what=what)

    def _wave(self) -> None:
        log.info("wave grown", tournament=self.tournament.name)

    def _match(self, what: str, match: InPlay) -> None:
        log.info(what, tournament=self.tournament.name, match=match.match_id)
        self._tell()

    def _step(self, step: Step) -> None:
        self._pauses.forget()
        self._progress = step.progress
        played = isinstance(step.outcome, Played)
        log.info(
            "recorded",
            tournament=self.tournament.name,
            match=step.match.id,
            outcome="played" if played else "void",
        )
        self._on_step(step)
        over = played or step.match.attempts + 1 >= MAX_ATTEMPTS
        self._tell((step.match.id,) if over else ())

    def _tell(self, ended: tuple[str, ...] = ()) -> None:
        if self._progress is None:
            return
        news = TournamentNews(self._progress, Playing() if self._over else self.playing, ended)
        self._backstage.hub.publish(tournament_topic(self.tournament.id), news)


async def _entered(stack: AsyncExitStack, preparing: AbstractContextManager[Prepared]) -> Prepared:
    """Enter it in a thread, since images may have to be made; the stack leaves it."""
    it = await asyncio.to_thread(preparing.__enter__)
    stack.push(preparing)
    return it
