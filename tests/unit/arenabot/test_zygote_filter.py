"""A match's process may make no more system calls than a bot may, and ends at foreign ones."""

from __future__ import annotations

import platform
import signal
import subprocess
import sys

import pytest

FIRST = """
import ctypes, mmap, os, threading, time
from arenabot.zygote_filter import allow_no_more_than_a_bot_may
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # no new privileges, as in a container
allow_no_more_than_a_bot_may()
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run it under the filter, in a process of its own."""
    command = [sys.executable, "-c", FIRST + code]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_what_only_the_first_process_needs_is_refused() -> None:
    """Even to root; and to what the process starts."""
    refused = """
for call, arguments in ((os.setgroups, [[]]), (os.setresuid, [0] * 3), (os.setresgid, [0] * 3)):
    try:
        call(*arguments)
    except PermissionError:
        print("refused", flush=True)
os.execv("/proc/self/exe", ["python3", "-c", "import os; os.setresuid(0, 0, 0)"])
"""
    done = run(refused)
    assert done.stdout == "refused\n" * 3
    assert "Operation not permitted" in done.stderr


def test_everything_else_goes_on() -> None:
    """Threads, files, processes."""
    assert run("threading.Thread(target=print, args=('fine',)).start()").stdout == "fine\n"
    assert run("print(os.popen('echo fine').read())").stdout == "fine\n\n"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="there is no other mode elsewhere")
@pytest.mark.parametrize(
    "call",
    [
        r"b'\xb8\x14\x00\x00\x00\xcd\x80\xc3'",  # mov eax, 20; int 0x80; ret
        r"b'\xb8\x27\x00\x00\x40\x0f\x05\xc3'",  # mov eax, 0x40000027; syscall; ret
    ],
    ids=["32-bit", "x32"],
)
def test_a_call_of_another_kind_ends_the_process_whichever_thread_makes_it(call: str) -> None:
    """Not just the thread: its author is to read what it did."""
    foreign = f"""
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write({call})
place = ctypes.addressof(ctypes.c_char.from_buffer(code))
threading.Thread(target=ctypes.CFUNCTYPE(ctypes.c_int)(place), daemon=True).start()
time.sleep(5)
"""
    assert run(foreign).returncode == -signal.SIGSYS
