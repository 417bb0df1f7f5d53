"""The replay of a match that a person played."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.app.conducting.inviting import Wish
from arena.match import replay
from arena.store import PersonMatch
from tests.golden.playthroughs import cases
from tests.unit.web.asking import Browser
from tests.unit.web.playing.house import House
from tests.unit.web.viewer.playing import whole


def packed(game: str, seats: int, person: int) -> bytes:
    """A replay in which one seat is a person's."""
    header, *lines = whole(next(cases(game, seats)))
    header["seats"][person] = {"bot": "person", "version": "", "digest": "", "person": True}
    lines[-1]["out"] = [None] * seats
    return replay.pack([header, *lines])


@pytest.fixture
def played(house: House) -> Callable[[str], PersonMatch]:
    """A match of ana's that is over, in seat 1."""

    def end(game: str) -> PersonMatch:
        table = house.seat(Wish(game, ("sample/greedy",) * 2, {}, 1), "ana")
        return house.end(table, packed(game, 3, 1))

    return end


@pytest.mark.parametrize("game", ["claims", "claim", "claro"])
def test_a_match_is_shown_with_its_person_by_name(
    ana: Browser, played: Callable[[str], PersonMatch], game: str
) -> None:
    """In the viewer, in what its script reads, and nowhere a tournament."""
    match = played(game)
    answer = ana.get(f"/play/{match.id}/replay")
    assert answer.status == 200
    assert answer.sees("bot0, ana, bot2")
    assert 'href="/tournaments/' not in answer.text
    steps = ana.get(f"/play/{match.id}/replay/steps.json").json()
    assert steps["players"] == ["bot0", "ana", "bot2"]


def test_a_person_has_no_version(ana: Browser, played: Callable[[str], PersonMatch]) -> None:
    """So none is said, nor begun to be said."""
    answer = ana.get(f"/play/{played('claims').id}/replay")
    assert "seat 1</span>" in answer.text
    assert "seat 0, v" in answer.text


def test_its_file_is_the_replay_and_names_nobody(
    ana: Browser, played: Callable[[str], PersonMatch]
) -> None:
    """Byte by byte what is kept."""
    match = played("claims")
    answer = ana.get(f"/play/{match.id}/replay/file")
    assert answer.body == packed("claims", 3, 1)
    assert "attachment" in answer.headers["content-disposition"]
    assert "ana" not in [seat["bot"] for seat in next(replay.unpack(answer.body))["seats"]]


def test_romanian_is_spoken_for_claim(ana: Browser, played: Callable[[str], PersonMatch]) -> None:
    """As in every viewer."""
    match = played("claim")
    assert '<html lang="ro">' in ana.get(f"/play/{match.id}/replay?lang=ro").text


def test_a_replay_is_for_its_person_and_admins(
    played: Callable[[str], PersonMatch], signed_in: Callable[[str], Browser], browser: Browser
) -> None:
    """Others find nothing there."""
    match = played("claims")
    for what in ("", "/steps.json", "/file"):
        at = f"/play/{match.id}/replay{what}"
        assert signed_in("root").get(at).status == 200
        assert signed_in("bob").get(at).status == 404
        assert browser.get(at).to.startswith("/sign-in")


def test_a_match_without_a_replay_says_so(ana: Browser, house: House) -> None:
    """It was cut off, or is being played."""
    table = house.seat(Wish("claims", ("sample/greedy",)), "ana")
    at = f"/play/{table.match.id}/replay"
    assert ana.get(at).sees("There is no replay of this match.")
    house.interrupt(table, "The sky fell.")
    assert ana.get(at).status == 404
