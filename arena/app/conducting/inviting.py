"""Whom a person may play against, and who then sits where."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from arena.app.bots import contestants
from arena.app.bots.contestants import Contestant
from arena.app.bots.samples import SPARRING, sample_bot
from arena.app.errors import WrongCall
from arena.app.options import game_of
from arena.store import BotVersion, Store


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot that a person may choose; `id` names it in a wish."""

    id: str
    bot: str
    version: str
    #: Whose it is; empty: a sample bot.
    author: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play.

    `opponents` are their ids, as they sit clockwise from the person's left. No `seat`: by chance.
    """

    game: str
    opponents: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seat: int | None = None


def opponents(
    store: Store,
    game: str,
    author: str,
    *,
    ranked: bool,
    among: Collection[str] | None = None,
) -> list[Opponent]:
    """The bots that somebody may play a game against: sample bots, own ones, all `ranked` others.

    Of these only those that are `among` some names, where such are given. Blocks. Raises WrongCall
    if there is no such game.
    """
    game_of(game)
    samples = [one for one in map(_sample, SPARRING) if one and game in _games(one)]
    own, others = store.roster.own(author), store.roster.ranked(game, among) if ranked else []
    foreign = [version for version in others if version.author != author]
    return [
        *(Opponent(f"sample/{one.name}", one.name, one.version) for one in samples),
        *(_opponent(each, author) for each in (*own, *foreign) if game in each.games),
    ]


def seats(wish: Wish, known: Sequence[Opponent]) -> list[str | None]:
    """Who sits where: by seat the id of one of those who are known, None for the person.

    Raises WrongCall and OptionError for a wish that can't be.
    """
    rules = game_of(wish.game)
    rules.options(wish.options)
    size = len(wish.opponents) + 1
    if size not in rules.seats:
        raise WrongCall(
            f"{rules.name} is played by {rules.seats[0]} to {rules.seats[-1]}: choose "
            f"{rules.seats[0] - 1} to {rules.seats[-1] - 1} bots"
        )
    own = secrets.randbelow(size) if wish.seat is None else wish.seat
    if own not in range(size):
        raise WrongCall(f"there is no seat {own}: they are 0 to {size - 1}")
    ids = {one.id for one in known}
    seated: list[str | None] = [None] * size
    for step, chosen in enumerate(wish.opponents, start=1):
        if chosen not in ids:
            raise WrongCall(f"{chosen[:80]!a} is no bot that you can play against")
        seated[(own + step) % size] = chosen
    return seated


def find(store: Store, chosen: str) -> Contestant:
    """The bot of an opponent's id. Blocks. Raises NotFound."""
    kind, _, name = chosen.rpartition("/")
    if kind and (sample := _sample(name)) is not None:
        return sample
    return contestants.stored(store, store.find_version(chosen))


@cache
def _sample(name: str) -> Contestant | None:
    """Read a sample bot, if it is installed; once, since to check it takes a moment."""
    path = sample_bot(name)
    return None if path is None else contestants.from_path(path)


def _games(bot: Contestant) -> Sequence[str]:
    return bot.submission.manifest.games


def _opponent(version: BotVersion, author: str) -> Opponent:
    return Opponent(
        id=f"{version.bot}:{version.number}",
        bot=version.bot,
        version=str(version.number),
        author=version.author,
        own=version.author == author,
    )
