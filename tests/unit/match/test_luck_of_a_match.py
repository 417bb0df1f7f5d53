"""A match's record tells each seat's luck, as whoever reads its replay would count it."""

from __future__ import annotations

import pytest

from arena.games import Phase, game
from arena.games.luck import luck_of
from arena.match import replay
from arena.match.record import MatchRecord
from arena.match.setup import MatchSetup
from tests.unit.match.scripted import play, setup


def counted(wanted: MatchSetup, record: MatchRecord) -> list[float]:
    """Play the replay's decisions again and count."""
    seats = len(wanted.seats)
    state = game(wanted.game).new_match(seats=seats, seed=wanted.seed, options=wanted.options)
    watch, seen = luck_of(wanted.options, seats), 0
    for line in replay.unpack(record.replay):
        if line["type"] in replay.DECISION_LINES:
            if state.phase is Phase.ROUND_OVER:
                state.next_round()
                seen = 0
            state.apply(replay.read_decision(line), line["seat"])
            for event in state.events[seen:]:
                watch.see(event)
            seen = len(state.events)
    return [round(luck, 6) for luck in watch.by_seat]


@pytest.mark.parametrize(
    ("game_id", "seats"), [("claims", 2), ("claims", 7), ("claim", 4), ("claro", 3), ("claro", 6)]
)
def test_the_record_has_the_luck_of_all_rounds(game_id: str, seats: int) -> None:
    """Through several rounds, reshuffles and refills; seats differ."""
    wanted = setup(seats, game_id) if game_id == "claro" else setup(seats, game_id, max_rounds=4)
    record = play(wanted)
    assert record.rounds > 1
    found = [seat.luck for seat in record.seats]
    assert found == counted(wanted, record)
    assert len(set(found)) == seats
