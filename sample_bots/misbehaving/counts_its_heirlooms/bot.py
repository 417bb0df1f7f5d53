"""Looks for what its parents left it: open files, environment, groups, capabilities, tracers."""

import os
from pathlib import Path

from calm import Calm

from arenabot import serve

if __name__ == "__main__":
    own = len(os.listdir("/proc/self/fd")) - 1  # but for the one that lists them
    extra = set(os.environ) - {"ARENABOT_ADDRESS", "HOME", "HOSTNAME", "PATH", "LC_CTYPE"}
    extra = {
        name for name in extra if not name.startswith(("PYTHON", "OPENBLAS_", "OMP_", "GRPC_"))
    }
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    capable = [line for line in status if line.startswith("Cap") and int(line.split()[1], 16)]
    groups = set(os.getgroups()) - {os.getuid()}
    print(f"descriptors {own}, environment {extra}, groups {groups}, capable {capable}", flush=True)
    serve(Calm)
