"""Images that nothing names any more go; of those that another arena made, none is touched here."""

import io
import tarfile
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import docker
import pytest

from arena.app.retention import prune_images
from arena.submissions.engine import ImageEngine

pytestmark = pytest.mark.docker

LATER = datetime.now(UTC) + timedelta(days=1)


@pytest.fixture
def mark() -> str:
    """A label of this test's images alone."""
    return f"test-mark={uuid.uuid4().hex}"


@pytest.fixture
def make(engine: docker.APIClient, mark: str) -> Iterator[Callable[..., str]]:
    """Makes images with a name and labels of ours; what is left of them goes."""
    made = []

    def image(name: str, **labels: str) -> str:
        told = [f"LABEL claim-arena.{key}={value}" for key, value in labels.items()]
        empty = io.BytesIO()
        tarfile.open(fileobj=empty, mode="w").close()
        tag = uuid.uuid4().hex
        engine.import_image_from_data(
            empty.getvalue(), repository=name, tag=tag, changes=[*told, f"LABEL {mark}"]
        )
        made.append(f"{name}:{tag}")
        return made[-1]

    yield image
    for name in made:
        if engine.images(name):
            engine.remove_image(name, force=True)


def test_old_images_that_nothing_names_go(
    engine: docker.APIClient, make: Callable[..., str], mark: str
) -> None:
    """A bot's on a base that is gone, a base without the usual name; not before their time."""
    bot = make("claim-arena-test/bot", kind="bot", digest="ab" * 32, base="sha256:none")
    base = make("claim-arena-test/base", kind="base")
    other = make("claim-arena-test/other")
    digests = {"ab" * 32}
    with ImageEngine() as images:
        early = LATER - timedelta(days=2)
        assert prune_images(images, digests, early, labels=[mark]) == 0
        assert prune_images(images, digests, LATER, labels=[mark], dry_run=True) == 2
        assert engine.images(bot)
        assert prune_images(images, digests, LATER, labels=[mark]) == 2
    left = [bool(engine.images(name)) for name in (bot, base, other)]
    assert left == [False, False, True]


def test_an_image_that_a_container_was_made_from_stays(
    engine: docker.APIClient, make: Callable[..., str], mark: str
) -> None:
    """Though nothing else names it."""
    bot = make("claim-arena-test/bot", kind="bot", digest="ab" * 32, base="sha256:none")
    container = engine.create_container(bot, "none")["Id"]
    try:
        with ImageEngine() as images:
            assert prune_images(images, set(), LATER, labels=[mark]) == 0
    finally:
        engine.remove_container(container, force=True)
    assert engine.images(bot)
