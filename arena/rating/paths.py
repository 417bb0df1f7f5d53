"""How each entry's rating came about: what was believed of it after its own matches.

`Moment`s show everybody side by side, and of an entry that has played but a part of all matches
they show little. A path is that entry's alone: each match that it played from its first one on, or
every second, every fourth and so on of many.
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from arena.rating.strengths import Rating

LONGEST: Final = 60
"""How many steps of a path are remembered: with more every second one is forgotten."""


class Step(NamedTuple):
    """What was believed of an entry after so many matches of its own."""

    matches: int
    rating: Rating


@dataclass(slots=True)
class _Path:
    """One entry's; the step at place i, from 0, came after (i + 1) * `every` matches."""

    matches: int = 0
    every: int = 1
    mus: "array[float]" = field(default_factory=lambda: array("d"))
    sigmas: "array[float]" = field(default_factory=lambda: array("d"))

    def note(self, rating: Rating | None) -> None:
        self.matches += 1
        if self.matches % self.every:
            return
        self.mus.append(0.0 if rating is None else rating.mu)
        self.sigmas.append(0.0 if rating is None else rating.sigma)
        if len(self.mus) > LONGEST:
            self.every *= 2
            self.mus, self.sigmas = self.mus[1::2], self.sigmas[1::2]

    def copy(self) -> "_Path":
        return _Path(self.matches, self.every, self.mus[:], self.sigmas[:])


@dataclass(slots=True)
class Paths:
    """Everybody's path, the same however often and when anybody looks."""

    _paths: dict[int, _Path] = field(default_factory=dict)

    def note(self, entries: Iterable[int], ratings: Mapping[int, Rating]) -> None:
        """These have played another match, and this is believed now of all who have played."""
        for entry in entries:
            path = self._paths.get(entry)
            if path is None:
                path = self._paths[entry] = _Path()
            path.note(ratings.get(entry))

    def of(self, entry: int, now: Rating) -> list[Step]:
        """The path of an entry, the newest step last; `now` is what is believed of it.

        Empty if it has not played.
        """
        path = self._paths.get(entry)
        if path is None:
            return []
        # There is nothing to tell of matches before the first block that was whole, where it is
        # whole blocks that are learnt from.
        steps = [
            Step(at * path.every, Rating(mu, sigma))
            for at, (mu, sigma) in enumerate(zip(path.mus, path.sigmas, strict=True), start=1)
            if sigma
        ]
        if not steps or steps[-1].matches < path.matches:
            steps.append(Step(path.matches, now))
        return steps

    def copy(self) -> Self:
        """The same, to go on in another way."""
        return type(self)({entry: path.copy() for entry, path in self._paths.items()})

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Call the entries otherwise."""
        self._paths = {numbers[entry]: path for entry, path in self._paths.items()}

    def columns(self) -> dict[str, "array[int] | array[float]"]:
        """All of it: from it `resume` goes on."""
        mus, sigmas = array("d"), array("d")
        for path in self._paths.values():
            mus.extend(path.mus)
            sigmas.extend(path.sigmas)
        return {
            "path_entries": array("q", self._paths),
            "path_matches": array("q", (path.matches for path in self._paths.values())),
            "path_every": array("q", (path.every for path in self._paths.values())),
            "path_mus": mus,
            "path_sigmas": sigmas,
        }

    def resume(self, columns: Mapping[str, "array[int] | array[float]"]) -> None:
        """Go on from what `columns` gave."""
        self._paths, start = {}, 0
        told = (columns[f"path_{name}"] for name in ("entries", "matches", "every"))
        for entry, matches, every in zip(*told, strict=True):
            end = start + int(matches) // int(every)
            mus, sigmas = (columns[f"path_{name}"][start:end] for name in ("mus", "sigmas"))
            self._paths[int(entry)] = _Path(
                int(matches), int(every), array("d", mus), array("d", sigmas)
            )
            start = end
