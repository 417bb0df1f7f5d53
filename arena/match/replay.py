"""The replay format ``arena-replay/1``: a match told line by line, for strangers to check.

Lines are JSON objects.  What was measured lies under ``measured``, which the digest leaves out,
so that two runs of deterministic bots from one seed have equal digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import zstandard

from arena.match.faults import Fault, FaultKind
from arena.match.measured import Measured
from arena.match.replay_claro import claro_line
from arena.match.setup import MatchSetup, SeatInfo
from arenabot.actions import CLAIM, Action, Burn, Draw
from arenabot.anygame import AnyAction, AnyEvent
from arenabot.cards import Card
from arenabot.claro import ClaroCard, Discard, Discarded, Play, Played
from arenabot.events import Event, Reshuffle, Result, RoundEnded, RoundStarted, Turn

FORMAT = "arena-replay/1"
#: The version of the rules engine: a replay is verified by the engine that it names.
ENGINE = "1.0"
#: A replay is a few hundred kilobytes unpacked; more than this is no replay of ours.
MAX_BYTES = 256 * 1024 * 1024

Line: TypeAlias = dict[str, Any]

#: The events in which a seat's decision shows: their lines have ``default`` and ``fault``.
Decision: TypeAlias = Turn | Played | Discarded
DECISIONS = (Turn, Played, Discarded)
#: The types of their lines.
DECISION_LINES = ("turn", "play", "discard")


class ReplayError(ValueError):
    """A file that is no replay, with the reason."""


# --- lines


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def header(setup: MatchSetup) -> Line:
    """The first line."""
    timers = setup.timers
    line: Line = {
        "type": "header",
        "format": FORMAT,
        "engine": ENGINE,
        "game": setup.game,
        "options": setup.options.as_dict(),
        "seed": setup.seed.hex(),
        "match": setup.match_id,
        "seats": [_seat(seat) for seat in setup.seats],
        "timers": {
            "turn": timers.turn,
            "ready": timers.ready,
            "start": timers.start,
            "budget": timers.budget,
            **_person_timer(setup),
        },
        "max_faults": setup.max_faults,
        "isolation": setup.isolation,
    }
    if setup.provenance is not None:
        # Other images that play the same match make the same replay.
        line["measured"] = {"provenance": asdict(setup.provenance)}
    return line


def _person_timer(setup: MatchSetup) -> Line:
    played = any(seat.person for seat in setup.seats)
    return {"person_budget": setup.person_budget} if played else {}


def _seat(seat: SeatInfo) -> Line:
    told: Line = {"bot": seat.bot, "version": seat.version, "digest": seat.digest}
    # A bot may be called just like that.
    return {**told, "person": True} if seat.person else told


def event_line(event: AnyEvent, round_: int, turn: int) -> Line:
    """The line of one event; ``turn`` is the number of the turn that it belongs to."""
    if isinstance(event, Turn | RoundStarted | Reshuffle | RoundEnded):
        return _burn_line(event, round_, turn)
    return claro_line(event, round_)


def _burn_line(event: Event, round_: int, turn: int) -> Line:
    if isinstance(event, Turn):
        return {
            "type": "turn",
            "round": round_,
            "turn": turn,
            "seat": event.seat,
            "action": action_json(event.action),
            "drawn": None if event.drawn is None else str(event.drawn),
            "default": event.default,
            "fault": None,
        }
    if isinstance(event, RoundStarted):
        return {
            "type": "round",
            "round": event.round,
            "starter": event.starter,
            "zero": str(event.zero),
            "hands": [_texts(hand or ()) for hand in event.hands],
            "deck": _texts(event.deck or ()),
        }
    if isinstance(event, Reshuffle):
        return {
            "type": "reshuffle",
            "round": round_,
            "number": event.number,
            "deck": _texts(event.deck or ()),
        }
    return _round_end_line(event)


def _round_end_line(event: RoundEnded) -> Line:
    return {
        "type": "round_end",
        "round": event.round,
        "reason": event.reason.value,
        "claimer": event.claimer,
        "success": event.success,
        "hands": [_texts(hand) for hand in event.hands],
        "points": list(event.points),
        "totals": list(event.totals),
    }


def result_line(result: Result, faults: Iterable[Iterable[Fault]]) -> Line:
    """The last line."""
    return {
        "type": "result",
        "reason": result.reason.value,
        "totals": list(result.totals),
        "ranks": list(result.ranks),
        "winners": list(result.winners),
        "faults": [
            [
                {"round": fault.round, "turn": fault.turn, "kind": fault.kind.value}
                for fault in of_seat
            ]
            for of_seat in faults
        ],
    }


def time_shown(charged: float, measured: Measured | None) -> dict[str, float | None]:
    """What a decision's line shows of its time, in milliseconds."""
    shown: dict[str, float | None] = {"charged_ms": round(charged * 1000, 3)}
    if measured is not None:
        cpu, delay, lag = measured
        shown["cpu_ms"] = None if cpu is None else round(cpu * 1000, 3)
        shown["delay_ms"] = round(delay * 1000, 3)
        shown["lag_ms"] = round(lag * 1000, 3)
    return shown


