"""To be imported by a bot that would hurt the machine: it refuses to run outside a container."""

import os
import sys

if not os.environ.get("ARENABOT_ADDRESS", "").startswith("unix:/run/arena/"):
    sys.exit("this bot would hurt your machine: it runs in the arena's containers only")
