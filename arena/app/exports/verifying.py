"""Whether a whole tournament holds, by its export alone.

An export is written from four things: how the tournament was set up, its schedule, its results and
its replays.  The rules, and the ways to draw and to rate, are known.  So all is derived once more:
deals and schedule from the seed, results from the replays; and from these facts everything else
that stands in the export, which must be the same to the last digit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.app.errors import ArenaError
from arena.app.exports import documents, export, exported
from arena.app.exports.comparing import Wrong, require, same
from arena.app.exports.exported import Files, NotAnExport
from arena.app.exports.facts import Facts
from arena.app.exports.redrawing import Withdrawals, first_wrong
from arena.app.exports.retelling import header, said_by
from arena.app.options import game_of
from arena.app.tournaments.replays import SUFFIX
from arena.app.tournaments.setting_up import seed_may_be_shown
from arena.match import replay
from arena.match.replay import Line, ReplayError
from arena.match.verify import verify as verify_lines
from arena.rating import RatingError
from arena.schedule import ScheduleError
from arena.store import (
    MAX_ATTEMPTS,
    MatchStatus,
    StoredMatch,
    StoredResult,
    Tournament,
    TournamentState,
)
from arena.tournament.job import match_seed
from arenabot.options import OptionError

FOLDER: Final = "replays/"
_SETUP: Final = "tournament.json"
_SCHEDULE: Final = "schedule.jsonl"
_RESULTS: Final = "results.jsonl"
_VOIDS: Final = "voids.jsonl"
_REMOVED: Final = "removed.jsonl"


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of verifying a tournament."""

    tournament: str
    #: What holds, a sentence each, in the order in which it was looked at.
    checked: tuple[str, ...]
    #: What can't be verified now, and why.
    not_yet: tuple[str, ...]
    #: The first thing that does not hold.
    wrong: str | None

    @property
    def holds(self) -> bool:
        """Whether everything that was looked at holds."""
        return self.wrong is None


def verify(path: Path, *, tell: Callable[[int, int], None] = lambda _done, _all: None) -> Verified:
    """Verify an export, a folder or a .zip; ``tell`` hears how many replays are done, of how many.

    Whatever its files say is only wrong.  Raises ``NotAnExport`` if it is none at all.
    """
    with exported.opened(path) as files:
        if _SETUP not in files.names:
            raise NotAnExport(f"{path} is no export of a tournament: it has no {_SETUP}")
        notes = _Notes()
        wrong, name = None, ""
        try:
            facts = _read(files)
            name = facts.tournament.name
            _seed(facts, notes)
            _places(facts)
            _files(facts, files, notes)
            _replays(facts, files, notes, tell)
            _schedule(facts, notes)
            _all_else(facts, files, notes)
        except (Wrong, NotAnExport) as error:
            wrong = str(error)
    return Verified(name, tuple(notes.checked), tuple(notes.not_yet), wrong)


@dataclass(slots=True)
class _Notes:
    """What was found so far."""

    checked: list[str] = field(default_factory=list)
    not_yet: list[str] = field(default_factory=list)


# --- reading


def _read(files: Files) -> Facts:
    told = exported.document(files, _SETUP)
    with exported.reading(_SETUP):
        tournament = exported.tournament(told)
        state = TournamentState(told["progress"]["state"])
        options = _options(tournament)
        same(options, told["options"], f"{_SETUP}: options")
        for position, entry in enumerate(tournament.entries):
            withdrawn = entry.withdrawn_from is not None
            require(
                entry.position == position
                and withdrawn == (entry.withdrawn is not None)
                and (withdrawn or not entry.annulled),
                f"{_SETUP}: entry {position} cannot be numbered or withdrawn like this",
            )
    matches = []
    for number, line in enumerate(exported.lines(files, _SCHEDULE), start=1):
        with exported.reading(f"{_SCHEDULE}, line {number}"):
            matches.append(exported.match(line))
            same(documents.scheduled(matches[-1]), line, f"{_SCHEDULE}, line {number}")
    results: dict[str, StoredResult] = {}
    for number, line in enumerate(exported.lines(files, _RESULTS), start=1):
        with exported.reading(f"{_RESULTS}, line {number}"):
            result = exported.result(line)
            require(result.match_id not in results, f"{_RESULTS}, line {number}: a match again")
            results[result.match_id] = result
    voids = []
    for number, line in enumerate(exported.lines(files, _VOIDS), start=1):
        with exported.reading(f"{_VOIDS}, line {number}"):
            voids.append(exported.void(line))
    removed = set()
    for number, line in enumerate(exported.lines(files, _REMOVED), start=1):
        with exported.reading(f"{_REMOVED}, line {number}"):
            removed.add(line["match"])
    return Facts(tournament, state, matches, results, voids, frozenset(removed))


