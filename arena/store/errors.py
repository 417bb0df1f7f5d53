"""Everything that the store raises. Each message is one line that says what to do.

StoreError
|-- StoreUnavailable   not now, or not here: try again, or change the machine
|   |-- StoreLocked        another process holds the database
|   |-- StoreFull          no space left
|   |-- LeaseLost          a server no longer holds its store for itself
|   `-- StoreNotWritable   the folder is missing, read-only or somebody else's
|-- StoreUnusable      this database can't be used by this program
|   |-- StoreTooNew        written by a newer version
|   |-- StoreForeign       a database, but none of ours
|   `-- StoreDamaged       damaged, or no database at all; a blob that is not what it was
|-- BackupFailed       a backup that can't be written, or is none, or not what it was
|-- NotFound           no such bot, version, tournament, match or blob
|-- InvalidRecord      what was handed in can't be stored
|   `-- EntryRefused       a version that can't take part in this tournament
`-- Conflict           it contradicts what the store holds
    |-- NameTaken          somebody else's bot, or a tournament's name used before
    |-- ResultConflict     another result for a match that is done, or one for a hole
    |-- MatchAnnulled      a result for a match that is not to be played any more
    |-- EntryClosed        entry is closed, or over since the schedule is drawn
    |-- EntriesChanged     bots were entered or withdrawn meanwhile
    |-- TournamentOver     the tournament was cancelled (or, on cancelling, has finished)
    |-- TournamentBusy     another process plays this tournament
    |-- NotScheduled       the tournament has no schedule yet, so it can't be played
    |-- StoreNotEmpty      a backup is restored into an empty store only
    |-- StoreServed        another server holds this store for itself
    |-- TooManyUnfinished  an author has enough submissions under way
    |-- AtATable           a person plays a match already
    |-- RequestReused      a request id that stands for another request
    `-- LastAdmin          nobody would be left who may do everything
"""

from __future__ import annotations


class StoreError(Exception):
    """The store can't do what was asked; the message says why and what to do."""


class StoreUnavailable(StoreError):
    """Not now, or not here."""


class StoreLocked(StoreUnavailable):
    """Another process has held the database for longer than we wait."""


class StoreFull(StoreUnavailable):
    """There is no space left where the store lies."""


class LeaseLost(StoreUnavailable):
    """This server no longer holds the store for itself: another one may take it at any time."""


class StoreNotWritable(StoreUnavailable):
    """The folder can't be made, or may not be written to."""


class StoreUnusable(StoreError):
    """The database can't be used by this program."""


class StoreTooNew(StoreUnusable):
    """The database was written by a newer version of the program."""


class StoreForeign(StoreUnusable):
    """The database belongs to some other program."""


class StoreDamaged(StoreUnusable):
    """The database or a blob is damaged."""


class BackupFailed(StoreError):
    """A backup can't be written, or what should be one is none, or is damaged."""


class NotFound(StoreError):
    """The store doesn't hold what was asked for."""


class InvalidRecord(StoreError):
    """What was handed in can't be stored."""


class EntryRefused(InvalidRecord):
    """This version can't take part in this tournament."""


class Conflict(StoreError):
    """What was handed in contradicts what the store holds."""


class NameTaken(Conflict):
    """The name is in use."""


class ResultConflict(Conflict):
    """The match has another result already, or was given up."""


class MatchAnnulled(Conflict):
    """An entry of the match was withdrawn: it is not to be played any more."""


class EntryClosed(Conflict):
    """No bots can be entered or taken out now."""


class EntriesChanged(Conflict):
    """Bots were entered or withdrawn since the schedule was begun: draw it anew."""


class TournamentOver(Conflict):
    """The tournament takes no more results, or can't be cancelled any more."""


class TournamentBusy(Conflict):
    """Another process plays this tournament."""


class NotScheduled(Conflict):
    """The tournament has no schedule yet."""


class StoreNotEmpty(Conflict):
    """A backup is restored into an empty store only."""


class StoreServed(Conflict):
    """Another server holds this store for itself."""


class TooManyUnfinished(Conflict):
    """An author has as many submissions under way as one may have."""


class AtATable(Conflict):
    """A person plays one match at a time."""


class RequestReused(Conflict):
    """The request id stands for another request."""


class LastAdmin(Conflict):
    """Nobody would be left who may do everything."""
