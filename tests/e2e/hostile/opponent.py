"""An honest opponent with secrets: it burns its dearest cards, never claims, and plants canaries.

After each round it takes its time, so that who thinks on others' time has some on any machine.
The canaries lie wherever it may write, where a bot finds them that reaches beyond its container.
"""

import os
import socket
import time
from pathlib import Path

from arenabot import Action, Burn, ClaimsBot, ClaimsObservation, RoundEnded, serve

CANARY = Path(__file__).with_name("canary.txt").read_text(encoding="ascii")


class Opponent(ClaimsBot):
    """Plays."""

    def turn(self, observation: ClaimsObservation) -> Action:
        """Burn as many points as possible."""
        burns = [action for action in observation.legal_actions() if isinstance(action, Burn)]
        return max(burns, key=lambda action: sum(map(observation.points_of, action.cards)))

    def round_ended(self, end: RoundEnded) -> None:
        """Let the others wait for a while."""
        time.sleep(0.04)


if __name__ == "__main__":
    own = os.environ["ARENABOT_ADDRESS"].removeprefix("unix:").rpartition("/")[0]
    if own.startswith("/run/arena"):
        for place in ("/tmp", "/dev/shm", own):
            (Path(place) / CANARY).write_text(CANARY, encoding="ascii")
            (Path(place) / CANARY).chmod(0o666)
        abstract = socket.socket(socket.AF_UNIX)
        abstract.bind(f"\0{CANARY}")
        abstract.listen()
        os.environ["CANARY"] = CANARY
    print(f"the canary is {CANARY}", flush=True)
    serve(Opponent)
