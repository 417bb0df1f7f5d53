"""The calling sides of the bench `move`, each in a process of its own.

``python -m benches._callers match|echo ADDRESS...`` reads lines from its standard input and
answers each with one line of JSON.  Of ``echo`` the first line is a list of pairs, the sizes of
questions and answers; every other line means: once more.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any

from arena.match.play import play_match
from arena.match.player import Answer
from arena.match.setup import MatchSetup, SeatInfo
from arena.players.remote import RemotePlayer
from arenabot import wire
from arenabot.anygame import AnyEvent, AnyPrompt
from arenabot.options import ClaimsOptions

import grpc  # isort: skip - after the room that chooses how gRPC works


class Meter:
    """When each question was asked; ``None`` stands for a pause between two rounds."""

    def __init__(self) -> None:
        self.asked: list[float | None] = []
        self._cpu = process_time()

    def sample(self) -> dict[str, Any]:
        """The median time from one question to the next and the CPU time a question, in us."""
        moves = len(self.asked) - self.asked.count(None)
        gaps = [
            later - earlier
            for earlier, later in pairwise(self.asked)
            if earlier is not None and later is not None
        ]
        cpu = (process_time() - self._cpu) / moves
        return {"move": statistics.median(gaps) * 1e6, "cpu": cpu * 1e6, "moves": moves}


class MeteredPlayer(RemotePlayer):
    """Tells a meter when it is asked, and keeps how large its messages were."""

    def __init__(self, address: str, meter: Meter, sizes: list[tuple[int, int]] | None) -> None:
        super().__init__(address)
        self._questions = meter
        self._sizes = sizes

    async def turn(self, news: Sequence[AnyEvent], prompt: AnyPrompt, seconds: float) -> Answer:
        self._questions.asked.append(perf_counter())
        answer = await super().turn(news, prompt, seconds)
        if self._sizes is not None:
            question = wire.your_turn(self._seq, news, self._seat, prompt, seconds)
            response = wire.answer(self._seq, answer.action)
            self._sizes.append((question.ByteSize(), response.ByteSize()))
        return answer

    async def ready(self, news: Sequence[AnyEvent], seconds: float) -> float:
        self._questions.asked.append(None)
        return await super().ready(news, seconds)


class Match:
    """Plays one match, always the same."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._sizes: list[tuple[int, int]] | None = []

    async def play(self, line: str) -> dict[str, Any]:
        del line
        meter = Meter()
        seats = tuple(SeatInfo("bench", "1", "") for _ in self._addresses)
        setup = MatchSetup("bench", "claims", ClaimsOptions(), bytes(32), seats)
        sizes, self._sizes = self._sizes, None
        players = [MeteredPlayer(address, meter, sizes) for address in self._addresses]
        await play_match(setup, players)
        return {**meter.sample(), "sizes": sizes}


class Echo:
    """Sends as many and as large messages as a match does, to its seats by turns."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._messages: list[bytes] = []
        self._streams: list[grpc.aio.StreamStreamCall[bytes, bytes]] = [
            grpc.aio.insecure_channel(address).stream_stream("/Echo/Play")()
            for address in addresses
        ]

    async def play(self, line: str) -> dict[str, Any]:
        if not self._messages:
            self._messages = [bytes([back]).ljust(out) for out, back in json.loads(line)]
        meter = Meter()
        for number, message in enumerate(self._messages):
            stream = self._streams[number % len(self._streams)]
            meter.asked.append(perf_counter())
            await stream.write(message)
            await stream.read()
        return meter.sample()


async def _answer_lines(kind: str, addresses: Sequence[str]) -> None:
    side = Match(addresses) if kind == "match" else Echo(addresses)
    while line := sys.stdin.readline():
        print(json.dumps(await side.play(line)), flush=True)


if __name__ == "__main__":
    asyncio.run(_answer_lines(sys.argv[1], sys.argv[2:]))
