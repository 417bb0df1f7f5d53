"""Why a bot ended, from what the system knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox import Ending, Limits
from arena.sandbox.endings import ending_of, sentence


@pytest.mark.parametrize(
    ("code", "oom", "ending"),
    [
        (137, True, Ending.OUT_OF_MEMORY),
        (137, False, Ending.EXITED),
        (0, True, Ending.EXITED),
        (1, True, Ending.EXITED),
        (153, False, Ending.LIMIT),
        (159, False, Ending.LIMIT),
        (153, True, Ending.LIMIT),
        (0, False, Ending.EXITED),
        (139, False, Ending.EXITED),
    ],
)
def test_endings_follow_the_codes(code: int, oom: bool, ending: Ending) -> None:
    """137 with the engine's flag is memory, 153 and 159 are limits, the rest is the bot's own."""
    assert ending_of(code, oom_killed=oom) is ending


@given(code=st.integers(0, 255), oom=st.booleans())
def test_an_end_of_its_own_is_never_ours(code: int, oom: bool) -> None:
    """No exit code makes a bot's own end look like a stop or a lost engine."""
    own = {Ending.EXITED, Ending.OUT_OF_MEMORY, Ending.LIMIT}
    assert ending_of(code, oom_killed=oom) in own


@pytest.mark.parametrize(
    ("ending", "others", "text"),
    [
        (Ending.RUNNING, {"peak_memory": 18 << 20}, "is running after using 18 MiB of 64 MiB"),
        (Ending.RUNNING, {}, "is running"),
        (
            Ending.STOPPED,
            {"peak_memory": 1},
            "was stopped by the arena after using 1 MiB of 64 MiB",
        ),
        (Ending.OUT_OF_MEMORY, {"exit_code": 137}, "used 64 MiB of 64 MiB and was stopped"),
        (Ending.LIMIT, {"exit_code": 153}, "wrote a file of more than 2 MiB and was stopped"),
        (
            Ending.LIMIT,
            {"exit_code": 159},
            "made a system call that bots may not make and was stopped",
        ),
        (Ending.EXITED, {"exit_code": 3}, "ended by itself with exit code 3"),
        (Ending.EXITED, {"exit_code": 255}, "ended by itself with exit code 255"),
        (Ending.EXITED, {"exit_code": 139}, "was ended by signal 11 (SIGSEGV), exit code 139"),
        (
            Ending.EXITED,
            {"exit_code": 1, "oom_killed": True},
            "ended by itself with exit code 1; one of its processes had been killed for memory",
        ),
        (
            Ending.ENGINE_LOST,
            {},
            "was lost with its container engine, which is not the bot's fault",
        ),
    ],
)
def test_a_sentence_says_it_in_numbers(ending: Ending, others: dict[str, int], text: str) -> None:
    """Each ending reads as a plain sentence after the bot's name."""
    assert sentence(ending, Limits(memory_mib=64, file_mib=2), **others) == text  # type: ignore[arg-type]
