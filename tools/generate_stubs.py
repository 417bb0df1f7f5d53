"""Generate arenabot.v1's stubs from proto/ (`make proto` runs this in an environment of its own).

Everything in the stubs' folder is generated, so that a proto which is gone leaves nothing behind.
"""

import argparse
import re
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped, import-not-found, unused-ignore]

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "proto"
STUBS = Path("arenabot/v1")  # below proto/ and below the import path alike
INIT = '"""What goes over the wire: generated from proto/ by `make proto`, never edited."""\n'


def generate(out: Path) -> None:
    """Write the stubs below `out`, which is the folder that holds the package arenabot."""
    shutil.rmtree(out / STUBS, ignore_errors=True)
    (out / STUBS).mkdir(parents=True)
    (out / STUBS / "__init__.py").write_text(INIT)
    protos = sorted((PROTOS / STUBS).glob("*.proto"))
    run_protoc(protos, "python", "mypy", out=out)
    # Only these: a module for services that aren't there would import grpc for nothing.
    services = [proto for proto in protos if re.search(r"(?m)^service ", proto.read_text())]
    run_protoc(services, "grpc_python", "mypy_grpc", out=out)


def run_protoc(protos: list[Path], *plugins: str, out: Path) -> None:
    if not protos:
        return
    scripts = Path(sys.executable).parent
    arguments = [
        "protoc",
        f"--proto_path={PROTOS}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        *(f"--{plugin}_out={'quiet:' if 'mypy' in plugin else ''}{out}" for plugin in plugins),
        *map(str, protos),
    ]
    if status := protoc.main(arguments):
        sys.exit(f"protoc ended with status {status}; its message is above")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "sdk" / "src")
    generate(parser.parse_args().out)


if __name__ == "__main__":
    main()
