"""TournamentService as callers meet it: entry, drawing, withdrawal, lists, exports."""

from __future__ import annotations

import asyncio
import hashlib
import io
import threading
import zipfile
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.app.exports.export import export
from arena.store import Store, Tournament
from arena.store.testing import (
    make_tournament,
    new_result,
    new_version,
    replay_of,
)
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import SPECTATOR, Caller, Served, reason_of, refused

SEED = bytes(range(32))


@pytest.fixture
def bots(store: Store) -> None:
    """Two of ana's and one of bo's."""
    for name, author in (("abe", "ana"), ("bea", "ana"), ("cid", "bo")):
        store.add_version(new_version(name, author=author), b"archive")


async def create(caller: Caller, name: str = "cup", **changes: Any) -> pb.Tournament:
    """Set one up."""
    asked = pb.CreateTournamentRequest(name=name, game="claims", seed=SEED, **changes)
    return (await caller.tournaments.CreateTournament(asked)).tournament


async def enter(caller: Caller, bot: str, **more: str) -> pb.Tournament:
    """Enter a bot in the cup."""
    asked = pb.EnterTournamentRequest(tournament="cup", bot=bot, **more)
    return (await caller.tournaments.EnterTournament(asked)).tournament


async def draw(caller: Caller, **more: str) -> pb.Tournament:
    """Draw the cup's schedule."""
    asked = pb.CloseEntryRequest(tournament="cup", draw=True, **more)
    return (await caller.tournaments.CloseEntry(asked)).tournament


def entered(told: pb.Tournament) -> list[str]:
    """Its bots by position."""
    return [f"{entry.version.bot}:{entry.version.number}" for entry in told.entries]


async def test_a_tournament_from_entry_to_its_schedule(served: Served, bots: None) -> None:
    """Its seed is committed at first, and the order of arrival decides nothing."""
    cup = await create(served["olga"], blocks=2)
    assert (cup.organiser, cup.entry_open, cup.sandbox) == ("olga", True, "docker")
    assert cup.progress.state == pb.TOURNAMENT_STATE_ENTRY
    assert cup.seed_hash == hashlib.sha256(SEED).hexdigest()
    assert cup.seed == ""
    await enter(served["bo"], "cid")
    await enter(served["ana"], "bea")
    told = await enter(served["olga"], "abe")
    assert sorted(entered(told)) == ["abe:1", "bea:1", "cid:1"]
    told = await draw(served["olga"])
    assert entered(told) == ["abe:1", "bea:1", "cid:1"]
    assert (told.entry_open, told.blocks, told.progress.matches) == (False, 2, 4)
    assert told.progress.state == pb.TOURNAMENT_STATE_CREATED

    at_once = await create(served["olga"], "again", blocks=2, bots=["abe", "bea:1", "cid"])
    assert entered(at_once) == entered(told)
    drawn, other = [
        await served[SPECTATOR].tournaments.ListMatches(pb.ListMatchesRequest(tournament=name))
        for name in ("cup", "again")
    ]
    assert drawn == other
    assert served.conductor.told[-1] == ("changed", "again")


@pytest.mark.parametrize("until_clear", [0.0, 0.9])
async def test_too_few_entries_are_not_drawn(
    served: Served, bots: None, until_clear: float
) -> None:
    """In one line that says what to do, and entry goes on."""
    await create(served["olga"], until_clear=until_clear)
    await enter(served["ana"], "abe")
    with refused(pb.REASON_INVALID) as told:
        await draw(served["olga"])
    assert "enter more bots or choose smaller tables" in str(told)
    assert (await enter(served["bo"], "cid")).entry_open
    assert (await draw(served["olga"])).progress.matches > 0


