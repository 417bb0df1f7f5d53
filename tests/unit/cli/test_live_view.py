"""A match in play is drawn as a replay is, with nothing but what a spectator sees."""

from __future__ import annotations

import pytest

from arena.cli.drawing import names, scene_of
from arena.cli.live_view import LiveView
from arena.games import GAMES
from arena.match import replay
from arena.match.replay import Line
from arena.match.spectating import public
from tests.unit.match.scripted import play, setup


def drawn(lines: list[Line], capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed of these lines."""
    view = LiveView()
    for line in lines:
        view.see(line)
    assert view.ended
    return capsys.readouterr().out


@pytest.mark.parametrize("game_id", GAMES)
def test_public_lines_are_drawn_as_nobodys_view_of_the_whole_replay(
    game_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """So hands that nobody sees have the right number of cards all the time."""
    seats = GAMES[game_id].seats[1]
    wanted = setup(seats, game_id)
    if game_id != "claro":
        wanted = setup(seats, game_id, max_rounds=2)
    record = play(wanted)
    whole = list(replay.unpack(record.replay))
    shown = [line for line in map(public, whole) if line is not None]
    assert len(shown) == len(whole)
    out = drawn(shown, capsys)
    assert out == drawn(whole, capsys)
    assert "Round 1" in out
    assert "card" in out


@pytest.mark.parametrize("game_id", GAMES)
def test_a_hand_that_is_known_in_part_counts_right(game_id: str) -> None:
    """A scene never loses a card of a hand, whichever of them it has seen."""
    record = play(setup(GAMES[game_id].seats[0], game_id))
    whole = list(replay.unpack(record.replay))
    seats = names(whole[0])
    known, hidden = (scene_of(whole[0], seats, -1) for _ in range(2))
    for line in whole[1:]:
        told = public(line)
        assert told is not None
        if line["type"] == "round":
            assert known.begin(line)[1] == hidden.begin(told)[1]
        elif line["type"] != "result":
            for (_, one), (_, other) in zip(known.see(line), hidden.see(told), strict=True):
                assert one == other
