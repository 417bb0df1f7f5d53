"""For your bot's own tests: positions written as text, one turn or a whole match, no network.

>>> from arenabot import CLAIM, ClaimsBot, burn
>>> class Heaviest(ClaimsBot):
...     def turn(self, seen):
...         if seen.can_claim:
...             return CLAIM
...         return burn(max(seen.hand, key=seen.points_of))
>>> print(play_turn(Heaviest, observation("Ks 9h 7s", zero="7d", takeable="Qc")))
burn Ks, draw from the deck
>>> print(play_turn(Heaviest, observation("4s 5h 7s", zero="7d")))
claim

A move that the arena would not accept fails your test with a ``BadMove`` that says what is legal:

>>> class Dreamer(ClaimsBot):
...     def turn(self, seen):
...         return burn("As Ah")
>>> play_turn(Dreamer, observation("4s Kh", zero="7d"))
Traceback (most recent call last):
...
arenabot.testing.BadMove: Dreamer.turn returned an illegal move: burn As Ah, draw from the deck
  with hand 4s Kh, zero card 7d, no pile card to take
  legal: burn 4s, draw from the deck | burn Kh, draw from the deck
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, Protocol

from arenabot.actions import Burn, Claim
from arenabot.anygame import AnyAction, AnyEvent, AnyObservation
from arenabot.bots import Bot, MatchInfo
from arenabot.cards import Card, cards, points
from arenabot.claro import (
    ClaroCard,
    ClaroObservation,
    ClaroOptions,
    Discard,
    Play,
    claro_cards,
)
from arenabot.driver import Driver, brief
from arenabot.events import Reshuffle, Result, Turn
from arenabot.observation import Observation
from arenabot.options import ClaimOptions, ClaimsOptions, Options

__all__ = ["BadMove", "claro_observation", "observation", "play_match", "play_turn"]

#: A claim in Claims needs this many points or less (Claims 6).
CLAIM_LIMIT: Final = 10
_DEALT: Final = {ClaimsOptions: 5, ClaimOptions: 4}
_GAME_OF: Final = {ClaimsOptions: "claims", ClaimOptions: "claim", ClaroOptions: "claro"}
# Of a long list of legal moves, so many are shown.
_SHOWN: Final = 12


class BadMove(AssertionError):
    """A bot returned what the arena would not accept; the text says what, and what is legal."""


# --- positions


def observation(
    hand: str | Iterable[Card],
    *,
    zero: str | Card,
    takeable: str | Card | None = None,
    seat: int = 0,
    seats: int = 2,
    turn: int | None = None,
    round: int = 1,  # noqa: A002 - the field's name
    totals: Sequence[int] | None = None,
    hand_sizes: Sequence[int] | None = None,
    deck_size: int | None = None,
    history: Sequence[Turn | Reshuffle] | None = None,
    options: ClaimsOptions | ClaimOptions | None = None,
) -> Observation[Any]:
    """What a seat would see in Claims (with ``ClaimOptions``: in Claim!), from a few words.

    Cards are texts: ``observation("Ks Kh 9s", zero="7d", takeable="Qc")``.  Without ``turn`` it
    is the seat's second turn of the round, so that a claim is open if the hand allows one;
    ``turn=1`` is the round's first.  ``takeable`` is what the previous player burned last; give
    ``history`` instead to say all that happened, turn by turn.  Everybody has 0 points and a full
    hand, and all draws so far came from the deck, unless you say otherwise.

    Raises ``ValueError`` for what cannot be at a table.
    """
    options = options or ClaimsOptions()
    held = cards(hand) if isinstance(hand, str) else tuple(hand)
    zero_card = Card(zero)
    pile_card = Card(takeable) if takeable is not None else None
    _check_seat(seat, seats, totals, hand_sizes)
    _check_cards(held, [zero_card] if pile_card is None else [zero_card, pile_card])
    if turn is None:
        turn = len([e for e in history if isinstance(e, Turn)]) + 1 if history else seats + seat + 1
    if history is None:
        history = _burned_before(seat, seats, pile_card)
    elif pile_card is not None:
        raise ValueError("give takeable or history, not both: the one follows from the other")
    else:
        pile_card = _left_to_take(history, options)
    if turn == 1 and pile_card is not None:
        raise ValueError("nothing can be taken from the pile on the first turn of a round")
    dealt = _DEALT[type(options)]
    return Observation(
        options=options,
        seat=seat,
        seats=seats,
        round=round,
        turn=turn,
        starter=(seat - turn + 1) % seats,
        zero=zero_card,
        hand=tuple(sorted(held)),
        takeable=pile_card,
        can_claim=_can_claim(options, held, zero_card, turn > _laps(options) * seats),
        deck_size=max(1, 51 - dealt * seats - turn + 1) if deck_size is None else deck_size,
        hand_sizes=_sizes(hand_sizes, dealt, seat, seats, len(held)),
        totals=tuple(totals or (0,) * seats),
        reshuffles=len([event for event in history if isinstance(event, Reshuffle)]),
        history=tuple(history),
    )


def claro_observation(
    hand: str | Iterable[ClaroCard],
    *,
    played: str | Iterable[ClaroCard] = (),
    discarding: bool = False,
    seat: int = 0,
    seats: int = 3,
    round: int = 1,  # noqa: A002 - the field's name
    stars: Sequence[int] | None = None,
    hand_sizes: Sequence[int] | None = None,
    passed: Iterable[int] = (),
    discard_pile: str | Iterable[ClaroCard] = (),
    options: ClaroOptions | None = None,
) -> ClaroObservation:
    """What a seat would see in Claro: ``claro_observation("12 20 31 J1", played="11 28")``.

    The last card ``played`` is the top; with none the seat leads.  ``passed`` names the seats
    that passed.  ``discarding`` asks for discards instead.  History is empty.  Raises
    ``ValueError`` for what cannot be at a table.
    """
    held, table, thrown = map(_claro_hand, (hand, played, discard_pile))
    _check_seat(seat, seats, stars, hand_sizes)
    _check_cards(held, [*table, *thrown])
    out = set(passed)
    sizes = _sizes(hand_sizes, 5, seat, seats, len(held))
    turn = 0 if discarding else len(table) + len(out) + 1
    return ClaroObservation(
        options=options or ClaroOptions(),
        seat=seat,
        seats=seats,
        round=round,
        turn=turn,
        starter=(seat - turn + 1) % seats,
        discarding=discarding,
        hand=tuple(sorted(held)),
        played=table,
        discard_pile=thrown,
        draw_size=55 - sum(sizes) - len(table) - len(thrown),
        hand_sizes=sizes,
        passed=tuple(other in out for other in range(seats)),
        stars=tuple(stars or (0,) * seats),
        history=(),
    )


def _claro_hand(given: str | Iterable[ClaroCard]) -> tuple[ClaroCard, ...]:
    return claro_cards(given) if isinstance(given, str) else tuple(given)


def _check_seat(seat: int, seats: int, *by_seat: Sequence[int] | None) -> None:
    if not 0 <= seat < seats:
        raise ValueError(f"seat is {seat}, but with {seats} seats they are 0 to {seats - 1}")
    for numbers in by_seat:
        if numbers is not None and len(numbers) != seats:
            raise ValueError(f"{len(numbers)} numbers were given for {seats} seats: {numbers}")


def _check_cards(held: Sequence[int], others: Sequence[int]) -> None:
    if not held:
        raise ValueError("a hand to play from has at least one card")
    twice = [str(card) for card, count in Counter([*held, *others]).items() if count > 1]
    if twice:
        raise ValueError(f"there is only one of each card, but named twice: {' '.join(twice)}")


def _burned_before(seat: int, seats: int, pile_card: Card | None) -> tuple[Turn, ...]:
    """The previous player's turn, where it left a card to take."""
    if pile_card is None:
        return ()
    return (Turn((seat - 1) % seats, Burn((pile_card,)), None, default=False),)


