"""What a seat is told of a match in play makes the table as that seat may know it."""

from __future__ import annotations

import pytest

from arena.games import Phase
from arena.match.spectating import seen_by
from arena.web.viewer.following import follower
from tests.golden.playthroughs import cases
from tests.unit.web.viewer.playing import TABLES, moments


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_seat_knows_its_own_hand_and_of_others_how_many_cards_they_hold(
    game: str, seats: int
) -> None:
    """After each line of all golden playthroughs; what it is asked about it knows by then."""
    for number, case in enumerate(cases(game, seats)):
        seat = number % seats
        table = None
        for moment in moments(case):
            for line in moment.lines:
                if table is None:
                    table = follower(line)
                    continue
                seen = seen_by(line, seat)
                assert seen is not None
                table.follow(seen)
            assert table is not None
            now, state = table.now, moment.state
            places = state.places()
            for at, hand in enumerate(now.hands):
                there = sorted(map(str, places[f"hand {at}"]))
                known = sorted(held.card for held in hand if held.card is not None)
                assert len(hand) == len(there)
                assert set(known) <= set(there)
                if at == seat:
                    assert known == there
                elif game == "claro":
                    assert known == []
            assert now.deck == len(places["draw pile" if game == "claro" else "deck"])
            assert now.to_act == state.to_act
            if game != "claro" and state.phase is Phase.PLAYING and state.to_act == (seat,):
                assert now.claim_open is state.prompt(seat).can_claim  # type: ignore[union-attr]