def _options(tournament: Tournament) -> Mapping[str, Any]:
    """All options of the game, whichever are given."""
    try:
        return game_of(tournament.game).options(tournament.options).as_dict()
    except (OptionError, ArenaError) as error:
        raise Wrong(f"{_SETUP}: {error}") from None


# --- what must be so, whatever happened


def _seed(facts: Facts, notes: _Notes) -> None:
    tournament = facts.tournament
    if not tournament.seed:
        require(
            not seed_may_be_shown(facts.progress),
            f"{_SETUP}: the tournament is over, but its seed is missing",
        )
        notes.not_yet.append(
            "the seed is secret until the tournament is over: then its hash can be verified, the "
            "schedule, and which deals each block has"
        )
        return
    hashed = hashlib.sha256(tournament.seed).hexdigest()
    require(
        hashed == tournament.seed_hash,
        f"{_SETUP}: the hash of the seed is {hashed}, but {tournament.seed_hash} was published",
    )
    notes.checked.append("the seed is the one whose hash was published")


def _places(facts: Facts) -> None:
    """Every match stands in its place once, every block is whole, and each status can be."""
    size, matches = facts.tournament.table_size, facts.matches
    whole = isinstance(size, int) and size > 1 and not len(matches) % size
    places = [(match.key.block, match.key.rotation) for match in matches]
    require(
        whole and places == [divmod(number, size) for number in range(len(matches))],
        f"{_SCHEDULE}: the matches do not follow each other in whole blocks",
    )
    ids = {match.id for match in matches}
    require(len(ids) == len(matches), f"{_SCHEDULE}: two matches have one id")
    positions = set(range(len(facts.tournament.entries)))
    withdrawn = Withdrawals.of(facts.tournament).withdrawn
    for match in matches:
        players = set(match.seating)
        require(
            len(players) == len(match.seating) == size and players <= positions,
            f"{_SCHEDULE}: match {match.id} seats {list(match.seating)}",
        )
        require(
            _can_be(match, match.id in facts.results, not withdrawn.isdisjoint(players)),
            f"{_SCHEDULE}: match {match.id} cannot be {match.status.value} after "
            f"{match.attempts} attempts, with what else is told of it",
        )
    spoilt = [
        (match.id, attempt + 1)
        for match in matches
        for attempt in range(match.attempts - (match.id in facts.results))
    ]
    require(
        [(void.match_id, void.attempt) for void in facts.voids] == spoilt,
        f"{_VOIDS}: the spoilt attempts are not those that the schedule counts",
    )
    require(
        _state_can_be(facts),
        f"{_SETUP}: the tournament cannot be {facts.state.value} with "
        f"{facts.progress.pending} of {len(matches)} matches pending",
    )


def _can_be(match: StoredMatch, played: bool, withdrawn: bool) -> bool:
    match match.status:
        case MatchStatus.DONE:
            return played and 1 <= match.attempts <= MAX_ATTEMPTS
        case MatchStatus.HOLE:
            return not played and match.attempts == MAX_ATTEMPTS
        case MatchStatus.ANNULLED:
            return not played and withdrawn and 0 <= match.attempts < MAX_ATTEMPTS
        case MatchStatus.PENDING:
            return not played and not withdrawn and 0 <= match.attempts < MAX_ATTEMPTS


def _state_can_be(facts: Facts) -> bool:
    progress, grows = facts.progress, facts.tournament.until_clear is not None
    tried = bool(progress.done or progress.voids)
    match facts.state:
        case TournamentState.ENTRY:
            return not facts.matches
        case TournamentState.CREATED:
            return bool(progress.pending or (grows and facts.matches)) and not tried
        case TournamentState.RUNNING:
            return bool(progress.pending or grows) and tried
        case TournamentState.FINISHED:
            return bool(facts.matches) and not progress.pending
        case TournamentState.CANCELLED:
            return True


