"""``arena tournament enter``, ``leave``, ``open``, ``close`` and ``withdraw``."""

import hashlib

import pytest

from tests.integration.cli.arenas import Arena

TRUSTED = ("--sandbox", "process", "--trusted", "--option", "target=150")


@pytest.fixture
def cup(arena: Arena) -> Arena:
    """An arena with a tournament that is open for entry."""
    arena("tournament", "create", "cup", "--game", "claims", "--blocks", "4", *TRUSTED)
    return arena


def test_a_tournament_is_entered_drawn_and_played(cup: Arena) -> None:
    """The hash of the seed is told before anybody enters, and is that of the seed at the end."""
    shown = cup.json("tournament", "show", "cup")
    assert (shown["progress"]["state"], shown["entry_open"]) == ("entry", True)
    assert shown["entries"] == []
    for bot in ("random", "greedy", "counter", "random"):
        cup("tournament", "enter", "cup", bot)
    assert "counter is not entered" in cup("tournament", "leave", "cup", "counter")
    cup("tournament", "close", "cup")
    cup("tournament", "enter", "cup", "counter", code=1)
    assert "entry of tournament 'cup' is closed" in cup.err
    cup("tournament", "open", "cup")
    drawn = cup("tournament", "close", "cup", "--draw")
    assert "2 bots, tables of 2, 4 blocks, 8 matches" in drawn
    over = cup.json("tournament", "run", "cup")
    assert [entry["bot"] for entry in over["entries"]] == ["greedy", "random"]
    assert over["progress"]["state"] == "finished"
    assert hashlib.sha256(bytes.fromhex(over["seed"])).hexdigest() == shown["seed_hash"]


def test_one_that_is_not_drawn_is_not_played(cup: Arena) -> None:
    """Nor drawn with too few; each is one line that says what to do."""
    cup("tournament", "run", "cup", code=1)
    assert "no schedule yet" in cup.err
    cup("tournament", "enter", "cup", "random")
    cup("tournament", "close", "cup", "--draw", code=2)
    assert "enter more bots or choose smaller tables" in cup.err
    cup("tournament", "withdraw", "cup", "random", "--why", "slow", code=1)
    assert "there a bot leaves" in cup.err
    assert "open for entry" not in cup("tournament", "list")


def test_a_bot_is_withdrawn_and_the_others_play_on(arena: Arena) -> None:
    """What is left out is said wherever standings are shown, and once more with --annul."""
    arena(
        "tournament", "create", "cup", "--game", "claims", "--bots", "random", "greedy", "counter",
        *TRUSTED,
    )  # fmt: skip
    told = arena("tournament", "withdraw", "cup", "random", "--why", "it is slow")
    assert "4 matches annulled, 2 blocks left out" in told
    over = arena.json("tournament", "run", "cup")
    assert over["progress"] == {
        "state": "finished", "matches": 6, "done": 2, "pending": 0, "holes": 0, "annulled": 4,
        "voids": 0,
    }  # fmt: skip
    assert (over["hole_blocks"], len(over["left_out"])) == ([], 2)
    (gone,) = [entry for entry in over["entries"] if entry["withdrawn"]]
    assert (gone["bot"], gone["withdrawn_why"]) == ("random", "it is slow")
    assert gone["annulled_from"] is None
    shown = arena("tournament", "show", "cup")
    assert "random is withdrawn: it is slow" in shown
    assert "4 matches annulled: 2 blocks left out of the standings" in shown
    arena("rankings")
    assert "cup: 2 blocks left out" in arena.err
    arena("tournament", "withdraw", "cup", "greedy", "--why", "copied", "--annul")
    assert len(arena.json("tournament", "show", "cup")["left_out"]) == 3


def test_a_sample_bot_is_never_retired(cup: Arena) -> None:
    """The demo, and all who name it, would be refused from then on; one's own bots are."""
    cup("tournament", "enter", "cup", "greedy")
    for name in ("greedy", "greedy:1"):
        cup("bot", "retire", name, code=1)
        assert "is a sample bot, which is never retired: just don't enter it" in cup.err
    cup("tournament", "create", "other", "--game", "claims", "--bots", "greedy", "random", *TRUSTED)
    cup("bot", "new", "mine")
    cup("tournament", "enter", "cup", "mine")
    assert "is retired" in cup("bot", "retire", "mine")
