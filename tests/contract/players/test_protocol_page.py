"""docs/2-protocol.md tells the truth: its match is played, its numbers are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import text_format

from arena.games import Phase, game
from arena.games.chance import bot_seed
from arena.match.faults import FaultKind
from arena.match.setup import MatchSetup, Timers
from arena.players import stream
from arena.players.channel import MAX_ANSWER, MAX_REQUEST
from arenabot import wire
from arenabot.bots import MatchInfo
from arenabot.driver import MAX_ERROR
from arenabot.v1 import player_pb2 as player

PAGE = (Path(__file__).parents[3] / "docs" / "2-protocol.md").read_text()
BLOCK = re.compile(r"```textproto\n# (arena to bot|bot to arena)\n(.*?)```", re.DOTALL)
SEED = (365).to_bytes(32)

Message = player.PlayRequest | player.PlayResponse


def shown() -> list[Message]:
    """The messages on the page."""
    kinds = {"arena to bot": player.PlayRequest, "bot to arena": player.PlayResponse}
    return [text_format.Parse(text, kinds[way]()) for way, text in BLOCK.findall(PAGE)]


def played() -> Iterator[Message]:
    """The same match, as seat 0 of two hears it: both take the last legal action."""
    options = game("claims").options({"max_rounds": 2})
    state = game("claims").new_match(seats=2, seed=SEED, options=options)
    seed = bot_seed(SEED, "claims", 0)
    timers = Timers()
    facts = MatchInfo("claims", options, 0, 2, seed, timers.turn, timers.ready, timers.budget)
    seq, told = 1, 0
    yield wire.match_started(seq, "7f3a", facts)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROUND_OVER:
            seq += 1
            yield wire.ready_check(seq, state.events[told:], 0, timers.ready)
            yield wire.ready(seq)
            state.next_round()
            told = 0
            continue
        action = state.legal_actions()[-1]
        if state.to_act == (0,):
            seq += 1
            yield wire.your_turn(seq, state.events[told:], 0, state.prompt(0), timers.turn)
            told = len(state.events)
            yield wire.answer(seq, action)
        state.apply(action)
    yield wire.match_ended(seq + 1, state.events[told:], 0, state.result())


def test_its_match_is_a_real_one() -> None:
    """Message by message."""
    assert shown() == list(played())


def test_it_names_every_fault_and_no_other() -> None:
    """As FaultKind does."""
    table = PAGE.split("## Faults")[1].split("## Sizes")[0]
    cells = re.findall(r"^\| ([A-Z_, ]+) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in cell.split(", ")} == {
        kind.value for kind in FaultKind
    }


def test_its_numbers_are_the_codes() -> None:
    """Sizes, limits and timers."""
    timers = Timers()
    for told in (
        f"| an answer, after decompression | {MAX_ANSWER // 1024} KiB",
        f"| a message of the arena | {MAX_REQUEST // 1024} KiB",
        f"| unasked messages in a match | {stream.MAX_UNASKED} |",
        f"{MAX_ERROR} characters are kept",
        f"More than {stream.MAX_UNASKED} dropped messages",
        f"| start | {timers.start:g} s |",
        f"| turn | {timers.turn:g} s |",
        f"| ready | {timers.ready:g} s |",
        f"| budget | {timers.budget:g} s |",
        f"`max_faults` ({MatchSetup.__dataclass_fields__['max_faults'].default})",
    ):
        assert told in PAGE
