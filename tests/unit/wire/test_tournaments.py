"""A tournament and what is asked for when one is set up, written and read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.app.errors import WrongCall
from arena.app.tournaments.live import Playing
from arena.app.tournaments.setting_up import Plan
from arena.match.setup import Timers
from arena.store import BotVersion, Entry, Progress, Tournament, TournamentState
from arena.tournament.job import Isolation, Lodging
from arena.tournament.pondering import Ponder
from arena.wire import tournaments as wire
from arenabot.v1 import arena_pb2 as pb

THEN = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
VERSION = BotVersion(
    id=0,
    bot="greedy",
    author="ana",
    number=2,
    label=None,
    digest="ab" * 32,
    games=("claims",),
    runtime="python",
    entrypoint="bot.py",
    archive="",
    created=THEN,
)
CUP = Tournament(
    id=0,
    name="cup",
    game="claims",
    options={"target": 150, "deck": {"name": "odd", "cards": [1, 2]}},
    table_size=2,
    blocks=7,
    seed=bytes(range(32)),
    seed_hash="cd" * 32,
    timers={"turn": 0.5, "ready": 60.0, "start": 10.0, "budget": 600.0},
    max_faults=0,
    sandbox="docker",
    isolation="container",
    engine="1.0",
    created=THEN,
    entries=(
        Entry(0, VERSION),
        Entry(1, replace(VERSION, bot="other"), THEN, "it is slow", 0, None),
        Entry(2, replace(VERSION, bot="third"), THEN, "copied", 0, 0),
    ),
    until_clear=0.95,
    ponder="measure",
    organiser="olga",
    private=True,
    league="winter",
    entry_open=False,
)
AT = Progress(TournamentState.FINISHED, 14, done=10, holes=1, voids=5, annulled=3)
PLAYING = Playing(wanted=True, in_play=("m1",), trouble="none")
PLAN = Plan(
    name="cup",
    game="claro",
    options={"rounds": 3},
    table_size=4,
    blocks=9,
    until_clear=0.9,
    seed=bytes(range(32)),
    timers=Timers(turn=0.5, budget=77.5),
    max_faults=0,
    lodging=Lodging.DOCKER,
    isolation=Isolation.WARM,
    ponder=Ponder.ALLOW,
    trusted=True,
    organiser="olga",
    private=True,
    league="winter",
)


def test_a_tournament_is_read_as_it_was_written() -> None:
    """With who is withdrawn, how far it is, and what is done about it."""
    assert wire.tournament_record(wire.tournament(CUP, AT, PLAYING)) == (CUP, AT, PLAYING)


@pytest.mark.parametrize("state", TournamentState)
def test_a_seed_is_told_only_when_it_is_over(state: TournamentState) -> None:
    """In whatever state it is, its hash is."""
    told = wire.tournament(CUP, replace(AT, state=state), PLAYING)
    over = state in {TournamentState.FINISHED, TournamentState.CANCELLED}
    assert told.seed == (CUP.seed.hex() if over else "")
    assert told.seed_hash == CUP.seed_hash
    read, at, _ = wire.tournament_record(told)
    assert (read.seed, at.state) == (CUP.seed if over else b"", state)


def test_what_an_organiser_wants_is_read_as_it_was_written() -> None:
    """Everything that one may decide differs from its default here."""
    told = wire.creating(PLAN, ["greedy", "other:2"], "r1")
    assert wire.plan(told, "olga") == PLAN
    assert (list(told.bots), told.request_id) == (["greedy", "other:2"], "r1")
    default = Plan(name="cup", game="claro")
    for name in Plan.__dataclass_fields__:
        if name not in {"name", "game", "lodging", "any_league"}:
            assert getattr(PLAN, name) != getattr(default, name), name


def test_what_is_not_said_is_as_the_game_and_the_arena_have_it() -> None:
    """The fewest at a table, the rules' timers, and a seed that is another each time."""
    told = pb.CreateTournamentRequest(name="cup", game="claro")
    plan, again = wire.plan(told, "olga"), wire.plan(told, "olga")
    assert plan == Plan(name="cup", game="claro", table_size=3, seed=plan.seed, organiser="olga")
    assert plan.seed != again.seed
    assert len(plan.seed) == 32


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"isolation": "cold"}, "there is no isolation 'cold'"),
        ({"sandbox": "vm"}, "there is no lodging 'vm'"),
        ({"timers": pb.TimerSettings(budget=-1)}, "the budget timer is -1.0 s"),
        ({"timers": pb.TimerSettings(turn=float("nan"))}, "the turn timer is nan s"),
        ({"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_what_makes_no_sense_is_a_wrong_call(changes: dict[str, object], told: str) -> None:
    with pytest.raises(WrongCall, match=told):
        wire.plan(pb.CreateTournamentRequest(**{"game": "claims", **changes}), "olga")  # type: ignore[arg-type]
