"""Which of gRPC's two engines for input and output carries the protocol."""

from __future__ import annotations

import os
from typing import Final

#: What gRPC reads, and what we put there.
VARIABLE: Final = "GRPC_EXPERIMENTS"
POLLING: Final = "-event_engine_client,-event_engine_listener"


def use_polling() -> None:
    """Let whoever waits for a message also read it, instead of threads of gRPC's own.

    A match's messages are small and come one at a time, and handing each from thread to thread
    costs more than all else that gRPC does with it: without, a message there and back took 0.4
    of the CPU time and 0.6 of the wall time (grpcio 1.85, two cores).  gRPC looks once, when it
    is imported, so this must come before; afterwards it changes nothing.  A value that somebody
    has chosen stays.
    """
    os.environ.setdefault(VARIABLE, POLLING)