def _left_to_take(history: Sequence[Turn | Reshuffle], options: Options) -> Card | None:
    """The top of the last burn; in Claim! a reshuffle takes it along (Claim! 3)."""
    if history and isinstance(history[-1], Reshuffle):
        if isinstance(options, ClaimOptions):
            return None
        history = history[:-1]
    before = history[-1] if history else None
    if isinstance(before, Turn) and isinstance(before.action, Burn):
        return before.action.cards[-1]
    return None


def _laps(options: ClaimsOptions | ClaimOptions) -> int:
    """How many turns of one's own come before the first that may be a claim."""
    return options.claim_laps if isinstance(options, ClaimOptions) else 1


def _can_claim(options: Options, held: Sequence[Card], zero: Card, laps_done: bool) -> bool:
    low = isinstance(options, ClaimOptions) or points(held, zero) <= CLAIM_LIMIT
    return laps_done and low


def _sizes(
    given: Sequence[int] | None, full: int, seat: int, seats: int, own: int
) -> tuple[int, ...]:
    if given is None:
        return tuple(own if other == seat else full for other in range(seats))
    if given[seat] != own:
        raise ValueError(f"hand_sizes says {given[seat]} for seat {seat}, which holds {own} cards")
    return tuple(given)


# --- playing


def play_turn(bot: Bot | type[Bot], seen: AnyObservation, *, bot_seed: int = 0) -> AnyAction:
    """Ask a bot for its move in one position; return it if it is legal, else raise ``BadMove``.

    A class is started first, as at the start of a match.  An object that you started yourself
    with ``begin`` goes on from there.  What the bot itself raises comes through.
    """
    if isinstance(bot, type):
        bot = _started(bot(), seen.options, seen.seat, seen.seats, bot_seed)
    elif not hasattr(bot, "match"):
        _started(bot, seen.options, seen.seat, seen.seats, bot_seed)
    return _checked(bot, bot.turn(seen), seen)


