"""The same commands against a server as without one: what they print is the same."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import Store
from tests.integration.cli.arenas import Arena
from tests.integration.client.serving import PATIENCE, Serving
from tests.integration.server.conducting import bot, held_bot

#: Dozens of commands and a server on a busy machine.
pytestmark = pytest.mark.timeout(600)

TRUSTED = ("--sandbox", "process", "--trusted")


@pytest.fixture(scope="module")
def arena(new_arena: Arena) -> Iterator[Arena]:
    """An arena with a tournament that was played, and one that is to be."""
    for name in ("cup", "later"):
        new_arena(
            "tournament", "create", name, "random", "greedy", "--game", "claims",
            "--option", "target=150", "--blocks", "2", "--league", "autumn", *TRUSTED,
        )  # fmt: skip
    new_arena("tournament", "run", "cup", "--workers", "1")
    yield new_arena
    for process in new_arena.processes():
        if process != os.getpid():  # the server is one of its threads
            os.kill(process, signal.SIGKILL)


@pytest.fixture
def olga(arena: Arena, server: Serving) -> Iterator[Arena]:
    """The arena as its organiser calls it, who has logged in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TOKEN", server.tokens["olga"])
        yield arena


def first_match(arena: Arena) -> str:
    """The id of the first match of the cup."""
    match: str = arena.json("tournament", "show", "cup", "--matches")["matches"][0]["match"]
    return match


@pytest.mark.parametrize(
    "command",
    [
        ("bot", "list"),
        ("bot", "show", "greedy"),
        ("tournament", "show", "cup"),
        ("tournament", "show", "later"),
        ("tournament", "show", "cup", "--head-to-head"),
        ("tournament", "show", "cup", "--against", "random"),
        ("tournament", "show", "cup", "--matches"),
        ("tournament", "show", "cup", "MATCH"),
        ("tournament", "watch", "cup"),
        ("rankings",),
        ("rankings", "--game", "claims", "--head-to-head", "--rating", "block"),
        ("rankings", "--tournament", "cup", "--against", "greedy"),
        ("rankings", "--game", "claro"),
        ("rankings", "--league", "autumn", "--head-to-head"),
        ("rankings", "--leagues"),
        ("rankings", "--leagues", "--game", "claro"),
        ("replay", "show", "cup", "MATCH"),
        ("tournament", "verify", "cup"),
    ],
    ids=" ".join,
)
def test_a_server_gives_the_tables_and_documents_of_its_store(
    arena: Arena, server: Serving, command: tuple[str, ...]
) -> None:
    """Word for word, and number for number."""
    call = tuple(first_match(arena) if word == "MATCH" else word for word in command)
    remote = (*call, "--server", server.address)
    assert arena(*remote) == arena(*call)
    assert arena.json(*remote) == arena.json(*call)


def test_a_servers_list_has_no_entries(arena: Arena, server: Serving) -> None:
    """All else is that of the store, also of one game's."""
    for more in ((), ("--game", "claims"), ("--game", "claro")):
        here = arena.json("tournament", "list", *more)["tournaments"]
        there = arena.json("tournament", "list", *more, "--server", server.address)["tournaments"]
        assert there == [{**one, "entries": []} for one in here]


def test_files_from_a_server_are_those_of_its_store(arena: Arena, server: Serving) -> None:
    """Replays and exports, byte for byte."""
    match = first_match(arena)
    told = arena("replay", "get", "cup", match[:8], "--server", server.address).strip()
    assert told == f"{match}.jsonl.zst"
    arena("replay", "get", "cup", match, "--output", "here.zst")
    assert (arena.here / told).read_bytes() == (arena.here / "here.zst").read_bytes()
    holds = arena("replay", "verify", told, "--server", server.address)
    assert holds == f"{told}: holds\n"
    arena("replay", "verify", "nowhere", "--server", server.address, code=1)
    said = arena("tournament", "export", "cup", "there", "--server", server.address)
    assert said == "there: 4 results, 4 replays\n"
    arena("tournament", "export", "cup", "here")
    files = [path for path in (arena.here / "here").rglob("*") if path.is_file()]
    assert len(files) == 12
    for file in files:
        other = arena.here / "there" / file.relative_to(arena.here / "here")
        assert other.read_bytes() == file.read_bytes(), file
    arena("tournament", "export", "cup", "only.csv", "--server", server.address)
    assert (arena.here / "only.csv").read_bytes() == (arena.here / "here/results.csv").read_bytes()


