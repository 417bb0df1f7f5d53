"""What only a player in this process does."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena.games import game
from arena.match.faults import FaultKind, PlayerFault, PlayerGone
from arena.players.local import LocalPlayer
from arenabot import CLAIM, ClaimsBot
from arenabot.bots import MatchInfo
from arenabot.options import ClaimsOptions

INFO = MatchInfo("claims", ClaimsOptions(), 0, 2, 7, 20.0, 60.0, 600.0)


def player_that(turn: Any) -> LocalPlayer:
    """A player whose bot's turn is this function."""
    return LocalPlayer(type("Made", (ClaimsBot,), {"turn": lambda _, seen: turn(seen)}))


async def asked(player: LocalPlayer, seconds: float = 5.0) -> Any:
    """Its answer to a first turn."""
    state = game("claims").new_match(seats=2, seed=bytes(32))
    await player.start("m", INFO, 5.0)
    return (await player.turn(state.events, state.prompt(0), seconds)).action


def _exit(_: object) -> None:
    raise SystemExit(3)


def _interrupt(_: object) -> None:
    raise KeyboardInterrupt


async def test_the_report_holds_the_tracebacks() -> None:
    """The author of a bot that is tried out here wants to see where it failed."""
    player = player_that(lambda _: 1 // 0)
    with pytest.raises(PlayerGone, match="ZeroDivisionError: "):
        await asked(player)
    log = (await player.close()).log
    assert log.startswith("Traceback (most recent call last):")
    assert "player_that(lambda _: 1 // 0)" in log


async def test_the_report_says_what_was_no_action() -> None:
    """In one line."""
    player = player_that(lambda _: "claim")
    with pytest.raises(PlayerFault, match="turn\\(\\) returned 'claim', which is no action"):
        await asked(player)
    assert (await player.close()).log.count("\n") == 1


async def test_a_bot_that_exits_does_not_take_us_along() -> None:
    """``sys.exit`` in its code is a crash like any other."""
    with pytest.raises(PlayerGone, match="SystemExit: 3") as caught:
        await asked(player_that(_exit))
    assert caught.value.kind is FaultKind.CRASHED


async def test_our_own_ctrl_c_comes_through() -> None:
    """It is meant for us, whoever is running."""
    with pytest.raises(KeyboardInterrupt):
        await asked(player_that(_interrupt))


async def test_a_late_turn_costs_all_of_its_time() -> None:
    """It could not be interrupted, so what it took is what the seat is charged."""

    def late(_: object) -> Any:
        time.sleep(0.05)
        return None

    with pytest.raises(PlayerFault) as caught:
        await asked(player_that(late), 0.01)
    assert caught.value.kind is FaultKind.TIMEOUT
    assert caught.value.seconds >= 0.05


async def test_every_player_has_a_bot_of_its_own() -> None:
    """Two seats with the same class share nothing."""
    seen: list[ClaimsBot] = []

    class Counting(ClaimsBot):
        def turn(self, observation: Any) -> Any:
            seen.append(self)
            return CLAIM

    for _ in range(2):
        await asked(LocalPlayer(Counting))
    assert seen[0] is not seen[1]