async def test_who_enters_others_bots(served: Served, store: Store, bots: None) -> None:
    """Nobody but the organiser; retired versions and unknown bots nobody at all."""
    await create(served["olga"])
    for caller in ("bo", "otto"):
        with refused(pb.REASON_NOT_FOUND) as told:
            await enter(served[caller], "abe")
        assert "you have no bot 'abe'" in str(told)
    await enter(served["olga"], "abe")
    with refused(pb.REASON_NOT_FOUND):
        await served["bo"].tournaments.LeaveTournament(
            pb.LeaveTournamentRequest(tournament="cup", bot="abe")
        )
    store.roster.retire("bea")
    with refused(pb.REASON_INVALID) as told:
        await enter(served["ana"], "bea:1")
    assert "bea:1 is retired" in str(told)
    with refused(pb.REASON_NOT_FOUND):
        await enter(served["ana"], "nobody")
    with refused(pb.REASON_INVALID):
        await create(served["olga"], "other", bots=["abe", "bea:1"])
    await served["ana"].tournaments.LeaveTournament(
        pb.LeaveTournamentRequest(tournament="cup", bot="abe")
    )
    assert store.tournament("cup").entries == ()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sandbox": "process"}, "in docker and nowhere else"),
        ({"isolation": "warm"}, "say --trusted"),
        ({"isolation": "cold"}, "there is no isolation 'cold': say match, container, warm"),
        ({"ponder": "never"}, "there is no ponder 'never'"),
        ({"table_size": 9}, "so the table size cannot be 9"),
        ({"blocks": 100_001}, "1 to 100,000 blocks"),
        ({"max_faults": 4_000_000_000}, "max_faults is 0 to 1,000,000"),
        ({"until_clear": 0.2}, "at least 0.5 and below 1"),
        ({"timers": pb.TimerSettings(turn=0.001)}, "the turn timer is 0.001 s"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"seed": b"short"}, "a tournament's seed is 32 bytes"),
        ({"name": "two\nlines"}, "is no tournament name"),
        ({"bots": ["abe", "abe"]}, "are the same code"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    served: Served, bots: None, changes: dict[str, Any], told: str
) -> None:
    """And nothing is set up."""
    wanted = pb.CreateTournamentRequest(**{"name": "cup", "game": "claims", **changes})
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await served["olga"].tournaments.CreateTournament(wanted)
    assert told in (error.value.details() or "")
    assert reason_of(error.value) == ("WRONG_STATE" if "--trusted" in told else "INVALID")
    listed = await served["ada"].tournaments.ListTournaments(pb.ListTournamentsRequest())
    assert not listed.tournaments


async def test_settings_arrive_as_they_were_sent(served: Served, bots: None) -> None:
    """Whole numbers as such, defaults where nothing is said, a name only once."""
    wanted = pb.CreateTournamentRequest(
        name="cup", game="claims", max_faults=0, timers=pb.TimerSettings(turn=2.5), private=True
    )
    wanted.options.update({"target": 150})
    cup = (await served["olga"].tournaments.CreateTournament(wanted)).tournament
    assert cup.options["target"] == 150
    assert served.store.tournament("cup").options["target"] == 150
    assert cup.max_faults == 0
    assert (cup.timers.turn, cup.timers.ready) == (2.5, 60)
    assert (cup.table_size, cup.blocks, cup.until_clear) == (2, 0, 0)
    assert (cup.isolation, cup.ponder, cup.private) == ("match", "freeze", True)
    with refused(pb.REASON_NAME_TAKEN):
        await create(served["otto"])


async def test_the_same_request_again_changes_nothing(
    served: Served, store: Store, bots: None
) -> None:
    """Even when what it needed is no more, and whichever change it was."""
    for _ in range(2):
        cup = await create(served["olga"], request_id="c")
    assert cup.entry_open
    for _ in range(2):
        await enter(served["ana"], "bea", request_id="e")
        store.roster.retire("bea")
    await enter(served["bo"], "cid")
    first = await draw(served["olga"], request_id="d")
    assert await draw(served["olga"], request_id="d") == first
    with refused(pb.REASON_WRONG_STATE) as told:
        await draw(served["olga"], request_id="d2")
    assert "entry is over" in str(told)
    with refused(pb.REASON_REQUEST_ID_REUSED):
        await enter(served["ana"], "abe", request_id="e")
    for _ in range(2):
        asked = pb.CancelTournamentRequest(request_id="x", tournament="cup")
        told_cup = (await served["olga"].tournaments.CancelTournament(asked)).tournament
    assert told_cup.progress.state == pb.TOURNAMENT_STATE_CANCELLED
    assert told_cup.seed == SEED.hex()
    assert ("cancelled", "cup") in served.conductor.told