def action_json(action: Action) -> Line:
    """An action as a line shows it."""
    if isinstance(action, Burn):
        return {"burn": _texts(action.cards), "draw": action.draw.value}
    return {"claim": True}


def read_decision(line: Line) -> AnyAction:
    """Read the decision of a turn, play or discard line; ``ReplayError`` where it shows none."""
    kind = line.get("type")
    try:
        if kind == "play":
            return Play(ClaroCard(str(line.get("card"))))
        if kind == "discard":
            return Discard(tuple(ClaroCard(str(name)) for name in line["cards"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError(f"not a {kind}: {error}") from None
    return _read_action(line.get("action"))


def _read_action(shown: Any) -> Action:
    if shown == {"claim": True}:
        return CLAIM
    try:
        return Burn(tuple(Card(str(name)) for name in shown["burn"]), Draw(shown["draw"]))
    except (KeyError, TypeError, ValueError):
        raise ReplayError(f"not an action: {json.dumps(shown)}") from None


def read_fault(shown: Any) -> FaultKind | None:
    """Read a turn's fault back."""
    try:
        return None if shown is None else FaultKind(shown)
    except ValueError:
        raise ReplayError(f"not a kind of fault: {shown!r}") from None


# --- files


def pack(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Write lines as they lie at rest: JSON Lines, compressed with zstd."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return zstandard.ZstdCompressor(level=6).compress(text.encode())


def unpack(data: bytes, *, most: int = MAX_BYTES, having: bytes = b"") -> Iterator[Line]:
    """Read lines, compressed or not; ``ReplayError`` names the first one that is no JSON object.

    More than ``most`` bytes unpacked are none, either. Lines in which ``having`` doesn't stand, as
    ``pack`` writes it, are passed over, which is much faster than reading them.
    """
    if data.startswith(zstandard.FRAME_HEADER):
        data = _decompress(data, most)
    for number, text in enumerate(data.splitlines(), start=1):
        if having not in text:
            continue
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            raise ReplayError(f"line {number} is not JSON") from None
        if not isinstance(line, dict):
            raise ReplayError(f"line {number} is not a JSON object")
        yield line


def _decompress(data: bytes, most: int) -> bytes:
    too_much = f"the file unpacks to more than {most // 1024**2} MiB"
    try:
        # The frame says how large it is; a size that it hides or lies about ends as damage.
        if zstandard.get_frame_parameters(data).content_size not in range(most + 1):
            raise ReplayError(too_much)
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=most)
    except zstandard.ZstdError as error:
        raise ReplayError(f"the file is damaged: {error}") from None


def read(path: Path) -> list[Line]:
    """Read a replay's lines from a file; ``ReplayError`` if it cannot be read."""
    try:
        return list(unpack(path.read_bytes()))
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror}") from None


def digest(lines: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 over the lines without ``measured``: sorted keys, no spaces, a newline after each."""
    total = hashlib.sha256()
    for line in lines:
        told = {key: value for key, value in line.items() if key != "measured"}
        total.update(json.dumps(told, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return total.hexdigest()
