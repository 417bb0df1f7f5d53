"""What the zygote's child does between the fork and the bot's own code: give everything up.

Any failure on the way ends the process before the bot's code is looked at.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import ClassVar, Final, NoReturn

from arenabot.zygote_filter import allow_no_more_than_a_bot_may

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 4, 24, 47, 4
_CAPABILITY_VERSION_3: Final = 0x20080522
#: More than the kernel has; it says where they end.
_CAPABILITIES: Final = 64
_KILLED_FIRST: Final = "500"
_libc: Final = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Start:
    """What the arena wants of a match's process."""

    #: What ``tell`` hears once the process is the bot's; whatever follows is why it can't be run.
    UNDER_WAY: ClassVar[bytes] = b"1"

    uid: int
    #: What its environment has beside the container's.
    env: Mapping[str, str]
    #: The descriptor that its standard output and error become.
    output: int
    #: The descriptor on which we say how far we got.
    tell: int


def become(
    start: Start, command: Sequence[str], environment: Mapping[str, str], script: str | None
) -> None:
    """Become the match's bot: ``script`` within this process, or ``command`` in place of it."""
    try:
        _reset_signals()
        os.setsid()
        # Where memory runs out, it is the bot's that ends, and the zygote can tell of it.
        Path("/proc/self/oom_score_adj").write_text(_KILLED_FIRST, "ascii")
        _arrange_descriptors(start)
        _give_up_privileges(start.uid)
        env = {**environment, **start.env}
        if script is None:
            os.write(_TELL, Start.UNDER_WAY)
            _execute(command, env)
        os.environ.update(env)
        os.write(_TELL, Start.UNDER_WAY)
        os.close(_TELL)
    except BaseException as error:  # no way back into the zygote's code with a bot's life
        try:
            os.write(_TELL, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(125)
    _run(script, command[1:])


def _reset_signals() -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


_TELL: Final = 3
"""Where ``Start.tell`` ends up; it is closed by the time a bot's code runs."""


def _arrange_descriptors(start: Start) -> None:
    """Keep nothing of the zygote's, not even its /dev/null: an open file has a state."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    # First above all the numbers that they are to have.
    kept = [
        fcntl.fcntl(each, fcntl.F_DUPFD, _TELL + 1) for each in (nothing, start.output, start.tell)
    ]
    os.dup2(kept[0], 0)
    os.dup2(kept[1], 1)
    os.dup2(kept[1], 2)
    os.dup2(kept[2], _TELL, inheritable=False)
    os.closerange(_TELL + 1, os.sysconf("SC_OPEN_MAX"))


def _give_up_privileges(uid: int) -> None:
    """User, groups and every capability, also those that could come back."""
    for capability in range(_CAPABILITIES):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    _checked(_libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
    os.setgroups([uid])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)()))
    # A process that changes its user can't look at itself any more; as a bot it may.
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0))
    allow_no_more_than_a_bot_may()
    if os.getresuid() != (uid,) * 3 or os.getresgid() != (uid,) * 3 or uid == 0:
        raise PermissionError("the process is not the bot's own user")


def _checked(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _execute(command: Sequence[str], env: Mapping[str, str]) -> NoReturn:
    # Python ignores some signals, and a program that we become would go on ignoring them.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(command[0], list(command), env)  # noqa: S606
    except OSError as error:
        os.write(_TELL, f'"{command[0]}": {error.strerror}'.encode())
        os._exit(126 if isinstance(error, PermissionError) else 127)


def _run(script: str, arguments: Sequence[str]) -> None:
    """Run the file as ``python3 script`` would; the interpreter ends as it always does."""
    if numpy := sys.modules.get("numpy.random"):
        numpy.seed()  # else every match's process would begin with the zygote's chance
    path = str(Path(script).absolute())
    sys.argv = list(arguments)
    sys.path.insert(0, str(Path(path).parent.resolve()))
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__loader__ = SourceFileLoader("__main__", path)
    sys.modules["__main__"] = main
    try:
        code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
        exec(code, main.__dict__)  # noqa: S102 - this is what the process is for
    except SystemExit:
        raise
    except BaseException as error:
        # The author has no use for our part of the traceback.
        trace = error.__traceback__
        error.__traceback__ = trace and trace.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        raise SystemExit(1) from None
