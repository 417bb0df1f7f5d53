"""A filter of system calls of the match's process, beside the one of its container.

It takes back the calls that only the first process needs.  And it ends a process that makes a call
of another kind (32-bit ones, x32).  The container's filter ends the thread that makes one; threads
of gRPC's would keep a bot alive that never answers again, and its author would read of a turn that
took too long, and not why.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final, NamedTuple

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_END_PROCESS, _ALLOW, _REFUSE = 0x80000000, 0x7FFF0000, 0x00050000 | errno.EPERM
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
#: Where the kernel puts what a filter looks at: the call's number, and the kind of machine.
_NUMBER, _KIND = 0, 4


class _Machine(NamedTuple):
    """What the kernel calls a machine, and its numbers."""

    kind: int
    #: The first number that belongs to another kind of call.
    foreign: int
    #: setgroups, setresuid, setresgid, capset.
    taken_back: tuple[int, ...]


_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, 0x40000000, (116, 117, 119, 126)),
    "aarch64": _Machine(0xC00000B7, 0xFFFFFFFF, (159, 147, 149, 91)),
}


class _Program(ctypes.Structure):
    """What the kernel takes: how many instructions, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def allow_no_more_than_a_bot_may() -> None:
    """Put the filter in force, for good, also for all that is started; raises ``OSError``."""
    if (machine := _MACHINES.get(os.uname().machine)) is None:
        return
    code = _instructions(machine)
    program = _Program(len(code) // 8, code)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _instructions(machine: _Machine) -> bytes:
    steps = [
        (_LOAD, 0, 0, _KIND),
        (_IF_EQUAL, 1, 0, machine.kind),
        (_RETURN, 0, 0, _END_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, machine.foreign),
        (_RETURN, 0, 0, _END_PROCESS),
    ]
    for number in machine.taken_back:
        steps += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
