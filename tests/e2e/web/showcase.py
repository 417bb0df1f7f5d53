"""An arena with something of everything: for whatever looks at all pages in all their states."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from arena.app import accounts
from arena.app.conducting.hub import DRAINING, Feed, Hub
from arena.app.conducting.people import Draining
from arena.app.tournaments.live import Playing
from arena.match import replay
from arena.match.spectating import public
from arena.store import BotVersion, NewSubmission, Role, Store, SubmissionState
from arena.store.records import MatchKey, NewMatch, NewResult, SeatFault, StoredMatch
from arena.store.testing import (
    logs_of,
    make_tournament,
    new_matches,
    new_result,
    new_tournament,
    new_version,
    replay_of,
)
from arena.tournament.broadcast import Broadcast
from tests.e2e.web.viewer.matches import kept, played

PEOPLE: Final[Mapping[str, Role]] = {
    "ana": Role.AUTHOR,
    "nobody-yet": Role.AUTHOR,
    "olga": Role.ORGANISER,
    "root": Role.ADMIN,
}
NAMES: Final = (
    '<script>alert(1)</script> & "Söhne"',
    "a-bot-with-a-name-that-does-not-end-and-has-nowhere-to-break-0123456789",
    "三目並べロボット",
    "بوت-ذكي",
    "Ștefan cel Mare",
    "x",
)
"""Names that a page must bear; others are plain."""
REPLAYS: Final = (("claims", 4), ("claim", 8), ("claro", 6))
GRAND: Final = "Grand prix"
LEAGUE: Final = "Autumn league"
RUNNING: Final = "Autumn league, week 12"
STUCK: Final = "Stuck in the mud"
CALLED_OFF: Final = "Called off"
OPEN: Final = "Open cup"
CLOSED: Final = "Closed cup"
PRIVATE: Final = "Private cup"
SEASONED: Final = "Ștefan <i>cel</i> Mare & Söhne, seasoned in many tournaments of several games"
"""A bot with three versions, rated in two games, and submissions that became none."""
LIVE: Final = "m1-0"
"""The match of `RUNNING` that is being played."""


@dataclass
class Stage:
    """Stands for what plays: says of each tournament what it is told to say."""

    hub: Hub = field(default_factory=Hub)
    says: dict[int, Playing] = field(default_factory=dict)
    shown: dict[tuple[int, str], Broadcast] = field(default_factory=dict)

    draining: Draining | None = None

    @property
    def people(self) -> Self:
        """Where people play: no more is known of it than whether it is drained."""
        return self

    def news(self) -> Feed[Draining | None]:
        """What becomes of `draining`."""
        return self.hub.feed(DRAINING)

    def drains(self, draining: Draining | None) -> None:
        """Begin no more matches, or begin them again."""
        self.draining = draining
        self.hub.publish(DRAINING, draining)

    def playing(self, tournament_id: int) -> Playing:
        """What is done about a tournament."""
        return self.says.get(tournament_id, Playing())

    def broadcast(self, tournament_id: int, match_id: str) -> Broadcast | None:
        """A match in play."""
        return self.shown.get((tournament_id, match_id))


@dataclass
class Showcase:
    """What was put into a store, and what plays there."""

    stage: Stage
    #: Each person's token.
    secrets: dict[str, str]
    #: The id of a submission in each state.
    submissions: dict[SubmissionState, str]


def fill(store: Store) -> Showcase:
    """Put something of everything into a store."""
    made = Showcase(
        Stage(),
        {name: accounts.add_author(store, name, role).secret for name, role in PEOPLE.items()},
        _submissions(store),
    )
    for game, seats in REPLAYS:
        tournament = make_tournament(
            store, f"{game}-{seats}", game=game, size=seats, blocks=2, organiser="olga"
        )
        kept(store, played(game, seats), tournament)
    _grand(store)
    _seasoned(store)
    _running(store, made.stage)
    _stuck(store, made.stage)
    cancelled = make_tournament(store, CALLED_OFF, blocks=2, organiser="olga")
    store.cancel(cancelled.id)
    for name, private in ((OPEN, False), (CLOSED, False), (PRIVATE, True)):
        new = new_tournament(name, blocks=0, organiser="olga", private=private)
        opened = store.create_tournament(new)
        if name == CLOSED:
            store.entering.enter(opened.id, store.find_version("greedy-10"))
            store.entering.close(opened.id)
    return made


def _bots(store: Store, count: int) -> list[BotVersion]:
    names = [*NAMES, *(f"greedy-{at}" for at in range(len(NAMES), count))]
    return [
        store.add_version(
            new_version(
                name,
                author="ana" if at % 3 else "somebody-with-a-long-name",
                label="with-search and a long label" if at % 7 == 0 else None,
            ),
            b"archive",
        )
        for at, name in enumerate(names)
    ]


def _grand(store: Store) -> None:
    """Fifty bots, all blocks played but one, that has a hole; one withdrawn."""
    chance = random.Random(7)
    bots = _bots(store, 50)
    tables = [chance.sample(range(len(bots)), 4) for _ in range(30)]
    matches = [
        NewMatch(
            key=MatchKey(block, turned),
            id=f"m{block}-{turned}",
            seating=tuple(table[(seat + turned) % 4] for seat in range(4)),
        )
        for block, table in enumerate(tables)
        for turned in range(4)
    ]
    new = new_tournament(GRAND, blocks=len(tables), table_size=4, organiser="olga", league=LEAGUE)
    grand = store.create_tournament(new, bots, matches)
    for match in store.matches(grand.id):
        if match.id == "m20-1":
            for attempt in (1, 2, 3):
                store.record_void(
                    grand.id, match.id, attempt, reason="STALLED", detail="The host stalled."
                )
        else:
            store.record_result(grand.id, _won(match, chance), replay_of(match), logs_of(match))
    store.entering.withdraw(grand.id, "x", why="It was somebody else's work.", annul=True)


def _seasoned(store: Store) -> None:
    """A version after the other plays a season; the last one plays claims once only, at the end."""
    chance = random.Random(11)
    others = [store.add_version(new_version(f"bot{at}"), b"archive") for at in range(3)]
    for number, (game, blocks) in enumerate((("claims", 40), ("claims", 25), ("claro", 10)), 1):
        code = f"{number}".encode()
        upload = new_version(SEASONED, digest=code.hex() * 32, games=("claims", "claim", "claro"))
        received = store.submissions.receive(NewSubmission(SEASONED, "ana", upload.digest), code)
        store.submissions.ready(received.id, upload, {"sdk": "1.4.0"}, log=b"built\n")
        bots = [*others, store.find_version(SEASONED)]
        new = new_tournament(f"Season {number}", game=game, blocks=blocks, table_size=4)
        season = store.create_tournament(new, bots, new_matches(blocks, 4))
        for match in store.matches(season.id):
            store.record_result(season.id, _won(match, chance), replay_of(match), logs_of(match))
    late = store.create_tournament(
        new_tournament("Too late", table_size=2, blocks=1), [bots[-1], others[0]], new_matches(1)
    )
    match = store.matches(late.id)[0]
    store.record_result(late.id, _won(match, chance), replay_of(match), logs_of(match))
    for number in (4, 5):
        other = NewSubmission(SEASONED, "ana", f"{number:02}" * 32)
        received = store.submissions.receive(other, f"{number}".encode())
        if number == 4:
            why = "In its first match it was TIMEOUT in round 1, turn 1: it took more than 20 s."
            store.submissions.reject(received.id, why, log=b"first match\n")


def _won(match: StoredMatch, chance: random.Random) -> NewResult:
    """Who has a low number does better, mostly; some are late, one crashes."""
    worth = [chance.gauss(entry / 8, 2) for entry in match.seating]
    ranks = [1 + sum(other < mine for other in worth) for mine in worth]
    plain = new_result(match)
    seats = tuple(
        replace(
            seat,
            rank=rank,
            total=chance.randrange(40, 300),
            faults=tuple(
                SeatFault(round=1 + at, turn=2, kind=chance.choice(("TIMEOUT", "ILLEGAL")))
                for at in range(chance.choice((0, 0, 0, 1, 3, 14)))
            ),
            charged_ms=chance.expovariate(1 / 800),
        )
        for seat, rank in zip(plain.seats, ranks, strict=True)
    )
    first = seats[0]
    if chance.random() < 0.2:
        crashed = SeatFault(round=3, turn=9, kind="CRASHED")
        detail = "Its process ended with status 1 in round 3, turn 9: see its log."
        first = replace(first, faults=(crashed,), outcome="CRASHED", detail=detail)
    slowest = [chance.expovariate(1 / 90) for _ in seats]
    return replace(plain, seats=(first, *seats[1:]), measured={"slowest_ms": slowest})


def _running(store: Store, stage: Stage) -> None:
    """Half played, a match before our eyes."""
    running = make_tournament(
        store, RUNNING, game="claims", size=3, blocks=4, organiser="olga", league=LEAGUE
    )
    record = played("claims", 3)
    kept(store, record, running)
    lines = [shown for line in list(replay.unpack(record.replay))[:40] if (shown := public(line))]
    broadcast = Broadcast()
    broadcast.begin(lambda send: broadcast.add(0, lines) if send else None)
    stage.shown[running.id, LIVE] = broadcast
    stage.says[running.id] = Playing(True, (LIVE, "m1-1"))


def _stuck(store: Store, stage: Stage) -> None:
    stuck = make_tournament(store, STUCK, blocks=3, organiser="olga")
    for match in store.matches(stuck.id)[:1]:
        store.record_result(stuck.id, new_result(match), replay_of(match))
    trouble = "The container engine does not answer; the arena tries again in 40 s."
    stage.says[stuck.id] = Playing(True, (), trouble)


def _submissions(store: Store) -> dict[SubmissionState, str]:
    """One in each state."""
    made = {}
    for state in SubmissionState:
        name = f"fresh-{state.value}"
        new = NewSubmission(name, "ana", new_version(name).digest)
        id_ = made[state] = store.submissions.receive(new, name.encode()).id
        if state is SubmissionState.REJECTED:
            why = "bot.py, line 12: SyntaxError: invalid syntax. Run `arena bot check` to see it."
            store.submissions.reject(id_, why, log=b"Traceback\n" * 20)
        elif state is SubmissionState.READY:
            store.submissions.ready(
                id_,
                new_version(name),
                {"base_image": "sha256:" + "0123456789abcdef" * 4, "sdk": "1.4.0"},
                advice=("Its first move takes 900 ms: load what is large before serve().",),
                log=b"built\n",
            )
        elif state is not SubmissionState.RECEIVED:
            store.submissions.advance(id_, state)
            if state is SubmissionState.BUILT:
                store.submissions.stuck(id_, "The container engine does not answer.")
    return made
