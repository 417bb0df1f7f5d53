"""A run of the arena to be killed: starts bots, says where everything is, and waits for its end.

Called with a JSON object: kind, runtime, uids, artifact, command, zygote, join (the path of a run,
or null), bots, host (of the engine), user (to become). Prints a JSON line before it starts the
first bot, and another one when all bots answer.
"""

import asyncio
import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.sandbox import Launch
from arena.sandbox.docker import DockerSandbox
from arena.sandbox.engine import Engine
from arena.sandbox.instance import Instance
from arena.sandbox.process import ProcessSandbox


async def hold(orders: dict[str, Any]) -> None:
    """Start the bots and wait to be killed, or to be interrupted."""
    with (
        Instance.join(Path(orders["join"]))
        if orders["join"]
        else Instance.create(Path(orders["runtime"]), "test-store")
    ) as instance:
        sandbox = (
            ProcessSandbox(instance)
            if orders["kind"] == "process"
            else DockerSandbox(instance, host=orders["host"], uids=Path(orders["uids"]))
        )
        print(json.dumps({"instance": str(instance.path)}), flush=True)
        try:
            launch = Launch(
                "held",
                orders["artifact"],
                tuple(orders["command"]),
                zygote=tuple(orders["zygote"]),
            )
            bots = [await sandbox.start(launch, timeout=20) for _ in range(orders["bots"])]
            print(json.dumps({"report": (await bots[0].report()).detail}), flush=True)
            await asyncio.sleep(1000)
        finally:
            await sandbox.close()


def become(user: int, host: str) -> None:
    """Go on as an ordinary user, who may not read the modules that Python imports late."""
    with closing(Engine(host)) as engine:
        asyncio.run(asyncio.to_thread(engine.info))
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    if told["user"]:
        become(told["user"], told["host"])
    asyncio.run(hold(told))
