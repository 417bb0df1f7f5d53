"""Who is shown a replay and when; its data and its file."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from arena.match import replay
from arena.match.replay import Line
from arena.store import Store, Tournament
from arena.store.testing import make_tournament, new_result
from arena.web import make_pages
from tests.golden.playthroughs import cases
from tests.unit.web.asking import Answer, Browser
from tests.unit.web.conftest import Patience
from tests.unit.web.viewer.playing import whole


def _lines(game: str = "claims") -> list[Line]:
    lines = whole(next(cases(game, 3)))
    return [*lines[:-1], {**lines[-1], "out": [None] * 3}]


def _played(store: Store, name: str, *, matches: int = 3, lines: list[Line] | None = None) -> str:
    """Where the first match's replay is, once so many of its block's matches were played."""
    lines = lines or _lines()
    tournament: Tournament = make_tournament(
        store, name, game=lines[0]["game"], size=3, blocks=1, private=name.startswith("private")
    )
    for match in store.matches(tournament.id)[:matches]:
        result = replace(new_result(match), replay_digest=replay.digest(lines))
        store.record_result(tournament.id, result, replay.pack(lines))
    return f"/tournaments/{name}/matches/m0-0/replay"


@pytest.fixture
def browser(store: Store) -> Browser:
    """A spectator's."""
    return Browser(make_pages(store, wrong_tokens=Patience()))


def _all(browser: Browser, at: str) -> list[Answer]:
    return [browser.get(at + what) for what in ("", "/steps.json", "/file")]


def test_a_replay_waits_until_nobody_will_meet_its_deals(store: Store, browser: Browser) -> None:
    """Page, data and file are refused with the reason, and hold no card of it."""
    waiting = _all(browser, _played(store, "cup", matches=2))
    assert [answer.status for answer in waiting] == [409] * 3
    assert all(
        answer.sees("can be seen once all matches on the same deals have been played")
        for answer in waiting
    )
    assert [answer.status for answer in _all(browser, _played(store, "cup2"))] == [200] * 3


def test_a_private_tournaments_replay_is_not_there_for_others(
    store: Store, browser: Browser
) -> None:
    """With the same answer as one that is not there, also for the match in play."""
    at = _played(store, "private-cup")
    hidden, absent = _all(browser, at), _all(browser, at.replace("private-cup", "nothing"))
    hidden.append(browser.get(at.replace("/replay", "/live")))
    hidden.append(browser.get(at.replace("/replay", "/live/events")))
    assert {answer.status for answer in (*hidden, *absent)} == {404}
    assert {answer.sees("There is no such page") for answer in (*hidden, *absent)} == {True}


def test_the_data_is_packed_for_who_unpacks_it(store: Store, browser: Browser) -> None:
    """And is the same for others."""
    at = _played(store, "cup") + "/steps.json"
    packed = browser.get(at, **{"accept-encoding": "gzip"})
    plain = browser.get(at)
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert json.loads(gzip.decompress(packed.body)) == plain.json()
    assert len(plain.json()["steps"]) == len(_lines()) - 1


def test_the_file_is_the_replay_as_it_was_kept(store: Store, browser: Browser) -> None:
    """Under the name that the commands give it."""
    given = browser.get(_played(store, "cup") + "/file")
    assert list(replay.unpack(given.body)) == _lines()
    assert given.headers["content-disposition"] == 'attachment; filename="m0-0.jsonl.zst"'


def test_the_page_says_whether_the_replay_holds(store: Store, browser: Browser) -> None:
    """A changed card is found, with its line."""
    # The golden default moves carry a made-up fault; these have none.
    lines = _lines()
    assert browser.get(_played(store, "cup", lines=lines)).sees("every line of this replay holds")
    at = next(at for at, line in enumerate(lines) if line["type"] == "turn")
    other = "As" if lines[at]["drawn"] != "As" else "Ks"
    wrong = [*lines[:at], {**lines[at], "drawn": other}, *lines[at + 1 :]]
    shown = browser.get(_played(store, "cup2", lines=wrong))
    assert shown.sees(f"Line {at + 1} of this replay does not hold")


def test_only_claim_speaks_romanian(store: Store, browser: Browser) -> None:
    """Another language that is asked for is not spoken."""
    claim = _played(store, "one", lines=_lines("claim"))
    claims = _played(store, "two")
    assert browser.get(f"{claim}?lang=ro").sees("Toate turele")
    assert browser.get(claim).sees("All turns")
    assert browser.get(f"{claim}?lang=de").sees("All turns")
    assert browser.get(f"{claims}?lang=ro").sees("All turns")


def test_a_match_that_is_not_in_play_leads_on(store: Store, browser: Browser) -> None:
    """To its replay if there is one to be seen, else to what is known of it."""
    at = _played(store, "cup").removesuffix("/replay")
    answer = browser.get(f"{at}/live")
    assert (answer.status, answer.to) == (303, f"{at}/replay")
    early = _played(store, "cup2", matches=1).removesuffix("/replay")
    answer = browser.get(f"{early}/live")
    assert (answer.status, answer.to) == (303, early)


def test_a_match_in_no_tournament_is_nowhere(store: Store, browser: Browser) -> None:
    """A made-up id is answered as any page that is not there."""
    at = _played(store, "cup").replace("m0-0", "m9-9")
    assert {answer.status for answer in _all(browser, at)} == {404}
    assert browser.get(at.replace("/replay", "/live")).status == 404
