"""What is seen from inside a container is judged one protection at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.sandbox.inside import View, facts

OPTIONS = ["rw", "nosuid", "nodev", "noexec", "size=16384k", "nr_inodes=1024"]
GOOD = View(
    inside={
        "uid": 1_900_000_001,
        "groups": [1_900_000_001],
        "host": "bot",
        "seccomp": "2",
        "no_new_privileges": "1",
        "capabilities": ["0" * 16] * 5,
        "mounts": {
            "/": ["overlay", "ro", "relatime"],
            **{place: ["tmpfs", *OPTIONS] for place in ("/tmp", "/dev/shm", "/run/arena")},
        },
        "interfaces": ["lo"],
        "allowed": [],
        "limits": {
            "NOFILE": [256, 256],
            "FSIZE": [16 << 20, 16 << 20],
            "CORE": [0, 0],
            "MEMLOCK": [65536, 65536],
            "MSGQUEUE": [0, 0],
        },
        "unmasked": [],
        "processes": ["1"],
    },
    limits={"memory": str(256 << 20), "pids": "64", "cpu": "100000"},
    can_freeze=True,
    can_measure=True,
    can_tell_waiting=True,
)


def broken(view: View, *, root: bool = True) -> dict[str, str]:
    """What doesn't hold, in words."""
    return {fact.name: fact.no for fact in facts(view, root=root) if not fact.holds}


def test_all_holds_where_all_is_as_it_was_asked_for() -> None:
    """Nothing is missing, with cgroups of version 1 or 2."""
    assert broken(GOOD) == {}
    assert broken(replace(GOOD, limits={**GOOD.limits, "cpu": "100000 100000"})) == {}


SEEN: list[tuple[dict[str, Any], str, str]] = [
    ({"seccomp": "0"}, "system calls", "our filter is not in force: bots may use any call"),
    ({"allowed": ["namespaces"]}, "system calls", "bots may use namespaces"),
    ({"no_new_privileges": "0"}, "privileges", "a bot has capabilities or can gain some"),
    ({"capabilities": ["00000000a80425fb"] * 5}, "privileges", "a bot has capabilities"),
    ({"uid": 0}, "user id", "a bot runs as root"),
    ({"groups": [0]}, "user id", "in a group of somebody's"),
    ({"interfaces": ["lo", "eth0"]}, "network", "a bot has a network: eth0"),
    ({"unmasked": ["/proc/stat"]}, "masked paths", "a bot can read /proc/stat"),
    ({"host": "vm"}, "opaque names", "on vm"),
    ({"processes": ["1", "7"]}, "opaque names", "a bot sees 2 processes"),
    ({"limits": {**GOOD.inside["limits"], "CORE": [-1, -1]}}, "process limits", "CORE"),
    (
        {"mounts": {**GOOD.inside["mounts"], "/": ["overlay", "rw"]}},
        "file system",
        "the root file system can be written to",
    ),
    (
        {"mounts": {**GOOD.inside["mounts"], "/tmp": ["ext4", "rw"]}},
        "file system",
        "/tmp is not bounded",
    ),
]


@pytest.mark.parametrize(("seen", "name", "words"), SEEN)
def test_whatever_a_bot_sees_too_much_of_is_told(
    seen: dict[str, Any], name: str, words: str
) -> None:
    """The one protection that is missing is named, and what that means."""
    told = broken(replace(GOOD, inside={**GOOD.inside, **seen}))
    assert list(told) == [name]
    assert words in told[name]


def test_limits_that_the_kernel_does_not_hold_are_told() -> None:
    """Missing ones, and those with another number."""
    told = broken(replace(GOOD, limits={"memory": "9223372036854771712", "cpu": "-1"}))
    assert told == {
        "container limits": "not what was asked for, or not readable from here: memory, pids, cpu"
    }


def test_a_bot_that_cant_be_held_or_measured_is_told() -> None:
    """The freezer and the clock are protections, too."""
    told = broken(replace(GOOD, can_freeze=False, can_tell_waiting=False))
    assert set(told) == {"freezer", "fair clock"}


def test_an_ordinary_user_has_no_folder_in_memory_for_the_socket() -> None:
    """Which the line about the socket folder tells; it is not told twice."""
    mounts = {**GOOD.inside["mounts"], "/run/arena": ["ext4", "rw"]}
    view = replace(GOOD, inside={**GOOD.inside, "mounts": mounts})
    assert set(broken(view)) == {"file system"}
    assert broken(view, root=False) == {}
