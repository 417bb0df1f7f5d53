"""Which kept container plays the next match, and when one has done its work."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from arena.sandbox import Launch, zygotes
from arena.sandbox.zygote import Kind, Zygote, kind_of
from arena.sandbox.zygotes import MOST_IDLE, Zygotes

LAUNCH = Launch("label", "image", ("python3", "bot.py"), zygote=("zygote",))


@dataclass(eq=False)
class FakeZygote:
    """A container that does as the test says."""

    kind: Kind
    played: set[str] = field(default_factory=set)
    idle_since: float = 0.0
    is_clean: bool = True
    alive: bool = True

    def open(self) -> None:
        """It takes no time."""

    def clean(self) -> bool:
        """Whether it may be used again."""
        return self.is_clean

    def engine_alive(self) -> bool:
        """Whether its engine lives."""
        return self.alive


class Yard:
    """The containers of a test: made, played, removed."""

    def __init__(self, *, keep: bool = True) -> None:
        self.made: list[FakeZygote] = []
        self.removed: list[FakeZygote] = []
        self.zygotes = Zygotes(self._make, self._remove, keep=keep)

    def play(self, launch: Launch) -> FakeZygote:
        """One match, from taking a container to giving it back."""
        zygote = self.begin(launch)
        self.end(zygote)
        return zygote

    def begin(self, launch: Launch) -> FakeZygote:
        """Take a container, which then knows what it plays."""
        taken = cast("FakeZygote", self.zygotes.take(launch))
        taken.played.add(launch.once)
        return taken

    def end(self, zygote: FakeZygote) -> None:
        """Give it back."""
        self.zygotes.give_back(cast("Zygote", zygote))

    def _make(self, launch: Launch) -> Zygote:
        self.made.append(FakeZygote(kind_of(launch)))
        return cast("Zygote", self.made[-1])

    def _remove(self, zygote: Zygote) -> None:
        self.removed.append(cast("FakeZygote", zygote))


def test_a_clean_container_is_used_again_and_another_is_not() -> None:
    """One for match after match, until it can't be swept clean."""
    yard = Yard()
    first = yard.play(LAUNCH)
    assert yard.play(LAUNCH) is first
    first.is_clean = False
    yard.play(LAUNCH)
    assert yard.removed == [first]
    assert yard.play(LAUNCH) is not first


def test_no_container_meets_the_same_mark_twice() -> None:
    """Whatever the order of the matches, each container's marks are all different."""
    yard = Yard()
    marks = ["a", "b", "a", "c", "b", "a", "c", "a"]
    met: dict[int, list[str]] = {}
    for mark in marks:
        zygote = yard.play(replace(LAUNCH, once=mark))
        met.setdefault(id(zygote), []).append(mark)
    assert all(len(set(each)) == len(each) for each in met.values())
    assert len(yard.made) == marks.count("a")


def test_a_container_in_use_is_nobody_elses() -> None:
    """Two matches at once have two containers."""
    yard = Yard()
    assert yard.begin(LAUNCH) is not yard.begin(LAUNCH)


@pytest.mark.parametrize(
    "other",
    [
        replace(LAUNCH, artifact="another"),
        replace(LAUNCH, command=("python3", "other.py")),
        replace(LAUNCH, env={"A": "b"}),
        replace(LAUNCH, limits=replace(LAUNCH.limits, memory_mib=64)),
    ],
)
def test_only_launches_of_one_kind_share_a_container(other: Launch) -> None:
    """Another image, command, environment or limit is another container."""
    yard = Yard()
    assert yard.play(LAUNCH) is not yard.play(other)


def test_a_label_makes_no_other_kind() -> None:
    """Labels tell matches apart, and containers play many."""
    yard = Yard()
    assert yard.play(LAUNCH) is yard.play(replace(LAUNCH, label="another"))


def test_idle_containers_are_bounded_in_number() -> None:
    """The longest idle ones go first."""
    yard = Yard()
    taken = [yard.begin(LAUNCH) for _ in range(MOST_IDLE + 3)]
    for zygote in taken:
        yard.end(zygote)
    assert yard.removed == taken[:3]


def test_idle_containers_are_bounded_in_age(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was idle for too long goes when the next one comes back."""
    yard = Yard()
    first, second = yard.begin(LAUNCH), yard.begin(LAUNCH)
    yard.end(first)
    monkeypatch.setattr(zygotes, "LONGEST_IDLE", -1.0)
    yard.end(second)
    assert first in yard.removed


def test_a_container_that_was_idle_for_too_long_plays_no_more() -> None:
    """Another plays instead, after whose match it goes."""
    yard = Yard()
    old = yard.play(LAUNCH)
    old.idle_since -= zygotes.LONGEST_IDLE
    other = yard.begin(LAUNCH)
    assert other is not old
    yard.end(other)
    assert yard.removed == [old]
    assert yard.play(LAUNCH) is other


def test_a_container_whose_engine_is_gone_is_not_used() -> None:
    """It is removed, and a new one made."""
    yard = Yard()
    first = yard.play(LAUNCH)
    first.alive = False
    assert yard.play(LAUNCH) is not first
    assert yard.removed == [first]


def test_without_keeping_each_container_plays_one_match() -> None:
    """That is what `--isolation container` asks for."""
    yard = Yard(keep=False)
    first = yard.play(LAUNCH)
    assert yard.removed == [first]


def test_a_container_that_does_not_open_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it had made by then goes."""

    def fail(_: FakeZygote) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(FakeZygote, "open", fail)
    yard = Yard()
    with pytest.raises(RuntimeError, match="no"):
        yard.begin(LAUNCH)
    assert yard.removed == yard.made
