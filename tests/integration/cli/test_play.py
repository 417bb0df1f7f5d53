"""``arena play``: real bots over real streams, their replays, and what is told of their wrongs."""

import json
from pathlib import Path
from typing import Any

import pytest
from scorer import read, score

from tests.integration.cli.arenas import Arena

LATE = "time.sleep(0.3)"
DIES = "os._exit(3)"
RAISES = "raise RuntimeError('my \\x1b[31mbug')"
NONSENSE = "return 'nonsense'"


def write_bot(folder: Path, name: str, misdeed: str) -> str:
    """A bot that does wrong from its third turn on."""
    bot = folder / name
    bot.mkdir()
    (bot / "bot.toml").write_text(f'name = "{name}"\ngame = "claims"\n')
    (bot / "bot.py").write_text(
        "import os, time\n"
        "from arenabot import ClaimsBot, serve\n"
        "class Wrong(ClaimsBot):\n"
        "    turns = 0\n"
        "    def turn(self, observation):\n"
        "        self.turns += 1\n"
        "        if self.turns > 2:\n"
        f"            {misdeed}\n"
        "        return observation.legal_actions()[-1]\n"
        "if __name__ == '__main__':\n"
        "    serve(Wrong)\n"
    )
    return name


@pytest.mark.parametrize(
    ("game", "bots"),
    [("claims", 2), ("claims", 7), ("claim", 3), ("claro", 3)],
)
def test_new_bots_play_every_game_and_their_replays_hold(
    arena: Arena, game: str, bots: int
) -> None:
    """What ``bot new`` writes plays without a fault, and strangers can check every card of it."""
    arena("bot", "new", "first", "--game", game)
    arena("bot", "new", "second", "--game", game)
    table = [("first", "second")[seat % 2] for seat in range(bots)]
    document = arena.json(
        "play", *table, "--game", game, "--matches", "4", "--sandbox", "none", "--replay", "r"
    )
    assert [match["number"] for match in document["matches"]] == [1, 2, 3, 4]
    assert [bot["faults"] for bot in document["bots"]] == [0] * bots
    files = sorted(str(path) for path in (arena.here / "r").iterdir())
    assert files == sorted(str(arena.here / match["replay"]) for match in document["matches"])
    verdicts = arena.json("replay", "verify", *files)["replays"]
    assert {verdict["digest"] for verdict in verdicts} == {
        match["digest"] for match in document["matches"]
    }
    # The arena's verifier is not asked alone: the scorer shares no code with it.
    for file in files:
        verdict = score(read(file))
        assert verdict.ok, f"{file}: {verdict}"
    assert "Round 1:" in arena("replay", "show", files[0], "--seat", "1")


def test_the_seats_rotate_on_equal_deals(arena: Arena) -> None:
    """Two matches of two are one block: the same deals, each bot once in each seat."""
    document = arena.json(
        "play", "greedy", "random", "--game", "claims", "--matches", "2", "--sandbox", "none"
    )
    seatings = [[seat["place"] for seat in match["seats"]] for match in document["matches"]]
    assert sorted(seatings) == [[0, 1], [1, 0]]


def test_equal_seeds_give_equal_matches_in_any_sandbox(arena: Arena) -> None:
    """A bot in a process decides as it does inside the arena, and the seed decides the rest."""
    call = ("play", "greedy", "random", "--game", "claims", "--seed", "7", "--matches", "2")
    inside = arena.json(*call, "--sandbox", "none")
    outside = arena.json(*call, "--sandbox", "process")
    assert [match["digest"] for match in inside["matches"]] == [
        match["digest"] for match in outside["matches"]
    ]
    other = arena.json(*call[:-4], "--seed", "8", "--matches", "2", "--sandbox", "none")
    assert other["matches"][0]["digest"] != inside["matches"][0]["digest"]


def seats_of(document: Any, bot: str) -> list[dict[str, Any]]:
    """A bot's seats in all matches."""
    return [seat for match in document["matches"] for seat in match["seats"] if seat["bot"] == bot]


@pytest.mark.parametrize(
    ("misdeed", "kinds", "outcome"),
    [
        (LATE, {"TIMEOUT", "TOO_MANY_FAULTS"}, "TOO_MANY_FAULTS"),
        (DIES, {"CRASHED"}, "CRASHED"),
        (RAISES, {"CRASHED"}, "CRASHED"),
        (NONSENSE, {"MALFORMED", "ILLEGAL", "CRASHED", "TOO_MANY_FAULTS"}, None),
    ],
)
def test_a_bot_that_does_wrong_is_told_why_and_the_others_play_on(
    arena: Arena, misdeed: str, kinds: set[str], outcome: str | None
) -> None:
    """Late, dead, raising or talking nonsense: the seat has a typed reason, greedy none."""
    bot = write_bot(arena.here, "wrong", misdeed)
    document = arena.json(
        "play", bot, "greedy", "--game", "claims", "--turn", "0.2", "--option", "target=150",
        "--sandbox", "process",
    )  # fmt: skip
    (wrong,) = seats_of(document, "wrong")
    assert wrong["faults"]
    assert {fault["kind"] for fault in wrong["faults"]} <= kinds
    assert all(fault["detail"] for fault in wrong["faults"])
    assert wrong["outcome"] == outcome or (outcome is None and wrong["outcome"] in kinds)
    (greedy,) = seats_of(document, "greedy")
    assert (greedy["faults"], greedy["outcome"], greedy["rank"]) == ([], "PLAYED", 1)


def test_an_authors_own_traceback_is_shown_harmless(arena: Arena) -> None:
    """The table names the fault, the end of the bot's log follows, with escapes spelled out."""
    bot = write_bot(arena.here, "wrong", RAISES)
    shown = arena("play", bot, "greedy", "--game", "claims", "--sandbox", "process")
    assert "CRASHED" in shown
    assert "RuntimeError" in shown
    assert "\x1b" not in shown
    assert "\\x1b[31mbug" in shown


def test_many_matches_are_played_side_by_side(arena: Arena) -> None:
    """A hundred matches inside the arena, on several workers, each once and in order."""
    document = arena.json(
        "play", "random", "random", "--game", "claims", "--matches", "100", "--sandbox", "none",
        "--workers", "2", "--option", "target=150",
    )  # fmt: skip
    assert [match["number"] for match in document["matches"]] == list(range(1, 101))
    assert len({match["match"] for match in document["matches"]}) == 100


def test_bots_that_cannot_be_played_are_one_line(arena: Arena) -> None:
    """A folder without a bot, a name that is nobody's, no engine for containers."""
    (arena.here / "empty").mkdir()
    arena("play", "empty", "greedy", "--game", "claims", "--sandbox", "none", code=1)
    assert "bot.toml" in arena.err
    arena("play", "nobody", "greedy", "--game", "claims", code=1)
    assert "arena bot list" in arena.err
    arena("play", "greedy", "random", "--game", "claims", code=1)
    assert "--sandbox process" in arena.err
    assert arena.err.count("\n") == 1


@pytest.mark.docker
def test_bots_play_in_containers(docker_arena: Arena) -> None:
    """The same match as inside the arena, and nothing of it is left on the machine."""
    call = ("play", "greedy", "random", "--game", "claims", "--seed", "7")
    inside = docker_arena.json(*call, "--sandbox", "none")
    contained = docker_arena.json(*call, "--sandbox", "docker")
    assert contained["matches"][0]["digest"] == inside["matches"][0]["digest"]
    assert all(seat["peak_memory"] for seat in contained["matches"][0]["seats"])
    assert json.dumps(contained)
    assert str(docker_arena.home) not in Path("/proc/self/mountinfo").read_text()
