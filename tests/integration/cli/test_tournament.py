"""``arena tournament`` and ``arena rankings``: from the first command to the exported files."""

import csv
import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.integration.cli.arenas import Arena

TRUSTED = ("--sandbox", "process", "--trusted")


@pytest.fixture
def played(arena: Arena) -> Arena:
    """An arena with one finished tournament."""
    arena(
        "tournament", "create", "cup", "--game", "claims", "--bots", "random", "greedy",
        "--option", "target=150", "--matches", "3", *TRUSTED,
    )  # fmt: skip
    arena("tournament", "run", "cup")
    return arena


def test_a_tournaments_life(arena: Arena) -> None:
    """Created, run, shown, ranked, exported: each step shows what the one before did."""
    made = arena.json(
        "tournament", "create", "cup", "--game", "claims", "--bots", "random", "greedy",
        "--option", "target=150", "--matches", "3", *TRUSTED,
    )  # fmt: skip
    assert made["blocks"] == 2  # three matches are not two whole blocks
    assert made["figures"] == {"seats": [2, 2], "predecessors": [4, 4], "meetings": [2, 2]}
    assert (made["seed"], made["progress"]["state"]) == (None, "created")
    run = arena.json("tournament", "run", "cup")
    assert "process" in arena.err  # why not containers
    assert run["progress"] == {
        "state": "finished", "matches": 4, "done": 4, "pending": 0, "holes": 0,
        "annulled": 0, "voids": 0,
    }  # fmt: skip
    assert hashlib.sha256(bytes.fromhex(run["seed"])).hexdigest() == made["seed_hash"]
    first, second = run["standings"]
    assert (first["bot"], first["rank"], second["bot"], second["rank"]) == (
        "greedy",
        1,
        "random",
        2,
    )
    assert first["score"] == pytest.approx(first["mu"] - 3 * first["sigma"])
    assert arena.json("rankings", "--game", "claims")["ranking"] == run["standings"]
    assert arena.json("rankings", "--tournament", "cup")["ranking"] == run["standings"]
    (listed,) = arena.json("tournament", "list")["tournaments"]
    assert (listed["name"], listed["progress"]["done"]) == ("cup", 4)


def test_a_finished_tournament_has_nothing_left_to_run(played: Arena) -> None:
    """Running it again plays nothing and shows the same."""
    before = played.json("tournament", "show", "cup")
    assert played.json("tournament", "run", "cup") == before


def test_an_export_holds_results_standings_and_replays(played: Arena) -> None:
    """All of them verify, and the tables hold a line for each seat and each bot."""
    played("tournament", "export", "cup", "out")
    out = played.here / "out"
    results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [(match["block"], match["rotation"]) for match in results] == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip
    rows = list(csv.DictReader((out / "results.csv").read_text().splitlines()))
    assert [(row["match"], row["seat"]) for row in rows] == [
        (match["match"], str(seat)) for match in results for seat in range(2)
    ]
    standings = list(csv.DictReader((out / "standings.csv").read_text().splitlines()))
    assert [row["bot"] for row in standings] == ["greedy", "random"]
    replays = sorted((out / "replays").iterdir())
    verdicts = played.json("replay", "verify", *map(str, replays))["replays"]
    assert {verdict["digest"] for verdict in verdicts} == {
        match["result"]["digest"] for match in results
    }
    played("tournament", "export", "cup", "only.csv")
    assert (played.here / "only.csv").read_text() == (out / "results.csv").read_text()
    played("tournament", "export", "cup", "only.csv/x", code=1)
    assert "cannot be written" in played.err


def test_a_match_is_found_by_the_beginning_of_its_id(played: Arena) -> None:
    """Its seats with their reasons, its log, its replay as a file and on the screen."""
    match = played.json("tournament", "show", "cup", "--matches")["matches"][0]["match"]
    shown = played("tournament", "show", "cup", match[:8])
    assert "played to the end" in shown
    assert "arenabot: playing claims" in played("tournament", "show", "cup", match, "--log", "1")
    assert played("replay", "get", "cup", match[:8]).strip() == f"{match}.jsonl.zst"
    from_file = played("replay", "show", f"{match}.jsonl.zst")
    assert from_file == played("replay", "show", "cup", match)
    played("replay", "get", "cup", "zz", code=1)
    assert "no match" in played.err
    played("replay", "get", "cup", "", code=1)
    assert "4 matches" in played.err


