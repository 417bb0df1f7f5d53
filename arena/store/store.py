"""The store's face: one object, safe to call from many threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.store.records import (
    BotVersion,
    MatchStatus,
    NewMatch,
    NewResult,
    NewTournament,
    NewVersion,
    Progress,
    Recorded,
    StoredMatch,
    StoredResult,
    Tournament,
    Void,
)


class Store:
    """SIGNATURES ONLY, the bodies follow within the hour; blocking: from asyncio use a thread."""

    folder: Path
    run_folder: Path
    """Instance locks and sockets."""
    id: str
    """32 random hex digits, stable for the life of the store; labels its containers."""

    @classmethod
    def open(cls, folder: Path | None = None, *, busy_timeout: float = 30.0) -> Self:
        """Open (and make, and migrate) the store in `folder`, by default `default_folder()`."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        raise NotImplementedError

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        raise NotImplementedError

    # Bots

    def add_version(self, new: NewVersion, archive: bytes) -> BotVersion:
        """Idempotent by bot and digest. Raises NameTaken."""
        raise NotImplementedError

    def find_version(self, name: str) -> BotVersion:
        """`name` (its newest), `name:number` or `name:label` (the newest so labelled)."""
        raise NotImplementedError

    def bots(self) -> list[str]:
        raise NotImplementedError

    def versions(self, bot: str | None = None) -> list[BotVersion]:
        """By bot, then number."""
        raise NotImplementedError

    # Tournaments

    def create_tournament(
        self, new: NewTournament, entries: Sequence[BotVersion], matches: Sequence[NewMatch]
    ) -> Tournament:
        raise NotImplementedError

    def tournament(self, name: str) -> Tournament:
        raise NotImplementedError

    def tournaments(self, game: str | None = None) -> list[Tournament]:
        """In the order of their creation."""
        raise NotImplementedError

    def progress(self, tournament_id: int) -> Progress:
        raise NotImplementedError

    def cancel(self, tournament_id: int) -> None:
        raise NotImplementedError

    def run_lock(self, tournament: Tournament) -> AbstractContextManager[None]:
        """Hold it while playing the tournament. Raises TournamentBusy, which names the pid."""
        raise NotImplementedError

    # Matches and results, always in schedule order

    def matches(self, tournament_id: int) -> list[StoredMatch]:
        raise NotImplementedError

    def pending_matches(self, tournament_id: int) -> list[StoredMatch]:
        raise NotImplementedError

    def match(self, tournament_id: int, match_id: str) -> StoredMatch:
        raise NotImplementedError

    def record_result(
        self,
        tournament_id: int,
        result: NewResult,
        replay: bytes,
        logs: Mapping[int, bytes] | None = None,
    ) -> Recorded:
        """`logs` by seat. Raises ResultConflict, TournamentOver."""
        raise NotImplementedError

    def record_void(
        self, tournament_id: int, match_id: str, attempt: int, reason: str, detail: str
    ) -> MatchStatus:
        """`attempt` is the match's `attempts` + 1; the same attempt twice changes nothing.

        Returns where the match stands now: PENDING (play again), HOLE, or DONE.
        """
        raise NotImplementedError

    def result(self, tournament_id: int, match_id: str) -> StoredResult:
        raise NotImplementedError

    def results(self, tournament_id: int) -> list[StoredResult]:
        """All of them; `rated_results` leaves out the blocks with holes."""
        raise NotImplementedError

    def rated_results(self, tournament_id: int) -> list[StoredResult]:
        raise NotImplementedError

    def game_results(self, game: str) -> list[tuple[Tournament, list[StoredResult]]]:
        """Rated results of every tournament of `game`, in the order of their creation."""
        raise NotImplementedError

    def voids(self, tournament_id: int) -> list[Void]:
        raise NotImplementedError

    def hole_blocks(self, tournament_id: int) -> frozenset[int]:
        raise NotImplementedError

    def is_released(self, tournament_id: int, match_id: str) -> bool:
        """Whether the match's block has ended, so that its replay may be shown."""
        raise NotImplementedError

    # Blobs

    def blob(self, key: str) -> bytes:
        """Raises NotFound, StoreDamaged."""
        raise NotImplementedError