async def test_fifty_enter_at_once(served: Served, store: Store) -> None:
    """Each is in it once, however often it was sent."""
    names = [f"bot{number:02}" for number in range(50)]
    for name in names:
        store.add_version(new_version(name, author="ana"), b"")
    await create(served["olga"])
    calls = [enter(served["ana"], name, request_id=name) for name in names for _ in range(2)]
    await asyncio.gather(*calls)
    assert sorted(e.version.bot for e in store.tournament("cup").entries) == names


async def withdraw(caller: Caller, bot: str, **more: Any) -> pb.Tournament:
    asked = pb.WithdrawEntryRequest(tournament="cup", bot=bot, **more)
    return (await caller.tournaments.WithdrawEntry(asked)).tournament


async def test_withdrawal_is_shown_and_counted(served: Served, store: Store, bots: None) -> None:
    """The conductor hears of it; there must be a reason."""
    await create(served["olga"], bots=["abe", "bea", "cid"], blocks=3)
    with refused(pb.REASON_INVALID):
        await withdraw(served["olga"], "abe")
    told = await withdraw(served["olga"], "abe", why="it cheats", annul=True)
    assert told.progress.annulled == 4
    (entry,) = [entry for entry in told.entries if entry.HasField("withdrawn")]
    assert (entry.version.bot, entry.withdrawn_why, entry.annulled) == ("abe", "it cheats", True)
    assert served.conductor.told[-1] == ("changed", "cup")
    annulled = await served[SPECTATOR].tournaments.ListMatches(
        pb.ListMatchesRequest(tournament="cup", status=pb.MATCH_STATUS_ANNULLED)
    )
    assert len(annulled.matches) == 4


def played(store: Store, name: str = "cup", **changes: Any) -> Tournament:
    """A tournament of which all but the last match are done."""
    cup = make_tournament(store, name, organiser="olga", **changes)
    for match in store.matches(cup.id)[:-1]:
        store.record_result(cup.id, new_result(match), replay_of(match))
    return cup


async def test_matches_come_in_pages_with_what_came_of_them(served: Served, store: Store) -> None:
    """A replay is said to be released when its block has ended."""
    cup = played(store, blocks=4)
    found: list[pb.Match] = []
    token = ""
    while True:
        page = await served[SPECTATOR].tournaments.ListMatches(
            pb.ListMatchesRequest(tournament="cup", page_size=3, page_token=token)
        )
        found += page.matches
        token = page.next_page_token
        if not token:
            break
    assert [match.id for match in found] == [match.id for match in store.matches(cup.id)]
    assert [match.released for match in found] == [True] * 6 + [False] * 2
    assert [match.HasField("result") for match in found] == [True] * 7 + [False]
    assert found[0].result.digest == store.result(cup.id, found[0].id).replay_digest
    done = await served[SPECTATOR].tournaments.ListMatches(
        pb.ListMatchesRequest(tournament="cup", status=pb.MATCH_STATUS_DONE)
    )
    assert list(done.matches) == found[:7]
    for bad in ({"page_token": "x"}, {"status": 77}):
        with refused(pb.REASON_INVALID):
            await served[SPECTATOR].tournaments.ListMatches(
                pb.ListMatchesRequest(tournament="cup", **bad)
            )
    with refused(pb.REASON_TOO_LARGE):
        await served[SPECTATOR].tournaments.ListMatches(
            pb.ListMatchesRequest(tournament="cup", page_size=501)
        )


