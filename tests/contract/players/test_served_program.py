"""A bot's file as a program: how it starts, what its author reads, how it ends."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import textwrap
from pathlib import Path
from time import monotonic

import pytest

from arena.match.faults import PlayerFault, PlayerGone
from arena.players.remote import RemotePlayer
from tests.contract.players.bots import DIARY, NAP, Script
from tests.contract.players.conftest import Served, Table, info, serving, told

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = 5.0
BOTS = Path(__file__).with_name("bots.py")


def program(folder: Path, body: str) -> Path:
    """A bot's file with this ``turn``."""
    path = folder / "bot.py"
    path.write_text(
        "from arenabot import ClaimsBot, serve\n\n"
        "class MyBot(ClaimsBot):\n"
        "    def turn(self, observation):\n"
        f"{textwrap.indent(body, ' ' * 8)}\n\n"
        "serve(MyBot)\n"
    )
    return path


async def ask_once(bot: Served, script: Script = Script.PLAY, seconds: float = LONG) -> None:
    """Ask a bot once, and let go of it whatever it does."""
    remote = RemotePlayer(bot.address)
    try:
        await remote.start("m", info(script), LONG)
        table = Table()
        await remote.turn(table.news(), table.prompt, seconds)
    except PlayerFault:
        pass
    finally:
        await remote.close()


def ended(process: subprocess.Popen[bytes]) -> int:
    """The exit code after SIGTERM, which comes at once."""
    began = monotonic()
    process.send_signal(signal.SIGTERM)
    code = process.wait(10)
    assert monotonic() - began < 2
    return code


# --- what its author reads


async def test_an_error_shows_as_a_traceback_and_the_program_stays() -> None:
    """The next match is played by a new bot."""
    with serving(BOTS) as bot:
        await ask_once(bot, Script.RAISE_IN_TURN)
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(), LONG)
        table = Table()
        answer = await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()
        log = _text(bot.log)
    assert answer.action == table.state.legal_actions()[-1]
    assert "the bot raised an error, which ends this match for it\nTraceback (most" in log
    assert 'raise ValueError("no idea\\nat all")' in log


async def test_what_is_no_action_shows_as_one_line() -> None:
    """It says what was returned and what to return."""
    with serving(BOTS) as bot:
        await ask_once(bot, Script.RETURN_NONE)
        log = _text(bot.log)
    assert (
        "turn() returned None, which is no action: return one of observation.legal_actions()\n"
    ) in log
    assert "Traceback" not in log


async def test_a_quiet_match_leaves_one_line() -> None:
    """Where it listens: nothing of gRPC's, nothing of a match that was hung up on."""
    with serving(BOTS) as bot:
        await ask_once(bot)
        await ask_once(bot)
        log = _text(bot.log)
        assert ended(bot.process) == 0
    assert log == f"arenabot: playing claims, claim, claro at {bot.address}\n"


async def test_a_bot_that_is_hung_up_on_in_a_turn_says_no_more_than_that_it_was_slow() -> None:
    """Nothing of gRPC's or asyncio's comes into its log."""
    with serving(BOTS) as bot:
        await ask_once(bot, Script.SLEEP_IN_FIRST_TURN, NAP / 5)
        await asyncio.sleep(NAP * 1.5)
        await ask_once(bot)
        log = _text(bot.log)
    assert re.fullmatch(r"arenabot: playing .*\nmessage 2 took 0\.[5-9]\d* s of 0\.100 s\n", log)


# --- catching up


async def test_a_bot_that_fell_behind_catches_up_at_once(tmp_path: Path) -> None:
    """Of the questions that went by while it slept, it answers only the one that still stands."""
    diary = tmp_path / "diary.txt"
    with serving(BOTS, **{DIARY: str(diary)}) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(Script.SLEEP_IN_FIRST_TURN), LONG)
        table = Table()
        for _ in range(4):
            with pytest.raises(PlayerFault, match="no answer within"):
                await remote.turn(table.news(), table.prompt, NAP / 5)
            table.lap()
        answer = await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()
    assert answer.action == table.state.legal_actions()[-1]
    assert [line.split()[0] for line in told(diary)] == ["match_started", "turn", "turn"]


# --- its end


async def test_sigterm_ends_it_while_it_waits() -> None:
    """With exit code 0 and without a word."""
    with serving(BOTS) as bot:
        assert ended(bot.process) == 0
        assert "Traceback" not in _text(bot.log)


async def test_sigterm_ends_it_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    """Even if its turn would never end."""
    with serving(program(tmp_path, "while True: pass")) as bot:
        await ask_once(bot, seconds=0.3)
        assert ended(bot.process) == 0


async def test_ctrl_c_ends_it_quietly() -> None:
    """As an author would end it."""
    with serving(BOTS) as bot:
        bot.process.send_signal(signal.SIGINT)
        assert bot.process.wait(10) == 0
        assert "Traceback" not in _text(bot.log)


async def test_a_second_match_is_played_beside_the_first() -> None:
    """While one bot waits, another object answers: nothing is shared between streams."""
    with serving(BOTS) as bot:
        players = [RemotePlayer(bot.address) for _ in range(3)]
        tables = [Table() for _ in players]
        for player in players:
            await player.start("m", info(), LONG)
        for player, table in zip(players, tables, strict=True):
            answer = await player.turn(table.news(), table.prompt, LONG)
            assert answer.action == table.state.legal_actions()[-1]
        for player in players:
            await player.close()


async def test_a_game_that_it_does_not_play_ends_the_stream(tmp_path: Path) -> None:
    """The arena hears which games it does play."""
    with serving(program(tmp_path, "return observation.legal_actions()[0]")) as bot:
        remote = RemotePlayer(bot.address)
        await remote.start("m", info(game="claim"), LONG)
        table = Table()
        with pytest.raises(PlayerGone, match="'claim', but this bot plays: claims"):
            await remote.turn(table.news(), table.prompt, LONG)
        await remote.close()


def _text(path: Path) -> str:
    return path.read_text()
