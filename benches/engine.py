"""How fast the rules are, by themselves and beside those of other libraries."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from arena.games import GAMES
from benches._harness import Table, by_turns, rows
from benches._peers import PEERS, PeerMissing, Playouts, playing, python_of

_ROUNDS = 15
#: At how many players our games stand beside others'.
_PLAYERS = 4


def bench() -> Iterator[Table]:
    """One table a game, then one with the peers; every side plays in a process of its own."""
    for game in GAMES.values():
        with ExitStack() as stack:
            tables = sorted({game.seats[0], _PLAYERS, game.seats[-1]})
            sides = {f"{players} players": _ours(stack, game.id, players) for players in tables}
            yield _measured(f"engine: {game.name}, random legal moves", sides)
    yield beside_peers()


def beside_peers() -> Table:
    """Our games and the peers' in one run; a peer that can't be had is named below."""
    missing = []
    with ExitStack() as stack:
        sides = {
            f"{game.name}, {_PLAYERS} players": _ours(stack, game.id, _PLAYERS)
            for game in GAMES.values()
        }
        for peer in PEERS:
            try:
                side = stack.enter_context(
                    playing(python_of(peer), peer.library, peer.game, peer.players)
                )
            except PeerMissing as why:
                missing.append(f"without {why}")
            else:
                name = f"{peer.library} {side.version}: {peer.game}, {peer.players} players"
                sides[name] = side
        return _measured("engine: beside other libraries", sides, "; ".join(missing))


def _ours(stack: ExitStack, game_id: str, players: int) -> Playouts:
    return stack.enter_context(playing(Path(sys.executable), "claim-arena", game_id, players))


def _measured(title: str, sides: Mapping[str, Playouts], note: str = "") -> Table:
    found = []
    for row in rows(by_turns(sides, _ROUNDS)):
        more = {"moves a second": 1e6 / row.median, "moves a match": sides[row.name].moves}
        found.append(replace(row, more=more))
    return Table(title, "us of CPU a move", found, note)