def test_nothing_of_a_block_shows_before_all_of_it_is_played(arena: Arena) -> None:
    """The other matches on these deals are still to come: no replay, no log, no seed."""
    arena(
        "tournament", "create", "cup", "random", "greedy", "--game", "claims", "--blocks", "1",
        "--option", "target=150", *TRUSTED,
    )  # fmt: skip
    with arena.start("tournament", "run", "cup", "--workers", "1") as process:
        arena.wait_for_results("cup", 1, process)
        process.kill()
        process.communicate()
    if arena.progress("cup").pending == 0:
        pytest.fail("both matches were done before the run could be killed")
    shown = arena.json("tournament", "show", "cup", "--matches")["matches"]
    (done,) = (match["match"] for match in shown if match["status"] == "done")
    for command in (
        ("replay", "get", "cup", done),
        ("replay", "show", "cup", done),
        ("tournament", "show", "cup", done, "--log", "0"),
    ):
        arena(*command, code=1)
        assert "released" in arena.err
    arena("tournament", "export", "cup", "out")
    assert not (arena.here / "out" / "replays").exists()
    assert arena.json("tournament", "show", "cup")["seed"] is None
    arena("tournament", "cancel", "cup")
    assert arena.json("tournament", "show", "cup")["seed"] is not None
    assert "Round 1:" in arena("replay", "show", "cup", done)
    arena("tournament", "run", "cup", code=1)
    assert "was cancelled" in arena.err


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        (("random", "greedy"), 1, ""),
        (("random", "greedy", "--sandbox", "process"), 1, "--trusted"),
        (("random", "greedy", "--isolation", "warm"), 1, "--trusted"),
        (("random", *TRUSTED), 2, "cannot fill a table"),
        (("random", "random", *TRUSTED), 1, "same code"),
        (("random", "nobody", *TRUSTED), 1, "no bot 'nobody'"),
        (("random", "greedy", "--blocks", "1", "--matches", "2", *TRUSTED), 2, "--blocks"),
        (("random", "greedy", "--table-size", "8", *TRUSTED), 2, "2 to 7 players"),
    ],
)
def test_what_cannot_be_set_up_is_one_line(
    arena: Arena, settings: tuple[str, ...], code: int, told: str
) -> None:
    """And an arena without containers sets a tournament up all the same, to be run elsewhere."""
    if not told:
        arena("tournament", "create", "cup", "--game", "claims", *settings)
        arena("tournament", "run", "cup", code=code)
        told = "doesn't answer"
    else:
        arena("tournament", "create", "cup", "--game", "claims", *settings, code=code)
    lines = arena.err.splitlines()
    assert told in lines[-1]
    assert lines[-1].startswith("arena: ")


def test_a_name_cannot_be_taken_twice(played: Arena) -> None:
    """Nor does a tournament exist that nobody made."""
    played("tournament", "create", "cup", "random", "greedy", "--game", "claims", code=1)
    assert "cup" in played.err
    played("tournament", "show", "cpu", code=1)
    assert "did you mean 'cup'?" in played.err


def test_seeds_decide_everything(arena: Arena) -> None:
    """Two tournaments of one seed have equal schedules and equal commitments."""
    for name in ("one", "two"):
        arena(
            "tournament", "create", name, "random", "greedy", "counter", "--game", "claims",
            "--seed", "ab" * 32, *TRUSTED,
        )  # fmt: skip
    one, two = arena.json("tournament", "list")["tournaments"]
    assert one["seed_hash"] == two["seed_hash"]
    seatings = [
        [(match["match"], match["bots"]) for match in shown["matches"]]
        for shown in (
            arena.json("tournament", "show", "one", "--matches"),
            arena.json("tournament", "show", "two", "--matches"),
        )
    ]
    assert seatings[0] == seatings[1]


def test_the_store_lies_where_home_says(arena: Arena, tmp_path: Path) -> None:
    """--home comes before ARENA_HOME."""
    elsewhere = tmp_path / "elsewhere"
    arena("bot", "new", "mine")
    arena("bot", "submit", "mine", "--home", str(elsewhere))
    assert arena.json("bot", "list")["versions"] == []
    (version,) = arena.json("bot", "list", "--home", str(elsewhere))["versions"]
    assert version["bot"] == "mine"
    shown = arena.json("bot", "show", "mine", "--home", str(elsewhere))
    assert shown["versions"][0]["tournaments"] == []


#: What these hold is described elsewhere: the games' options, the timers, what was measured.
OTHERS_WORDS = {"options", "timers", "measured", "lines", "holes"}


def keys(document: object) -> set[str]:
    """All keys of a document, at any depth."""
    if isinstance(document, list):
        return set().union(*map(keys, document))
    if not isinstance(document, dict):
        return set()
    return set(document).union(
        *(keys(value) for key, value in document.items() if key not in OTHERS_WORDS)
    )


def test_every_key_that_is_printed_is_documented(played: Arena) -> None:
    """The page for scripts names all of them."""
    page = Path(__file__).parents[3] / "docs" / "4-running-tournaments.md"
    documented = set(re.findall(r"`([a-z_]+)`", page.read_text()))
    match = played.json("tournament", "show", "cup", "--matches")["matches"][0]["match"]
    played("replay", "get", "cup", match)
    played("bot", "new", "mine")
    for command in (
        ("tournament", "create", "other", "random", "greedy", "--game", "claims"),
        ("tournament", "list"),
        ("tournament", "show", "cup"),
        ("tournament", "show", "cup", "--matches"),
        ("tournament", "show", "cup", match),
        ("rankings",),
        ("play", "random", "greedy", "--game", "claims", "--sandbox", "none", "--replay", "r"),
        ("replay", "verify", f"{match}.jsonl.zst"),
        ("replay", "show", f"{match}.jsonl.zst"),
        ("bot", "check", "mine"),
        ("bot", "submit", "mine"),
        ("bot", "list"),
        ("bot", "show", "random"),
        ("doctor",),
    ):
        assert keys(played.json(*command)) - documented == set(), command
