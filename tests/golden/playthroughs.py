"""Golden playthroughs: matches written down move by move, so that a change of the rules shows.

    python -m tests.golden.playthroughs            what differs from the files, as a diff
    python -m tests.golden.playthroughs --write    write the files anew

Every game of the registry is covered, at each number of players, with each of ``PLAYS``.  A diff
that you cannot explain by a ruling is a bug.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from arena.games import GAMES, Phase, State
from arenabot.anygame import AnyAction
from arenabot.claro.cards import deck_contents
from tests.golden.notation import LEGENDS, Scribe

FOLDER = Path(__file__).parent

Policy: TypeAlias = Callable[[State, int, random.Random], AnyAction]


def _any_of(actions: Sequence[AnyAction], rng: random.Random) -> AnyAction:
    # Of Python's generator only random() is promised to stay the same.
    return actions[int(rng.random() * len(actions))]


def _random(state: State, seat: int, rng: random.Random) -> AnyAction:
    return _any_of(state.legal_actions(seat), rng)


def _patient(state: State, seat: int, rng: random.Random) -> AnyAction:
    return _any_of([act for act in state.legal_actions(seat) if str(act) != "claim"], rng)


def _last(state: State, seat: int, rng: random.Random) -> AnyAction:
    return state.legal_actions(seat)[-1]


def _default(state: State, seat: int, rng: random.Random) -> AnyAction:
    return state.default_action(seat)


#: ``last`` takes the last legal action: a claim wherever one is open, else the pile's card.
POLICIES: dict[str, Policy] = {
    "random": _random,
    "patient": _patient,
    "last": _last,
    "default": _default,
}

#: Who plays, and with which options, as far as a game knows them.  Whole matches are few, since
#: a file should stay one that a person looks through.
PLAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("last", {}),
    ("random", {"target": 150}),
    ("random", {"claim_laps": 0, "max_rounds": 4}),
    ("random", {"claim_laps": 4, "max_rounds": 2}),
    ("random", {"max_laps": 5, "max_rounds": 3}),
    ("patient", {"stall_laps": 1, "max_rounds": 3}),
    ("patient", {"max_rounds": 1}),
    ("default", {"max_rounds": 1}),
    ("last", {"target": 150, "max_rounds": 2}),
)
#: The same where the cards of a deck can be chosen, by a name from ``DECKS``.
DECK_PLAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("random", {"deck": "mirrored"}),
    ("last", {"deck": "mirrored"}),
)
#: Matches of each, on seeds of their own, so that every game has a hundred and more.
REPEATS = {"claims": 2, "claim": 2, "claro": 5}


def _mirrored() -> Any:
    """The standard deck, in which each number shows the stars of the one as far from the end."""
    deck = deck_contents()
    stars = {card["number"]: card["stars"] for card in deck["cards"]}
    for card in deck["cards"]:
        if card["number"] is not None:
            card["stars"] = stars[51 - card["number"]]
    return {**deck, "name": "mirrored"}


DECKS = {"mirrored": _mirrored}


class Case(NamedTuple):
    """One playthrough."""

    game: str
    seats: int
    options: dict[str, Any]
    policy: str
    #: The match seed is this number as 32 bytes, the most significant first.
    seed: int

    def __str__(self) -> str:
        options = "".join(f", {name} {value}" for name, value in self.options.items())
        return f"{self.game}, {self.seats} seats, {self.policy}, seed {self.seed}{options}"


def cases(game: str, seats: int) -> Iterator[Case]:
    """All playthroughs of a game at one number of players."""
    known = GAMES[game].options().as_dict()
    plays = [
        (policy, {name: value for name, value in options.items() if name in known})
        for policy, options in PLAYS
    ]
    if "deck" in known:
        plays += DECK_PLAYS
    for number, (policy, options) in enumerate(plays):
        if plays.index((policy, options)) == number:
            for repeat in range(REPEATS[game]):
                seed = 1000 * (repeat // 2) + 100 * seats + 2 * number + repeat % 2
                yield Case(game, seats, options, policy, seed)


def playthrough(case: Case) -> str:
    """Play a case and write it down."""
    game = GAMES[case.game]
    given = dict(case.options)
    if "deck" in given:
        given["deck"] = DECKS[given["deck"]]()
    state = game.new_match(
        seats=case.seats, seed=case.seed.to_bytes(32, "big"), options=game.options(given)
    )
    rng = random.Random(case.seed)
    choose = POLICIES[case.policy]
    scribe = Scribe(case.seats)
    scribe.write(state.events)
    while state.phase is not Phase.OVER:
        told = len(state.events)
        if state.phase is Phase.ROUND_OVER:
            state.next_round()
            told = 0
        else:
            seat = state.to_act[0]
            state.apply(choose(state, seat, rng), seat, default=choose is _default)
        scribe.write(state.events[told:])
    return f"== {case}\n{scribe.end(state.result())}"


def page(game: str, seats: int) -> str:
    """What the golden file of a game at one number of players should hold."""
    return "\n".join([LEGENDS[game], *map(playthrough, cases(game, seats))])


def files() -> dict[Path, str]:
    """What each golden file should hold."""
    return {
        FOLDER / f"{game.id}-{seats}.txt": page(game.id, seats)
        for game in GAMES.values()
        for seats in game.seats
    }


def differences(path: Path, fresh: str) -> list[str]:
    """The lines of a diff from a golden file to what is played now; none where they agree."""
    kept = path.read_text("utf-8") if path.exists() else ""
    return list(
        difflib.unified_diff(
            kept.splitlines(),
            fresh.splitlines(),
            f"{path.name} (kept)",
            "(played now)",
            lineterm="",
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what differs, or write it; 1 if anything differed and was not written."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the files anew")
    write = parser.parse_args(arguments).write
    fresh = files()
    stale = [path for path in FOLDER.glob("*.txt") if path not in fresh]
    changed = {path: diff for path, text in fresh.items() if (diff := differences(path, text))}
    for diff in changed.values():
        print(*diff, sep="\n")
    for path in stale:
        print(f"{path.name} belongs to no game")
    if write:
        for path in changed:
            path.write_text(fresh[path], "utf-8")
        for path in stale:
            path.unlink()
    count = len(changed) + len(stale)
    print(f"{count} of {len(fresh)} files {'written' if write else 'differ'}", file=sys.stderr)
    return 0 if write or not count else 1


if __name__ == "__main__":
    raise SystemExit(main())
