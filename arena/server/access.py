"""Who may call what: one line for each method of arena.proto.

Whether a thing is the caller's own is for the services to say; here stands only what a role allows
at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.store import Role


@dataclass(frozen=True, slots=True)
class Access:
    """What a method needs and does."""

    #: The least role; None: anybody, also without a token.
    role: Role | None = None
    #: Whether it changes something: then it stands in the audit log, also when it is refused.
    changes: bool = False
    #: The field of the request that says what it is about, for the audit log.
    target: str = ""
    #: Whether its answers come for as long as something goes on: such a stream ends when the server
    #: stops.
    watches: bool = False
    #: How many calls it counts for in the limit of a caller's calls.
    cost: int = 1


METHODS: Final[dict[str, Access]] = {
    "BotService/SubmitBot": Access(Role.AUTHOR, changes=True, cost=5),
    "BotService/GetSubmission": Access(Role.AUTHOR),
    "BotService/WatchSubmission": Access(Role.AUTHOR, watches=True),
    "BotService/ListSubmissions": Access(Role.AUTHOR),
    "BotService/ListBots": Access(),
    "BotService/GetBot": Access(),
    "BotService/GetLog": Access(Role.AUTHOR),
    "BotService/RetireBot": Access(Role.AUTHOR, changes=True, target="bot"),
    "TournamentService/CreateTournament": Access(
        Role.ORGANISER, changes=True, target="name", cost=5
    ),
    "TournamentService/EnterTournament": Access(Role.AUTHOR, changes=True, target="tournament"),
    "TournamentService/LeaveTournament": Access(Role.AUTHOR, changes=True, target="tournament"),
    "TournamentService/OpenEntry": Access(Role.ORGANISER, changes=True, target="tournament"),
    "TournamentService/CloseEntry": Access(Role.ORGANISER, changes=True, target="tournament"),
    "TournamentService/RunTournament": Access(Role.ORGANISER, changes=True, target="tournament"),
    "TournamentService/CancelTournament": Access(Role.ORGANISER, changes=True, target="tournament"),
    "TournamentService/WithdrawEntry": Access(Role.ORGANISER, changes=True, target="tournament"),
    "TournamentService/GetTournament": Access(),
    "TournamentService/ListTournaments": Access(),
    "TournamentService/ListMatches": Access(),
    "TournamentService/WatchTournament": Access(watches=True),
    "TournamentService/WatchMatch": Access(watches=True),
    "TournamentService/ExportTournament": Access(cost=10),
    "RankingService/GetRanking": Access(cost=2),
    "RankingService/GetHeadToHead": Access(cost=2),
    "RankingService/ListLeagues": Access(),
    "ReplayService/GetReplay": Access(),
    "ReplayService/VerifyReplay": Access(cost=10),
    "AdminService/WhoAmI": Access(),
    "AdminService/CreateAuthor": Access(Role.ADMIN, changes=True, target="name"),
    "AdminService/ListAuthors": Access(Role.ADMIN),
    "AdminService/UpdateAuthor": Access(Role.ADMIN, changes=True, target="name"),
    "AdminService/CreateToken": Access(Role.AUTHOR, changes=True, target="author"),
    "AdminService/ListTokens": Access(Role.AUTHOR),
    "AdminService/RevokeToken": Access(Role.AUTHOR, changes=True, target="id"),
    "AdminService/ListAudit": Access(Role.ADMIN),
    "AdminService/Drain": Access(Role.ADMIN, changes=True, target="drain"),
    "AdminService/GetStatus": Access(),
}
"""By service and method, as `SERVICE/METHOD`."""
