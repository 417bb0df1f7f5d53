"""Opens files until there are no more."""

import os

from calm import CalmAtFirst

from arenabot import serve


class OpensEverything(CalmAtFirst):
    def misbehave(self) -> None:
        try:
            while True:
                os.open("/dev/null", os.O_RDONLY)
        except OSError as full:
            print(f"no more: {full.strerror}", flush=True)


if __name__ == "__main__":
    serve(OpensEverything)
