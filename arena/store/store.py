"""The store's face: one object, one transaction a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL

from arena.store import growing, matches, requests, results, tournaments, versions
from arena.store.accounts import Accounts
from arena.store.audit import Audit
from arena.store.backup import Manifest, back_up
from arena.store.blobs import BlobFolder
from arena.store.careers import Careers
from arena.store.database import Database
from arena.store.entering import Entering
from arena.store.errors import NotFound
from arena.store.fields import Fields
from arena.store.files import make_folder
from arena.store.leagues import Leagues
from arena.store.lease import Lease, Leases
from arena.store.locks import UseLock
from arena.store.opening import chosen_database, default_folder, prepare
from arena.store.pages import Pages
from arena.store.people import People
from arena.store.rated import Rated
from arena.store.records import (
    BlobKey,
    BotVersion,
    Entry,
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
from arena.store.requests import Request
from arena.store.retention import Retention
from arena.store.roster import Roster
from arena.store.running import Running
from arena.store.submissions import Submissions
from arena.store.translate import translated


class Store:
    """Everything that must outlive a process.

    Each method is one transaction: it happens whole or not at all, also when the process is
    killed in the middle of it. All methods block; they may be called from any number of threads
    (from asyncio: `await asyncio.to_thread(store.method, ...)`) and processes at once.

    What a method raises is a StoreError; besides those that it names, any method may raise
    StoreUnavailable (locked, full, not writable) and StoreDamaged.

    `folder` has the database, the blobs and `run_folder`, which has what lives no longer than a
    process: locks and sockets. `id` is 32 random hex digits, the same for the life of the store;
    it labels the containers that belong to it.
    """

    def __init__(self, folder: Path, database: URL, *, busy_timeout: float) -> None:
        """Use `database` with the blobs and locks in `folder`; see `open`."""
        self.folder = folder
        #: Which database it is, for people: where it lies elsewhere its address, less the password.
        self.database = "SQLite"
        if database.get_backend_name() == "postgresql":
            self.database = database.set(drivername="postgresql").render_as_string()
        self.run_folder = folder / "run"
        with translated(folder), ExitStack() as opened:
            make_folder(self.run_folder)
            self._blobs = BlobFolder(folder / "blobs")
            use = opened.enter_context(closing(UseLock(self.run_folder / "store.lock")))
            self._database = opened.enter_context(
                closing(Database(database, folder, busy_timeout=busy_timeout))
            )
            #: Which tournaments a server plays.
            self.running = Running(self._database)
            self.id = prepare(self._database, self._blobs, use, patience=busy_timeout)
            self._opened = opened.pop_all()
        self._leases = Leases(self._database, self.run_folder, self.id)
        #: The results that count, for whoever rates them again and again.
        self.rated = Rated(self._database)
        #: Tournaments, for whoever reads them again and again.
        self.fields = Fields(self._database)
        #: Who takes part in tournaments.
        self.entering = Entering(self._database)
        #: What is not kept for ever.
        self.retention = Retention(self._database, self._blobs)
        #: Long lists in parts.
        self.pages = Pages(self._database)
        #: Who may call a server.
        self.accounts = Accounts(self._database)
        #: Who did what through one.
        self.audit = Audit(self._database)
        #: What authors handed in.
        self.submissions = Submissions(self._database, self._keep)
        #: Series of tournaments.
        self.leagues = Leagues(self._database)
        #: What people play against bots.
        self.people = People(self._database, self._keep)
        #: What versions have played.
        self.careers = Careers(self._database)
        #: The bots by name.
        self.roster = Roster(self._database)

    @classmethod
    def open(cls, folder: Path | None = None, *, busy_timeout: float = 30.0) -> Self:
        """Open the store in `folder`, by default in `default_folder()`.

        Makes it where there is none, and brings an older one up to date. Its database is an
        SQLite file there, or the one of PostgreSQL's that ARENA_DATABASE names. `busy_timeout` is
        how many seconds to wait for another process that writes.
        Raises StoreUnavailable (StoreLocked, StoreFull, StoreNotWritable) and StoreUnusable
        (StoreForeign, StoreTooNew, StoreDamaged).
        """
        folder = (folder or default_folder()).absolute()
        with translated(folder):
            make_folder(folder)
            database = chosen_database(folder)
        return cls(folder, database, busy_timeout=busy_timeout)

    def close(self) -> None:
        """Give back connections and locks; no method may be called afterwards."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Bots

    def add_version(self, new: NewVersion, archive: bytes) -> BotVersion:
        """Keep an upload under the bot's next number, or find the same bot and digest again.

        Raises NameTaken if the bot is another author's, and InvalidRecord.
        """
        versions.check(new)
        with self._database.read() as session:
            same = versions.find_same(session, new.bot, new.author, new.digest)
        if same is not None:
            return same
        key = self._keep([archive])[0]
        with self._database.write() as session:
            return versions.add(session, new, key)

    def find_version(self, name: str) -> BotVersion:
        """`bot` (its newest version in use), `bot:number` or `bot:label`. Raises NotFound.

        A number is tried before a label; of several versions with one label the newest is meant.
        """
        with self._database.read() as session:
            return versions.find(session, name)

    def bots(self) -> list[str]:
        """The names of all bots that have a version, in alphabetical order."""
        with self._database.read() as session:
            return versions.names(session)

    def versions(self, bot: str | None = None) -> list[BotVersion]:
        """The versions of `bot`, or all of them, by bot and number. Raises NotFound."""
        with self._database.read() as session:
            return versions.listed(session, bot)

    # Tournaments

    def create_tournament(
        self,
        new: NewTournament,
        entries: Sequence[BotVersion] = (),
        matches: Sequence[NewMatch] = (),
        request: Request | None = None,
    ) -> Tournament:
        """Keep a tournament with its entries, in the order of their positions, and its schedule.

        Without entries it is open for entry, see `entering`.
        Raises NameTaken, AlreadyDone, and InvalidRecord if the parts don't fit each other.
        """
        tournaments.check(new, entries, matches)
        with self._database.write() as session:
            requests.claim(session, request, new.name)
            return tournaments.create(session, new, entries, matches)

    def tournament(self, name: str) -> Tournament:
        """The tournament of that name. Raises NotFound."""
        with self._database.read() as session:
            return tournaments.find(session, name)

    def tournaments(
        self, game: str | None = None, *, league: str | None = None
    ) -> list[Tournament]:
        """All tournaments, or those of `game` or a `league`, in the order of their creation."""
        with self._database.read() as session:
            return tournaments.listed(session, game, league)

    def progress(self, tournament_id: int) -> Progress:
        """How far the tournament is. Raises NotFound."""
        with self._database.read() as session:
            return tournaments.progress(session, tournament_id)

    def extend_schedule(
        self,
        tournament_id: int,
        matches: Sequence[NewMatch],
        seen: Sequence[Entry] | None = None,
    ) -> None:
        """Add the next blocks to a schedule that grows, once all matches so far have ended.

        With `seen`, the entries in view of which they were chosen, it raises EntriesChanged if one
        was withdrawn since. Raises NotFound, TournamentOver, and InvalidRecord for blocks that
        don't come next, or if there are matches to be played, or if the schedule has ended or
        doesn't grow.
        """
        with self._database.write() as session:
            growing.extend(session, tournament_id, matches, seen)

    def end_schedule(self, tournament_id: int) -> None:
        """Let a schedule that grows be whole; twice is the same as once.

        Raises NotFound, and InvalidRecord if it doesn't grow.
        """
        with self._database.write() as session:
            growing.end(session, tournament_id)

    def cancel(self, tournament_id: int, request: Request | None = None) -> None:
        """Stop it for good: it takes no more results.

        Raises NotFound, TournamentOver, AlreadyDone.
        """
        with self._database.write() as session:
            row = tournaments.require(session, tournament_id)
            requests.claim(session, request, row.name)
            tournaments.cancel(session, tournament_id)

    def lease(self) -> AbstractContextManager[Lease]:
        """Hold this while serving the store; dies with the process. See Lease for losing it.

        Raises StoreServed, which names the server that holds it.
        """
        return self._leases.server()

    def run_lock(self, tournament: Tournament) -> AbstractContextManager[Lease]:
        """Hold this while playing the tournament; dies with the process. See Lease for losing it.

        Raises TournamentBusy, which names the process that plays it.
        """
        return self._leases.tournament(tournament)

    # Matches and results, always in schedule order

    def matches(self, tournament_id: int) -> list[StoredMatch]:
        """All matches. Raises NotFound."""
        with self._database.read() as session:
            return matches.listed(session, tournament_id)

    def pending_matches(self, tournament_id: int) -> list[StoredMatch]:
        """The matches still to be played; none if the tournament is cancelled. Raises NotFound."""
        with self._database.read() as session:
            return matches.pending(session, tournament_id)

    def match(self, tournament_id: int, match_id: str) -> StoredMatch:
        """The match of that id. Raises NotFound."""
        with self._database.read() as session:
            return matches.find(session, tournament_id, match_id)

    def record_result(
        self,
        tournament_id: int,
        result: NewResult,
        replay: bytes,
        logs: Mapping[int, bytes] | None = None,
    ) -> Recorded:
        """Keep a result with its replay and the seats' logs (by seat; an empty one is none).

        The same result again changes nothing, whatever was measured this time. When this
        returns, all of it is on the disk.
        Raises NotFound, InvalidRecord, TournamentOver, MatchAnnulled if it is not needed since an
        entry was withdrawn, and ResultConflict for another result of a match that is done or was
        given up.
        """
        logs = {seat: log for seat, log in (logs or {}).items() if log}
        with self._database.read() as session:
            if results.is_recorded(session, tournament_id, result):
                return Recorded.ALREADY_THERE
        results.check_logs(result, logs)
        replay_key, *log_keys = self._keep([replay, *logs.values()])
        log_of_seat = dict(zip(logs, log_keys, strict=True))
        with self._database.write() as session:
            return results.record(session, tournament_id, result, replay_key, log_of_seat)

    def record_void(
        self, tournament_id: int, match_id: str, attempt: int, *, reason: str, detail: str
    ) -> MatchStatus:
        """Note that we spoilt an attempt at a match: its `attempts` + 1.

        The same attempt again changes nothing, nor does an attempt at a match that is done or
        annulled. Returns where the match stands now: PENDING (play it again) or any other.
        Raises NotFound, TournamentOver, and InvalidRecord if an earlier attempt is missing.
        """
        with self._database.write() as session:
            return matches.record_void(
                session, tournament_id, match_id, attempt, reason=reason, detail=detail
            )

    def result(self, tournament_id: int, match_id: str) -> StoredResult:
        """The result of one match. Raises NotFound."""
        with self._database.read() as session:
            return results.find(session, tournament_id, match_id)

    def results(self, tournament_id: int) -> list[StoredResult]:
        """All results, also those that `rated_results` leaves out. Raises NotFound."""
        with self._database.read() as session:
            return results.listed(session, tournament_id)

    def rated_results(self, tournament_id: int) -> list[StoredResult]:
        """The results that count: not those of the blocks `left_out`. Raises NotFound."""
        with self._database.read() as session:
            return results.rated(session, tournament_id)

    def game_results(self, game: str) -> list[tuple[Tournament, list[StoredResult]]]:
        """The rated results of every public tournament of `game`, in the order of creation."""
        with self._database.read() as session:
            return [
                (tournament, results.rated(session, tournament.id))
                for tournament in tournaments.listed(session, game)
                if not tournament.private
            ]

    def voids(self, tournament_id: int) -> list[Void]:
        """All spoilt attempts. Raises NotFound."""
        with self._database.read() as session:
            return matches.voids(session, tournament_id)

    def hole_blocks(self, tournament_id: int) -> frozenset[int]:
        """The blocks in which a match was given up. Raises NotFound."""
        with self._database.read() as session:
            return matches.hole_blocks(session, tournament_id)

    def left_out(self, tournament_id: int) -> frozenset[int]:
        """The blocks that don't count for the rating. Raises NotFound.

        That is those with a hole, those in which a withdrawn entry had a match to come, and all
        in which an annulled entry plays.
        """
        with self._database.read() as session:
            return matches.left_out(session, tournament_id)

    def is_released(self, tournament_id: int, match_id: str) -> bool:
        """Whether the match's replay may be shown: nobody will meet its deals any more.

        That is when no match of its block is pending, or the tournament is cancelled.
        Raises NotFound.
        """
        with self._database.read() as session:
            return matches.is_released(session, tournament_id, match_id)

    def back_up(self, target: Path) -> Manifest:
        """Write a backup of everything, as of now, to the new file `target`; see `backup`.

        Others may go on writing. Raises BackupFailed.
        """
        with translated(self.folder):
            return back_up(self._database, self._blobs, target)

    # Blobs

    def blob(self, key: BlobKey) -> bytes:
        """The bytes of a replay, a log or an archive.

        Raises StoreDamaged, and NotFound, which says so if it was removed on purpose.
        """
        with translated(self.folder):
            try:
                return self._blobs.get(key)
            except NotFound:
                removed = self.retention.removed_at(key)
                if removed is None:
                    raise
        raise NotFound(
            f"this was removed on {removed:%Y-%m-%d}: the arena's settings say how long replays, "
            "logs and rejected archives are kept"
        )

    def _keep(self, blobs: Sequence[bytes]) -> list[BlobKey]:
        with translated(self.folder):
            return self._blobs.put_all(blobs)
