"""Two of one author's sit at a table and try to tell each other of their hands."""

import contextlib
import fcntl
import os
import socket
from pathlib import Path

from calm import Calm
from places import OWN

from arenabot import Action, ClaimsObservation, MatchInfo, serve

PLACES = [
    OWN,
    *[Path(place) for place in ("/tmp", "/dev/shm", "/run/arena", "/dev/mqueue", "/bot", "/")],
]


class Whispers(Calm):
    def match_started(self, match: MatchInfo) -> None:
        self.name = f"whisper-{match.seat}"
        self.other = f"whisper-{1 - match.seat}"
        self.lock = os.open(__file__, os.O_RDONLY)
        self.ear = socket.socket(socket.AF_UNIX)
        self.ear.bind(f"\0{self.name}")
        self.ear.listen()
        for place in PLACES:
            with contextlib.suppress(OSError):
                (place / self.name).write_text("my hand", encoding="ascii")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.locked_out = False
        except BlockingIOError:
            self.locked_out = True

    def turn(self, observation: ClaimsObservation) -> Action:
        heard = [str(place) for place in PLACES if (place / self.other).exists()]
        with socket.socket(socket.AF_UNIX) as mouth:
            if mouth.connect_ex(f"\0{self.other}") == 0:
                heard.append("an abstract socket")
        if self.locked_out:
            heard.append("a lock on a file of the image")
        print(f"turn: heard {heard}", flush=True)
        return super().turn(observation)


if __name__ == "__main__":
    serve(Whispers)
