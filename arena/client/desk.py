"""A desk over a server."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from arena.app.desk import Asked, News, ShownMatch, ShownRanking, Whose
from arena.app.errors import ArenaError, WrongCall
from arena.app.exports.export import Exported
from arena.app.options import game_of
from arena.app.rankings import raters
from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Duel, Ranked, Table
from arena.app.store_desk import of_bot, version_named
from arena.app.tournaments.setting_up import Created, Plan
from arena.client.calling import PAGE, TRIES, Away, Connection, Unreachable
from arena.client.exports import unpacked
from arena.client.uploads import PIECE, Upload
from arena.match import replay
from arena.match.verify import Verdict
from arena.rating import Meetings
from arena.schedule import Figures, Schedule, first_wave
from arena.schedule import plan as fixed_schedule
from arena.store import (
    BotVersion,
    League,
    MatchStatus,
    Progress,
    StoredSubmission,
    Tournament,
    TournamentState,
)
from arena.store import SubmissionState as State
from arena.wire import bots as wire_bots
from arena.wire import leagues as wire_leagues
from arena.wire import matches as wire_matches
from arena.wire import rankings as wire_rankings
from arena.wire import tournaments as wire
from arena.wire.accounts import author_record
from arena.wire.replays import verdict_record
from arenabot.v1 import arena_pb2 as pb

_TRANSFER: Final = 600.0
"""Seconds for what is large to come or go."""

_OVER: Final = {TournamentState.FINISHED, TournamentState.CANCELLED}

_ANY_SEED: Final = bytes(32)
"""How even a schedule is does not depend on its seed."""


class ServerDesk:
    """Answers from a server; see `Desk`. All may raise ArenaError in the server's own words."""

    def __init__(self, server: Connection) -> None:
        """Ask `server`."""
        self._server = server

    # Bots

    def submit(self, path: Path, tell: Callable[[StoredSubmission], None]) -> BotVersion:
        """Send a bot, and follow it until it is ready. Raises ArenaError if it is rejected."""
        upload, bots = Upload.of(path), self._server.bots
        answer = self._server.send(bots.SubmitBot, upload.messages, _TRANSFER)
        found = wire_bots.submission_record(answer.submission)
        tell(found)
        asked = pb.WatchSubmissionRequest(id=found.id)
        for news in self._watched(lambda: self._server.stream(bots.WatchSubmission, asked)):
            now = wire_bots.submission_record(news.submission)
            if now != found:
                tell(now)
            found = now
        if found.state is not State.READY:
            raise ArenaError(
                f"{found.bot} is {found.state.value}: {found.reason or 'the arena went away'} "
                f"(what it printed: arena bot logs {found.id})"
            )
        return next(one for one in self._bot(found.bot)[0] if one.number == found.version)

    def versions(self) -> Sequence[BotVersion]:
        asked = pb.ListBotsRequest(page_size=PAGE)
        found = self._server.pages(self._server.bots.ListBots, asked, lambda page: page.bots)
        return [version for bot in found for version in self._bot(bot.name)[0]]

    def bot(self, name: str) -> tuple[Sequence[BotVersion], dict[int, list[str]]]:
        return self._bot(name)

    def _bot(self, name: str) -> tuple[list[BotVersion], dict[int, list[str]]]:
        answer = self._server.call(self._server.bots.GetBot, pb.GetBotRequest(name=name))
        versions = [_numbered(wire_bots.version_record(told)) for told in answer.versions]
        entered: dict[int, list[str]] = {version.number: [] for version in versions}
        # The newest come first; a store tells them in the order of their creation.
        for tournament, number in reversed(wire_bots.appearance_records(answer.appearances)):
            entered.setdefault(number, []).append(tournament)
        return versions, entered

    def retire(self, name: str) -> None:
        bot, number = version_named(name)
        asked = pb.RetireBotRequest(bot=bot, version=number or 0)
        self._server.call(self._server.bots.RetireBot, asked)

    def submission_log(self, of: str) -> tuple[StoredSubmission, bytes]:
        asked = pb.ListSubmissionsRequest(page_size=PAGE)
        page = self._server.call(self._server.bots.ListSubmissions, asked)
        found = of_bot([wire_bots.submission_record(one) for one in page.submissions], of)
        return found, self._log(pb.GetLogRequest(submission=found.id))

    def _log(self, asked: pb.GetLogRequest) -> bytes:
        return self._pieces(self._server.bots.GetLog, asked)

    # Tournaments

    def create(self, wanted: Plan, bots: Sequence[str]) -> tuple[Created, Progress]:
        asked = wire.creating(wanted, [self._sent(bot) for bot in bots], "")
        answer = self._server.call(self._server.tournaments.CreateTournament, asked)
        made = self._read(answer.tournament)
        return _created(*made), made[1]

    def enter(self, name: str, bot: str) -> tuple[str, int]:
        sent = self._sent(bot)
        asked = pb.EnterTournamentRequest(tournament=name, bot=sent)
        answer = self._server.call(self._server.tournaments.EnterTournament, asked)
        tournament, _ = self._read(answer.tournament)
        entered = {one.version.bot: one.version for one in tournament.entries}
        version = entered[sent.partition(":")[0]]
        return f"{version.bot}:{version.number}", len(tournament.entries)

    def leave(self, name: str, bot: str) -> None:
        asked = pb.LeaveTournamentRequest(tournament=name, bot=bot)
        self._server.call(self._server.tournaments.LeaveTournament, asked)

    def open_entry(self, name: str) -> None:
        asked = pb.OpenEntryRequest(tournament=name)
        self._server.call(self._server.tournaments.OpenEntry, asked)

    def close_entry(self, name: str) -> None:
        asked = pb.CloseEntryRequest(tournament=name)
        self._server.call(self._server.tournaments.CloseEntry, asked)

    def draw(self, name: str) -> Created:
        asked = pb.CloseEntryRequest(tournament=name, draw=True)
        answer = self._server.call(self._server.tournaments.CloseEntry, asked)
        return _created(*self._read(answer.tournament))

    def withdraw(self, name: str, bot: str, *, why: str, annul: bool) -> tuple[Progress, int]:
        asked = pb.WithdrawEntryRequest(tournament=name, bot=bot, why=why, annul=annul)
        answer = self._server.call(self._server.tournaments.WithdrawEntry, asked)
        ranking = self._ranking(pb.GetRankingRequest(tournament=name, page_size=1))
        return self._read(answer.tournament)[1], len(ranking.blocks_left_out)

    def cancel(self, name: str) -> None:
        asked = pb.CancelTournamentRequest(tournament=name)
        self._server.call(self._server.tournaments.CancelTournament, asked)

    def run(self, name: str) -> None:
        """Have the server play a tournament until it has ended."""
        asked = pb.RunTournamentRequest(tournament=name)
        self._server.call(self._server.tournaments.RunTournament, asked)

    def tournaments(self, game: str | None) -> Sequence[tuple[Tournament, Progress]]:
        """All of them; a list does not tell their entries."""
        asked = pb.ListTournamentsRequest(page_size=PAGE, game=game or "")
        listed = self._server.tournaments.ListTournaments
        found = self._server.pages(listed, asked, lambda page: page.tournaments)
        return [self._read(told) for told in found][::-1]

    def tournament(self, name: str) -> tuple[Tournament, Progress]:
        """One of them, and how far it is."""
        asked = pb.GetTournamentRequest(name=name)
        answer = self._server.call(self._server.tournaments.GetTournament, asked)
        return self._read(answer.tournament)

    def overview(self, name: str, asked: Asked) -> tuple[Overview, Sequence[Duel] | None]:
        tournament, progress = self.tournament(name)
        first, ranked = self._ranked(pb.GetRankingRequest(tournament=name))
        holes = [one.match.key.block for one in self._matches(name, MatchStatus.HOLE)]
        clarity = first.clarity if first.HasField("clarity") else None
        return Overview(
            tournament=tournament,
            progress=progress,
            hole_blocks=frozenset(holes),
            left_out=frozenset(first.blocks_left_out),
            table=Table(tuple(ranked), Meetings()),
            clarity=None if clarity is None else wire_rankings.clarity_record(clarity),
        ), self._duels(pb.GetHeadToHeadRequest(tournament=name), asked)

    def matches(self, name: str) -> tuple[Tournament, Sequence[ShownMatch]]:
        return self.tournament(name)[0], list(self._matches(name))

    def match(self, name: str, match: str) -> tuple[Tournament, ShownMatch]:
        tournament, _ = self.tournament(name)
        found = [one for one in self._matches(name) if one.match.id.startswith(match)]
        if len(found) == 1:
            return tournament, found[0]
        many = f"{len(found)} matches of {name} begin" if found else f"no match of {name} begins"
        raise ArenaError(f"{many} with {match!r} (see: arena tournament show {name} --matches)")

    def _matches(self, name: str, status: MatchStatus | None = None) -> Iterator[ShownMatch]:
        asked = pb.ListMatchesRequest(
            tournament=name,
            page_size=PAGE,
            status=pb.MATCH_STATUS_UNSPECIFIED if status is None else wire_matches.STATUSES[status],
        )
        listed = self._server.tournaments.ListMatches
        for told in self._server.pages(listed, asked, lambda page: page.matches):
            yield _shown(told)

    def seat_log(self, name: str, match: str, seat: int) -> tuple[str, bytes]:
        tournament, found = self.match(name, match)
        if seat >= len(found.match.seating):
            raise WrongCall(f"the match has the seats 0 to {len(found.match.seating) - 1}")
        of = pb.SeatLog(tournament=name, match_id=found.match.id, seat=seat)
        printed = self._log(pb.GetLogRequest(seat=of))
        return tournament.entries[found.match.seating[seat]].version.bot, printed

    def export(self, name: str, target: Path) -> Exported:
        asked = pb.ExportTournamentRequest(name=name)
        with tempfile.TemporaryFile(prefix="arena-export-") as file:

            def fetch() -> None:
                file.seek(0)
                file.truncate()
                calls = self._server.tournaments.ExportTournament
                for piece in self._server.stream(calls, asked, seconds=_TRANSFER):
                    file.write(piece.data)

            self._server.again(fetch)
            return unpacked(file, target)

    def watch(self, name: str) -> Iterator[News]:
        asked, calls = pb.WatchTournamentRequest(name=name), self._server.tournaments
        for told in self._watched(lambda: self._server.stream(calls.WatchTournament, asked)):
            progress, playing = wire_matches.progress_record(told.progress)
            yield News(progress, playing, [_shown(match) for match in told.ended])

    def watch_match(self, name: str, match: str | None) -> Iterator[dict[str, Any]]:
        asked = pb.WatchMatchRequest(tournament=name, match_id=self._in_play(name, match))
        for told in self._server.stream(self._server.tournaments.WatchMatch, asked):
            if told.HasField("line"):
                yield wire_matches.line_record(told.line)

    def _in_play(self, name: str, match: str | None) -> str:
        """The id of a match in play that begins so; of any, the first that there is."""
        for news in self.watch(name):
            found = [one for one in news.playing.in_play if one.startswith(match or "")]
            if found or match is not None:
                return found[0] if found else match or ""
            if not news.playing.wanted and news.progress.state not in _OVER:
                raise ArenaError(
                    f"the arena does not play {name} at this moment: arena tournament run {name}"
                )
        raise ArenaError(f"the tournament {name} is over: nothing is played any more")

    # Rankings and replays

    def leagues(self, game: str | None) -> Sequence[League]:
        asked = pb.ListLeaguesRequest(page_size=PAGE, game=game or "")
        listed = self._server.rankings.ListLeagues
        found = self._server.pages(listed, asked, lambda page: page.leagues)
        return [wire_leagues.league_record(told) for told in found][::-1]

    def ranking(self, whose: Whose, asked: Asked, way: str = raters.DEFAULT) -> ShownRanking:
        of: dict[str, Any] = {"rating": way}
        if whose.tournament is not None:
            of["tournament"] = whose.tournament
        elif whose.league is not None:
            of["league"] = whose.league
        else:
            of["game"] = game_of(whose.game or "claims").id
        first, ranked = self._ranked(pb.GetRankingRequest(**of))
        return ShownRanking(
            first.game,
            ranked,
            list(first.tournaments),
            {name: first.left_out[name] for name in first.tournaments if name in first.left_out},
            self._duels(pb.GetHeadToHeadRequest(**of), asked),
        )

    def replay(self, name: str, match: str) -> tuple[str, bytes]:
        asked = pb.GetReplayRequest(tournament=name, match_id=match)
        data = self._pieces(self._server.replays.GetReplay, asked)
        header = next(replay.unpack(data), {})
        return str(header.get("match", match)), data

    def verify(self, data: bytes) -> Verdict:
        """Have the server verify a replay."""
        pieces = range(0, len(data), PIECE)
        answer = self._server.send(
            self._server.replays.VerifyReplay,
            lambda: (pb.VerifyReplayRequest(data=data[at : at + PIECE]) for at in pieces),
            _TRANSFER,
        )
        return verdict_record(answer)

    def status(self) -> dict[str, Any]:
        """What the server is doing, and who one is there: the document of `arena status`."""
        admin = self._server.admin
        who = self._server.call(admin.WhoAmI, pb.WhoAmIRequest())
        told = self._server.call(admin.GetStatus, pb.GetStatusRequest()).status
        author = author_record(who.author) if who.HasField("author") else None
        return {
            "address": self._server.server.address,
            "author": None if author is None else author.name,
            "role": None if author is None else author.role.value,
            "arena": told.arena,
            "sdk": told.sdk,
            "engine": told.engine,
            "games": list(told.games),
            "draining": told.draining,
            "matches_in_play": told.matches_in_play,
            "people_playing": told.people_playing,
            "submissions_waiting": told.submissions_waiting,
            "upload_limit": told.upload_limit,
        }

    def _ranking(self, asked: pb.GetRankingRequest) -> Any:
        return self._server.call(self._server.rankings.GetRanking, asked)

    def _ranked(self, asked: pb.GetRankingRequest) -> tuple[Any, list[Ranked]]:
        """A ranking's first page, and the lines of all pages."""
        asked.page_size = PAGE
        pages: list[Any] = []

        def of(page: Any) -> Iterable[pb.Ranked]:
            pages.append(page)
            told: Iterable[pb.Ranked] = page.ranked
            return told

        rows = list(self._server.pages(self._server.rankings.GetRanking, asked, of))
        return pages[0], [wire_rankings.ranked_record(row, place) for place, row in enumerate(rows)]

    def _duels(self, message: pb.GetHeadToHeadRequest, asked: Asked) -> Sequence[Duel] | None:
        if not asked:
            return None
        message.page_size, message.bot = PAGE, asked.against or ""
        listed = self._server.rankings.GetHeadToHead
        found = self._server.pages(listed, message, lambda page: page.duels)
        return [wire_rankings.duel_record(duel) for duel in found]

    # Parts

    def _sent(self, bot: str) -> str:
        """The name of a bot on the server; what lies here is handed in first."""
        path = Path(bot)
        if not path.exists():
            if "/" in bot:
                raise ArenaError(f"there is no folder or archive {bot}")
            return bot
        version = self.submit(path, lambda _: None)
        return f"{version.bot}:{version.number}"

    def _read(self, told: pb.Tournament) -> tuple[Tournament, Progress]:
        found, progress, _ = wire.tournament_record(told)
        entries = tuple(replace(entry, version=_numbered(entry.version)) for entry in found.entries)
        # On the wire options have no order: they are told in that of the game.
        options = game_of(found.game).options(found.options).as_dict()
        return replace(found, entries=entries, options=options), progress

    def _pieces(self, method: Callable[..., Any], asked: Any) -> bytes:
        stream = self._server.stream
        return self._server.again(
            lambda: b"".join(piece.data for piece in stream(method, asked, seconds=_TRANSFER))
        )

    def _watched(self, begin: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Watch, and begin again where the server goes away for a while."""
        failed = 0
        while True:
            try:
                for news in begin():
                    failed = 0
                    yield news
            except (Away, Unreachable) as error:
                failed += 1
                if failed == TRIES:
                    raise
                self._server.pause(failed - 1, error)
            else:
                return


def _shown(told: pb.Match) -> ShownMatch:
    known = wire_matches.match_record(told)
    return ShownMatch(known.match, known.result, known.released)


def _numbered(version: BotVersion) -> BotVersion:
    """The version with a number of its own, as a store would give it one."""
    return replace(version, id=wire_rankings.version_id(version.bot, version.number))


def _created(tournament: Tournament, progress: Progress) -> Created:
    figures = _figures(tournament) if progress.matches else None
    return Created(tournament, progress.matches, figures)


def _figures(tournament: Tournament) -> Figures:
    """How even the schedule is, or the first wave of it."""
    field, size = len(tournament.entries), tournament.table_size
    if tournament.until_clear is None:
        return fixed_schedule(field, size, blocks=tournament.blocks, seed=_ANY_SEED).figures()
    first = first_wave(field, size, most=tournament.blocks, seed=_ANY_SEED)
    return Schedule(field, size, first).figures()
