"""What a person wants to play: from a form, and from a match that was played."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from arena.app.conducting.inviting import Opponent, Wish
from arena.app.errors import WrongCall
from arena.games import GAMES, Game
from arena.store import PersonMatch, SeatedBot
from arena.web.failures import NOWHERE, Refused
from arena.web.visits import Visit

OPTIONS: Final[Mapping[str, Sequence[str]]] = {
    "claims": ("target", "max_rounds"),
    "claim": ("target", "claim_laps", "max_rounds"),
    "claro": (),
}
"""By game, the options that the form asks for."""

_WHOLE: Final = re.compile("-?[0-9]{1,18}")
"""What may be too much or too little is refused by whoever knows the bounds, and names them."""


def game_of(asked: str) -> Game:
    """The game that a form or an address names, by default the first one. Raises Refused."""
    if not asked:
        return next(iter(GAMES.values()))
    if asked not in GAMES:
        raise Refused(404, NOWHERE)
    return GAMES[asked]


def filled(visit: Visit) -> Wish:
    """What was filled in. Raises Refused and WrongCall."""
    game = game_of(visit.filled("game"))
    seat = visit.filled("seat")
    return Wish(
        game=game.id,
        opponents=tuple(chosen for chosen in _chosen(visit, game) if chosen),
        options={name: _whole(visit, name) for name in OPTIONS[game.id] if visit.filled(name)},
        seat=_whole(visit, "seat") if seat else None,
    )


def _chosen(visit: Visit, game: Game) -> Iterable[str]:
    return (visit.filled(f"opponent{place}") for place in range(1, game.seats[-1]))


def _whole(visit: Visit, name: str) -> int:
    text = visit.filled(name)
    if not _WHOLE.fullmatch(text):
        raise WrongCall(f"{name.replace('_', ' ')} is a whole number, not {text[:20]!a}")
    return int(text)


def others(match: PersonMatch) -> list[SeatedBot]:
    """The bots of a match, clockwise from the person's left."""
    seats = (*match.bots[match.seat + 1 :], *match.bots[: match.seat])
    return [bot for bot in seats if bot is not None]


def again(match: PersonMatch, opponents: Sequence[Opponent]) -> list[tuple[str, Any]]:
    """The fields of a form that asks for a match like this one, as far as its bots are there."""
    known = {(each.bot, each.version): each.id for each in opponents}
    fields: list[tuple[str, Any]] = [("game", match.game)]
    for place, bot in enumerate(others(match), start=1):
        fields.append((f"opponent{place}", known.get((bot.bot, bot.version), "")))
    options = OPTIONS[match.game]
    return fields + [(name, match.options[name]) for name in options if name in match.options]
