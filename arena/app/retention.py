"""What an arena does not keep for ever: what its store holds, and images that nothing names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from arena.sandbox.instance import LABEL_PREFIX
from arena.store import Store
from arena.store.retention import Policy, Swept
from arena.submissions.base import default_tag, find_base
from arena.submissions.engine import ImageEngine
from arena.submissions.errors import ImageError


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed, or would be; ``trouble`` says why no images were looked at, if so."""

    store: Swept
    images: int
    trouble: str = ""


def prune(
    store: Store,
    policy: Policy,
    images: int | None,
    *,
    now: datetime | None = None,
    dry_run: bool = False,
) -> Pruned:
    """Remove what ``policy`` no longer keeps, and images that were made ``images`` days ago.

    May be killed at any moment and be called again; tournaments may be played meanwhile. Raises
    what the store raises.
    """
    now = now or datetime.now(UTC)
    swept = store.retention.sweep(policy, now, dry_run=dry_run)
    if images is None:
        return Pruned(swept, 0)
    digests = {version.digest for version in store.versions()}
    try:
        with ImageEngine() as engine:
            before = now - timedelta(days=images)
            return Pruned(swept, prune_images(engine, digests, before, dry_run=dry_run))
    except ImageError as error:
        return Pruned(swept, 0, str(error))


def prune_images(
    engine: ImageEngine,
    digests: Collection[str],
    before: datetime,
    *,
    dry_run: bool = False,
    labels: Sequence[str] = (),
) -> int:
    """Remove images of ours that were made before then and that nothing names; counts them.

    Named are the newest base image, and on it the bots of these ``digests``: whatever else is
    needed once more is made again. What a container was made from stays. ``labels`` are further
    ones that an image must have. Raises ``ImageError``.
    """
    base = find_base(engine)
    gone = 0
    with engine.ours("list images") as client:
        found = client.images(filters={"label": [f"{LABEL_PREFIX}kind", *labels]})
    for image in sorted(found, key=_is_base):
        told = image["Labels"]
        if image["Created"] >= before.timestamp():
            continue
        if _is_base(image):
            named = default_tag() in (image["RepoTags"] or ())
        else:
            on_newest = base is not None and told.get(f"{LABEL_PREFIX}base") == base.id
            named = on_newest and told.get(f"{LABEL_PREFIX}digest") in digests
        if not named:
            gone += dry_run or _removed(engine, image)
    return gone


def _is_base(image: Any) -> bool:
    """Bots go first: a base stays as long as an image was made from it."""
    return bool(image["Labels"][f"{LABEL_PREFIX}kind"] == "base")


def _removed(engine: ImageEngine, image: Any) -> bool:
    try:
        for name in image["RepoTags"] or (image["Id"],):
            with engine.ours("remove an image") as client:
                client.remove_image(name, noprune=True)
    except ImageError:
        return False  # a container or another image was made from it
    return True
