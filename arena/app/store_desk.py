"""A desk over the store on this machine."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from arena.app.bots import contestants, samples
from arena.app.desk import Asked, News, ShownMatch, ShownRanking, Whose
from arena.app.errors import ArenaError, WrongCall
from arena.app.exports import export
from arena.app.exports.export import Exported
from arena.app.rankings import ranking, raters
from arena.app.rankings.ranking import Overview
from arena.app.rankings.table import Duel, Table
from arena.app.tournaments import kept_matches, setting_up
from arena.app.tournaments.live import Playing
from arena.app.tournaments.setting_up import Created, Plan
from arena.store import (
    BotVersion,
    League,
    MatchStatus,
    Progress,
    Store,
    StoredSubmission,
    Tournament,
    TournamentState,
)

_NUMBER: Final = re.compile("0*[1-9][0-9]{0,8}")
"""A version's number; no bot has a thousand million of them."""

_LOOKING: Final = 1.0
"""Seconds between two looks at a tournament that is watched: whoever plays it tells nobody."""


class StoreDesk:
    """Answers from a store; see `Desk`."""

    def __init__(self, store: Store) -> None:
        """Answer from `store`."""
        self._store = store

    # Bots

    def submit(self, path: Path, tell: Callable[[StoredSubmission], None]) -> BotVersion:
        """Keep a bot: without a server it is a version at once."""
        del tell
        return contestants.submit(self._store, contestants.from_path(path))

    def versions(self) -> Sequence[BotVersion]:
        return self._store.versions()

    def bot(self, name: str) -> tuple[Sequence[BotVersion], dict[int, list[str]]]:
        versions = self._store.versions(name)
        entered: dict[int, list[str]] = {version.id: [] for version in versions}
        for tournament in self._store.tournaments():
            for entry in tournament.entries:
                if entry.version.id in entered:
                    entered[entry.version.id].append(tournament.name)
        return versions, {version.number: entered[version.id] for version in versions}

    def retire(self, name: str) -> None:
        bot, number = version_named(name)
        if samples.is_ours(bot) and self._store.roster.owner(bot) == contestants.LOCAL_AUTHOR:
            # The demo and whoever asks for it by name would find it retired for ever.
            raise ArenaError(f"{bot} is a sample bot, which is never retired: just don't enter it")
        self._store.roster.retire(bot, number)

    def submission_log(self, of: str) -> tuple[StoredSubmission, bytes]:
        found = of_bot(self._store.submissions.page(None, size=500), of)
        return found, b"" if found.log is None else self._store.blob(found.log)

    # Tournaments

    def create(self, wanted: Plan, bots: Sequence[str]) -> tuple[Created, Progress]:
        # Whoever has the store may do anything with it.
        made = setting_up.create(self._store, replace(wanted, any_league=True), bots)
        return made, self._store.progress(made.tournament.id)

    def enter(self, name: str, bot: str) -> tuple[str, int]:
        version = setting_up.enter(self._store, name, bot)
        entered = len(self._store.tournament(name).entries)
        return f"{version.bot}:{version.number}", entered

    def leave(self, name: str, bot: str) -> None:
        self._store.entering.leave(self._store.tournament(name).id, bot)

    def open_entry(self, name: str) -> None:
        self._store.entering.open(self._store.tournament(name).id)

    def close_entry(self, name: str) -> None:
        self._store.entering.close(self._store.tournament(name).id)

    def draw(self, name: str) -> Created:
        return setting_up.draw(self._store, name)

    def withdraw(self, name: str, bot: str, *, why: str, annul: bool) -> tuple[Progress, int]:
        id_ = self._store.tournament(name).id
        self._store.entering.withdraw(id_, bot, why=why, annul=annul)
        return self._store.progress(id_), len(self._store.left_out(id_))

    def cancel(self, name: str) -> None:
        self._store.cancel(self._store.tournament(name).id)

    def tournaments(self, game: str | None) -> Sequence[tuple[Tournament, Progress]]:
        found = self._store.tournaments(game)
        return [(known, self._store.progress(known.id)) for known in found]

    def tournament(self, name: str) -> tuple[Tournament, Progress]:
        found = self._store.tournament(name)
        return found, self._store.progress(found.id)

    def overview(self, name: str, asked: Asked) -> tuple[Overview, Sequence[Duel] | None]:
        found = ranking.overview(self._store, name)
        return found, _duels(found.table, asked)

    def matches(self, name: str) -> tuple[Tournament, Sequence[ShownMatch]]:
        tournament = self._store.tournament(name)
        matches = self._store.matches(tournament.id)
        results = {result.match_id: result for result in self._store.results(tournament.id)}
        secret = self._store.pages.secret_blocks(tournament.id)
        return tournament, [
            ShownMatch(
                match,
                results.get(match.id),
                match.id in results and match.key.block not in secret,
            )
            for match in matches
        ]

    def match(self, name: str, match: str) -> tuple[Tournament, ShownMatch]:
        tournament = self._store.tournament(name)
        found = kept_matches.full_id(self._store, tournament, match)
        known = self._store.match(tournament.id, found)
        done = known.status is MatchStatus.DONE
        return tournament, ShownMatch(
            known,
            self._store.result(tournament.id, found) if done else None,
            done and self._store.is_released(tournament.id, found),
            tuple(void for void in self._store.voids(tournament.id) if void.match_id == found),
        )

    def seat_log(self, name: str, match: str, seat: int) -> tuple[str, bytes]:
        tournament = self._store.tournament(name)
        found, printed = kept_matches.seat_log(self._store, tournament, match, seat)
        return tournament.entries[found.entry].version.bot, printed

    def export(self, name: str, target: Path) -> Exported:
        return export.export(self._store, name, target)

    def watch(self, name: str) -> Iterator[News]:
        """Look again and again: another process may be playing it."""
        tournament = self._store.tournament(name)
        known: Progress | None = None
        while True:
            now = self._store.progress(tournament.id)
            if now != known:
                yield News(now, Playing())
                known = now
            if now.state in {TournamentState.FINISHED, TournamentState.CANCELLED}:
                return
            time.sleep(_LOOKING)

    def watch_match(self, name: str, match: str | None) -> Iterator[dict[str, Any]]:
        del name, match
        raise ArenaError(
            "a match can be watched only on a server, which knows what is being played: "
            "say --server ADDRESS"
        )

    # Rankings and replays

    def leagues(self, game: str | None) -> Sequence[League]:
        return self._store.leagues.listed(game)[::-1]

    def ranking(self, whose: Whose, asked: Asked, way: str = raters.DEFAULT) -> ShownRanking:
        if whose.tournament is not None:
            one = ranking.overview(self._store, whose.tournament, way=way)
            left_out = {whose.tournament: len(one.left_out)} if one.left_out else {}
            duels = _duels(one.table, asked)
            return ShownRanking(
                one.tournament.game, one.ranked, [whose.tournament], left_out, duels
            )
        game, league = whose.game or "claims", None
        if whose.league is not None:
            league = self._store.leagues.find(whose.league)
            game = league.game
        found = ranking.ranking(self._store, game, way=way, league=league)
        names = [known.name for known in found.tournaments]
        return ShownRanking(game, found.ranked, names, found.holes, _duels(found.table, asked))

    def replay(self, name: str, match: str) -> tuple[str, bytes]:
        known = kept_matches.full_id(self._store, self._store.tournament(name), match)
        return known, kept_matches.released(self._store, name, known)


def version_named(name: str) -> tuple[str, int | None]:
    """A bot's name, and the number after a colon if there is one. Raises WrongCall."""
    bot, colon, number = name.partition(":")
    if not colon:
        return bot, None
    if not _NUMBER.fullmatch(number):
        raise WrongCall(f"{name!r} is no version: write NAME or NAME:NUMBER, like my-bot:2")
    return bot, int(number)


def of_bot(newest_first: Sequence[StoredSubmission], of: str) -> StoredSubmission:
    """The submission of that id, or the newest of that bot. Raises ArenaError."""
    for submission in newest_first:
        if of in {submission.id, submission.bot}:
            return submission
    raise ArenaError(
        f"nothing was submitted as {of!r}: name a bot or a submission of yours on a server"
    )


def _duels(table: Table, asked: Asked) -> Sequence[Duel] | None:
    return table.duels(asked.against) if asked else None
