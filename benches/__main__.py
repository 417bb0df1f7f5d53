"""Run the benches, all or those named."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benches._harness import Table

NAMES = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)


def main() -> int:
    """Parse the command line, run, print."""
    parser = argparse.ArgumentParser(prog="benches", description="Measure speed.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(NAMES)}")
    parser.add_argument("--full", action="store_true", help="as large as it gets, where one grows")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown:
        parser.error(f"no such bench: {', '.join(unknown)}; there are: {', '.join(NAMES)}")
    tables = []
    if not arguments.json:
        print(machine())
    for name in arguments.names or NAMES:
        module = import_module(f"benches.{name}")
        bench: Callable[[], Iterator[Table]] = module.bench
        if arguments.full:
            bench = getattr(module, "full", bench)
        for table in bench():
            tables.append(table)
            if not arguments.json:
                print(f"\n{table.text()}", flush=True)
    if arguments.json:
        shown = {"machine": machine(), "tables": [table.as_dict() for table in tables]}
        json.dump(shown, sys.stdout, indent=2)
        print()
    return 0


def machine() -> str:
    """What the numbers were measured on, in one line."""
    cores = len(os.sched_getaffinity(0))
    return (
        f"Python {platform.python_version()}, grpcio {version('grpcio')}, {platform.machine()}, "
        f"{cores} cores, load {os.getloadavg()[0]:.1f}; medians of n samples"
    )


if __name__ == "__main__":
    sys.exit(main())