async def test_tournaments_come_newest_first_without_what_is_private(
    served: Served, store: Store, bots: None
) -> None:
    """Whoever may see it finds it in the list, too."""
    await create(served["olga"], "one")
    await create(served["olga"], "two", private=True, bots=["abe", "cid"])
    await create(served["otto"], "three")

    async def names(who: str) -> list[str]:
        found: list[str] = []
        token = ""
        while True:
            page = await served[who].tournaments.ListTournaments(
                pb.ListTournamentsRequest(page_size=1, page_token=token)
            )
            found += [told.name for told in page.tournaments]
            assert all(not told.entries for told in page.tournaments)
            token = page.next_page_token
            if not token:
                return found

    assert await names(SPECTATOR) == ["three", "one"]
    assert await names("otto") == ["three", "one"]
    for who in ("ana", "bo", "olga", "ada"):
        assert await names(who) == ["three", "two", "one"]
    with refused(pb.REASON_NOT_FOUND) as hidden:
        await served["otto"].tournaments.GetTournament(pb.GetTournamentRequest(name="two"))
    with refused(pb.REASON_NOT_FOUND) as missing:
        await served["otto"].tournaments.GetTournament(pb.GetTournamentRequest(name="six"))
    assert str(hidden).replace("two", "six") == str(missing)


async def test_an_export_has_the_files_that_the_command_writes(
    served: Served, store: Store, tmp_path: Path
) -> None:
    """To the byte, with released replays only, and the seed once it is over."""
    cup = played(store, blocks=4)
    for replays in (6, 8):
        data = b"".join(
            [
                piece.data
                async for piece in served[SPECTATOR].tournaments.ExportTournament(
                    pb.ExportTournamentRequest(name="cup")
                )
            ]
        )
        target = tmp_path / str(replays)
        export(store, "cup", target)
        written = {
            str(file.relative_to(target)): file.read_bytes()
            for file in target.rglob("*")
            if file.is_file()
        }
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == written
        assert sum(name.startswith("replays/") for name in written) == replays
        assert (cup.seed.hex().encode() in written["tournament.json"]) == (replays == 8)
        for match in store.pending_matches(cup.id):
            store.record_result(cup.id, new_result(match), replay_of(match))


async def test_an_export_that_nobody_waits_for_keeps_its_place(
    served: Served, bots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often one is asked for and given up, no more are written at a time than may be."""
    await create(served["olga"], blocks=1, bots=["abe", "cid"])
    at_once: list[int] = []
    writing: set[int] = set()
    go_on = threading.Event()

    def held(*_: Any) -> None:
        me = threading.get_ident()
        writing.add(me)
        at_once.append(len(writing))
        go_on.wait(60)
        writing.discard(me)

    monkeypatch.setattr("arena.server.tournaments.export.export_zip", held)
    asked = pb.ExportTournamentRequest(name="cup")
    for _ in range(5):
        call = served[SPECTATOR].tournaments.ExportTournament(asked)
        reading = asyncio.create_task(call.read())
        await asyncio.sleep(0.2)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    go_on.set()
    async for _piece in served[SPECTATOR].tournaments.ExportTournament(asked):
        pass
    assert max(at_once) <= 2


async def test_who_has_left_a_private_tournament_sees_no_more_of_it(
    served: Served, bots: None
) -> None:
    """Nor by asking again, under the same id, to leave or to enter."""
    await create(served["olga"], private=True)
    await enter(served["olga"], "abe")
    await enter(served["ana"], "bea", request_id="in")
    await enter(served["olga"], "cid")
    ana = served["ana"].tournaments
    for bot in ("abe", "bea"):
        asked = pb.LeaveTournamentRequest(request_id=bot, tournament="cup", bot=bot)
        told = (await ana.LeaveTournament(asked)).tournament
        assert (told.name, bool(told.entries)) == ("cup", bot == "abe")
    assert (await ana.LeaveTournament(asked)).tournament == told == pb.Tournament(name="cup")
    assert await enter(served["ana"], "bea", request_id="in") == told
    with refused(pb.REASON_NOT_FOUND):
        await ana.GetTournament(pb.GetTournamentRequest(name="cup"))