def test_a_bot_is_handed_in_and_followed(arena: Arena, server: Serving) -> None:
    """Each state is told; the version is the one that was made; its log can be read."""
    bot(arena.here, "mine")
    who = ("--server", server.address)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TOKEN", server.tokens["ana"])
        version = arena.json("bot", "submit", "mine", *who)
        states = re.findall(r"mine: (\w+)", arena.err)
        assert (states[0], states[-1]) == ("checked", "ready")
        assert "be quicker" in arena.err
        assert (version["bot"], version["version"], version["author"]) == ("mine", 1, "ana")
        assert arena("bot", "logs", "mine", *who).endswith("be quicker\n  built\n")
        arena("bot", "retire", "mine:1", *who)
        (known,) = arena.json("bot", "show", "mine", *who)["versions"]
        assert known["retired"] is not None
        bot(arena.here, "bad")
        arena("bot", "submit", "bad", *who, code=1)
        assert "bad is rejected: it crashed" in arena.err
        told = arena("bot", "logs", "bad", *who)
        assert "\\x1b[31mboom" in told
        assert "\x1b" not in told
        arena("bot", "retire", "greedy", *who, code=1)
        assert "you have no bot 'greedy'" in arena.err
        arena("bot", "logs", "nobody", *who, code=1)
        arena("bot", "retire", "mine:x", *who, code=2)


def test_a_tournaments_life_on_a_server(olga: Arena, server: Serving) -> None:
    """Opened, entered, left, closed, drawn, withdrawn from, cancelled; figures as without one."""
    who = ("--server", server.address)
    made = olga.json(
        "tournament", "create", "league", "--game", "claims", "--table-size", "2", *who
    )
    assert made["progress"]["state"] == "entry"
    for name in ("x1", "x2", "x3"):
        folder = Path(bot(olga.here, name))
        (folder / "note.txt").write_text(name)
        told = olga("tournament", "enter", "league", name, *who)
        assert f"{name}:1 is entered in league" in told
    olga("tournament", "leave", "league", "x3", *who)
    olga("tournament", "close", "league", *who)
    olga("tournament", "enter", "league", "x3:1", *who, code=1)
    olga("tournament", "open", "league", *who)
    olga("tournament", "enter", "league", "x3:1", *who)
    drawn = olga("tournament", "close", "league", "--draw", *who)
    assert "league: 3 bots, tables of 2, 3 blocks, 6 matches" in drawn
    assert "play it: " in drawn
    said = olga("tournament", "withdraw", "league", "x1", "--why", "a copy", "--annul", *who)
    assert (
        said
        == "x1 is withdrawn from league: 4 matches annulled, 2 blocks left out of the standings\n"
    )
    assert "x1 is withdrawn, its results annulled: a copy" in olga(
        "tournament", "show", "league", *who
    )
    assert "is cancelled" in olga("tournament", "cancel", "league", *who)
    shown = olga.json("tournament", "show", "league", *who)
    assert (shown["progress"]["state"], len(shown["seed"])) == ("cancelled", 64)
    for number, blocks in enumerate((("--blocks", "4"), ("--until-clear", "0.9", "--blocks", "9"))):
        call = ("x2:1", "x3:1", "--game", "claims", *blocks)
        here = olga.json("tournament", "create", f"here{number}", *call)
        there = olga.json("tournament", "create", f"there{number}", *call, *who)
        assert there["figures"] == here["figures"]


def test_a_league_on_a_server_is_its_organisers(olga: Arena, server: Serving) -> None:
    """Who may do anything with the store began the one; the other is olga's own."""
    create = ("tournament", "create", "of-a-league", "--game", "claims", "--server", server.address)
    olga(*create, "--league", "autumn", code=1)
    assert "the league 'autumn' is another organiser's" in olga.err
    assert olga.json(*create, "--league", "spring")["league"] == "spring"
    assert olga.json("tournament", "show", "of-a-league")["league"] == "spring"


