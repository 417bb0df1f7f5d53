"""Never comes to an end of its third turn, and takes all the CPU time that it gets."""

from calm import CalmAtFirst

from arenabot import serve


class EndlessLoop(CalmAtFirst):
    def misbehave(self) -> None:
        while True:
            pass


if __name__ == "__main__":
    serve(EndlessLoop)