def _files(facts: Facts, files: Files, notes: _Notes) -> None:
    """Which files there must be follows from the schedule and the results."""
    require(
        facts.removed <= facts.released,
        f"{_REMOVED}: a replay stands there that was never released",
    )
    wanted = {_file(match_id) for match_id in facts.kept} | export.FILES
    for what, names in (
        ("is missing", wanted - files.names),
        ("does not belong there", files.names - wanted),
    ):
        require(not names, f"{min(names, default='')} {what}")
    done = [match.id for match in facts.matches if match.status is MatchStatus.DONE]
    require(
        list(facts.results) == done,
        f"{_RESULTS}: its matches are not those that were played, in the order of the schedule",
    )
    for match in facts.matches:
        if match.id in facts.results:
            seats = [(seat.seat, seat.entry) for seat in facts.results[match.id].seats]
            require(
                seats == list(enumerate(match.seating)),
                f"{_RESULTS}: match {match.id} is not seated as the schedule says",
            )
    notes.checked.append(f"no file is missing and none too much: {len(wanted):,}")
    held_back = len(done) - len(facts.released)
    if held_back:
        notes.not_yet.append(
            f"{held_back:,} replays are released once all matches on their deals were played"
        )
    if facts.removed:
        notes.not_yet.append(
            f"{len(facts.removed):,} replays are no longer kept by the arena, so the results of "
            "these matches are taken as they stand"
        )


# --- replays and results


def _replays(facts: Facts, files: Files, notes: _Notes, tell: Callable[[int, int], None]) -> None:
    kept = facts.kept
    seeds: dict[int, str] = {}
    for number, match in enumerate((one for one in facts.matches if one.id in kept), start=1):
        name = _file(match.id)
        try:
            lines = list(replay.unpack(files.read(name)))
        except ReplayError as error:
            raise Wrong(f"{name}: {error}") from None
        verdict = verify_lines(lines)
        require(verdict.holds, f"{name}, line {verdict.line}: {verdict.reason}")
        seed = _match_seed(facts, match, seeds, lines[0])
        told = {key: value for key, value in lines[0].items() if key != "measured"}
        same(header(facts, match, seed), told, f"{name}, line 1:")
        result = facts.results[match.id]
        said = said_by(lines, result, verdict.luck, verdict.digest)
        same(
            documents.match(facts.tournament, match, said, released=True),
            documents.match(facts.tournament, match, result, released=True),
            f"{_RESULTS}, match {match.id}:",
        )
        tell(number, len(kept))
    known = "are those of the seed" if facts.tournament.seed else "are one for each block"
    notes.checked.append(f"deals {known}: {len(seeds):,}")
    notes.checked.append(f"replays hold and are those of their matches: {len(kept):,}")
    notes.checked.append(f"results are what the replays say: {len(kept):,}")


def _match_seed(facts: Facts, match: StoredMatch, seeds: dict[int, str], line: Line) -> str:
    """The seed of a match's deals; while the tournament's is secret, one for each block."""
    block = match.key.block
    if facts.tournament.seed:
        seeds[block] = match_seed(facts.tournament.seed, block).hex()
    return seeds.setdefault(block, str(line.get("seed")))


# --- what follows


def _schedule(facts: Facts, notes: _Notes) -> None:
    if not facts.tournament.seed or not facts.matches:
        return
    try:
        wrong = first_wrong(
            facts.tournament,
            facts.matches,
            list(facts.results.values()),
            finished=facts.state is TournamentState.FINISHED,
        )
    except (ScheduleError, RatingError) as error:
        wrong = str(error)
    require(wrong is None, f"{_SCHEDULE}: {wrong}")
    how = "" if facts.tournament.until_clear is None else ", wave by wave from the results"
    notes.checked.append(
        f"the schedule is the one that the seed gives{how}: {len(facts.matches):,} matches"
    )


def _all_else(facts: Facts, files: Files, notes: _Notes) -> None:
    """Write the export anew and compare."""
    try:
        written = export.texts(facts)
    except (RatingError, ValueError) as error:
        raise Wrong(f"{_RESULTS}: {error}") from None
    same(json.loads(written.pop(_SETUP)), exported.document(files, _SETUP), f"{_SETUP}:")
    for name, text in written.items():
        one, other = text.encode().splitlines(), files.read(name).splitlines()
        for number, (line, found) in enumerate(zip(one, other, strict=False), start=1):
            require(line == found, f"{name}, line {number} is not what follows from the results")
        require(len(one) == len(other), f"{name} has {len(other)} lines, but {len(one)} follow")
    rated, left_out = len(facts.rated), len(facts.left_out)
    bots = len(facts.tournament.entries)
    notes.checked.append(
        f"the ranking of {bots:,} bots is what {rated:,} results give, to the last digit"
    )
    if left_out:
        notes.checked.append(f"blocks are left out that must be, and no others: {left_out:,}")


def _file(match_id: str) -> str:
    return f"{FOLDER}{match_id}{SUFFIX}"