def test_a_run_on_a_server_is_watched_to_its_end(olga: Arena, server: Serving) -> None:
    """The server plays it; the table at the end is that of the store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ARENA_TOKEN")  # the machine's own user is an admin, if there is a token
        olga("tournament", "run", "later", "--server", server.address, code=1)
        assert "needs a token" in olga.err
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TOKEN", server.tokens["ada"])
        who = ("--server", server.address)
        olga("tournament", "run", "later", "--workers", "2", *who, code=2)
        run = olga.json("tournament", "run", "later", *who)
        assert run["progress"]["state"] == "finished"
        assert run == olga.json("tournament", "show", "later")
        assert "later holds" in olga("tournament", "verify", "later", *who)
        olga("match", "watch", "later", "--any", *who, code=1)
        assert "is over" in olga.err


def until_played(arena: Arena, name: str) -> None:
    """Wait until the server is to play a tournament."""
    with Store.open(arena.home) as store:
        id_ = store.tournament(name).id
        until = time.monotonic() + PATIENCE
        while not store.running.is_wanted(id_):
            assert time.monotonic() < until
            time.sleep(0.1)


def test_a_match_is_watched_while_it_is_played_and_looking_away_stops_nothing(
    arena: Arena, server: Serving, tmp_path: Path
) -> None:
    """Turn by turn, drawn as a replay is but with hands hidden; Ctrl-C ends the command only."""
    gate = tmp_path / "gate"
    gate.touch()
    bots = [held_bot(tmp_path, name, gate) for name in ("slow1", "slow2")]
    arena(
        "tournament", "create", "slow", *bots, "--game", "claims", "--option", "max_rounds=1",
        "--blocks", "4", *TRUSTED,
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TOKEN", server.tokens["ada"])
        who = ("--server", server.address)
        run = arena.start("tournament", "run", "slow", *who)
        until_played(arena, "slow")
        watch = arena.start("match", "watch", "slow", "--any", *who)
        assert watch.stdout is not None
        assert "Claims, match" in watch.stdout.readline()
        time.sleep(5)  # until the other one has its answer and watches
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=PATIENCE)
        assert run.returncode == 130, err
        assert "the server plays on" in err
        gate.unlink()
        drawn, err = watch.communicate(timeout=PATIENCE)
        assert (watch.returncode, err) == (0, "")
        assert "Round 1:" in drawn
        assert "The match is over" in drawn
        assert re.search(r"draws a card  \d cards", drawn)
        assert "finished" in arena("tournament", "watch", "slow", *who)


def test_logging_in_keeps_a_token_and_logging_out_forgets_it(
    arena: Arena, server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token is tried first; a profile then needs no address and no token."""
    file = arena.here / "secret"
    file.write_text(server.tokens["ana"] + "\n")
    told = arena("login", server.address, "--profile", "lab", "--token-file", str(file))
    assert "as ana (author)" in told
    assert server.tokens["ana"] not in told
    status = arena.json("status", "--profile", "lab")
    assert (status["author"], status["role"], status["draining"]) == ("ana", "author", False)
    assert "you are ana (author)" in arena("status", "--server", server.address)
    monkeypatch.setenv("ARENA_PROFILE", "lab")
    assert "you are ana" in arena("status")
    assert "greedy" in arena("bot", "list")
    monkeypatch.delenv("ARENA_PROFILE")
    file.write_text("arena_wrong")
    arena("login", server.address, "--profile", "bad", "--token-file", str(file), code=1)
    arena("logout", "--profile", "bad", code=1)
    assert "is forgotten" in arena("logout")
    arena("logout", code=2)
    arena("status", "--profile", "lab", code=1)
    arena("login", server.address, code=2)
    assert "--token-file" in arena.err
    arena("status", code=2)
    assert "no server is named" in arena.err


@pytest.mark.parametrize(
    ("call", "code", "told"),
    [
        (("tournament", "show", "nowhere"), 1, "there is no tournament 'nowhere'"),
        (("rankings", "--game", "claims", "--rating", "elo"), 2, "not by elo"),
        (("tournament", "create", "x", "a", "b", "--game", "claims"), 1, "needs a token"),
        (("rankings", "--league", "atumn"), 1, "no league 'atumn': did you mean 'autumn'?"),
        (("replay", "get", "cup", "zz"), 1, "no match of cup begins with 'zz'"),
        (("tournament", "show", "cup", "zz"), 1, "no match of cup begins with 'zz'"),
        (("bot", "show", "nobody"), 1, "nobody"),
        (("match", "watch", "cup"), 2, "say --any"),
        (("match", "watch", "cup", "x", "--any"), 2, "say --any"),
        (("tournament", "export", "nowhere", "out"), 1, "there is no tournament"),
        (("tournament", "show", "cup", "--log", "1"), 2, "--log needs a match"),
        (("rankings", "--profile", "x"), 2, "give one of them"),
    ],
)
def test_what_a_server_refuses_is_one_line_in_its_words(
    arena: Arena, server: Serving, call: tuple[str, ...], code: int, told: str
) -> None:
    """With the exit code that it would have without a server."""
    arena(*call, "--server", server.address, code=code)
    assert told in arena.err
    assert arena.err.count("\n") == 1


def test_a_server_that_is_not_there_is_one_line(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a few tries, as it may only be starting."""
    monkeypatch.setattr("arena.client.calling.FIRST_PAUSE", 0.01)
    arena("bot", "list", "--server", "127.0.0.1:1", code=1)
    assert arena.err == (
        "arena: no arena answers at 127.0.0.1:1: is the address right, and the server running?\n"
    )
    arena("match", "watch", "cup", "--any", code=1)
    assert "only on a server" in arena.err
