"""What a server removes by itself, once a day: what its settings say is not to be kept."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Final

import structlog

from arena.app.retention import prune
from arena.server.settings import Settings
from arena.store import Store, StoreError

_DAY: Final = 86_400.0

_log = structlog.get_logger("arena.server")


async def prune_daily(store: Store, settings: Settings) -> None:
    """Do it now and every day from now on, until this is cancelled."""
    while True:
        try:
            done = await asyncio.to_thread(
                prune, store, settings.policy, settings.keep_images_days or None
            )
        except StoreError as error:
            _log.warning("nothing could be removed", why=str(error))
        except Exception:  # a defect of ours: it is told, and tomorrow is another day
            _log.exception("removing what is not kept any longer failed")
        else:
            _log.info("removed", **asdict(done.store), images=done.images, trouble=done.trouble)
        await asyncio.sleep(_DAY)