class Match(Protocol):
    """A match in progress, as the arena's ``arena.games`` has them."""

    @property
    def seats(self) -> int: ...
    @property
    def phase(self) -> Any: ...
    @property
    def to_act(self) -> tuple[int, ...]: ...
    @property
    def events(self) -> Sequence[AnyEvent]: ...
    def observation(self, seat: int) -> AnyObservation: ...
    def apply(self, action: Any, seat: int | None = None) -> None: ...
    def next_round(self) -> None: ...
    def result(self) -> Result: ...


def play_match(match: Match, bots: Sequence[type[Bot]], *, bot_seed: int = 0) -> Result:
    """Play a whole match between bots, seat by seat, and return how it came out.

    The rules are not in this package; where the arena is installed too::

        from arena.games import game
        result = play_match(game("claims").new_match(seats=2, seed=bytes(32)), [Mine, Other])

    Raises ``BadMove`` at the first move that the arena would not accept.
    """
    if len(bots) != match.seats:
        raise ValueError(f"the match has {match.seats} seats, but {len(bots)} bots were given")
    options = match.observation(match.to_act[0]).options
    drivers = [
        Driver(bot(), _info(bot, options, seat, match.seats, bot_seed + seat))
        for seat, bot in enumerate(bots)
    ]
    told = 0
    while True:
        news, told = match.events[told:], len(match.events)
        for seat, driver in enumerate(drivers):
            driver.hear([event.seen_by(seat) for event in news])
        if match.to_act:
            seat = match.to_act[0]
            driver = drivers[seat]
            seen = match.observation(seat)
            match.apply(_checked(driver.bot, driver.bot.turn(seen), seen), seat)
        elif match.phase.value != "over":
            match.next_round()
            told = 0
        else:
            break
    result = match.result()
    for driver in drivers:
        driver.end(result)
    return result


def _started(bot: Bot, options: Options, seat: int, seats: int, bot_seed: int) -> Bot:
    bot.begin(_info(type(bot), options, seat, seats, bot_seed))
    return bot


def _info(bot: type[Bot], options: Options, seat: int, seats: int, bot_seed: int) -> MatchInfo:
    """What the bot is told at the start: the arena's usual timers."""
    game = _GAME_OF[type(options)]
    if bot.game != game:
        raise ValueError(f"{bot.__name__} plays {bot.game}, but this is {game}")
    return MatchInfo(game, options, seat, seats, bot_seed, 20.0, 60.0, 600.0)


def _checked(bot: Bot, action: object, seen: AnyObservation) -> AnyAction:
    legal = seen.legal_actions()
    name = f"{type(bot).__name__}.turn"
    if not isinstance(action, Burn | Claim | Play | Discard):
        what = f"{name} returned no action: {brief(repr(action))}"
    elif _once(action) in {_once(known) for known in legal}:
        return action
    else:
        what = f"{name} returned an illegal move: {action}"
    shown = " | ".join(map(str, legal[:_SHOWN]))
    more = f" | and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    raise BadMove(f"{what}\n  with {_position(seen)}\n  legal: {shown}{more}")


def _once(action: AnyAction) -> Hashable:
    """What makes two actions one and the same: the order of cards does not."""
    if isinstance(action, Burn):
        return Burn(tuple(sorted(action.cards)), action.draw)
    return Discard(tuple(sorted(action.cards))) if isinstance(action, Discard) else action


def _position(seen: AnyObservation) -> str:
    hand = f"hand {' '.join(map(str, seen.hand))}"
    if isinstance(seen, ClaroObservation):
        return f"{hand}, {'to discard' if seen.discarding else f'on top {seen.top}'}"
    pile = f"{seen.takeable} to take" if seen.takeable is not None else "no pile card to take"
    return f"{hand}, zero card {seen.zero}, {pile}"
