"""Base and bot images on a real engine: what they hold, when they are made, and what never runs."""

import io
import json
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import docker
import pytest

from arena.submissions import base as base_module
from arena.submissions.base import (
    BaseImage,
    PublicImage,
    RootFs,
    build_base,
    ensure_base,
    find_base,
)
from arena.submissions.bot import BotImage, build_bot
from arena.submissions.engine import ImageEngine
from arena.submissions.errors import ImageError
from arena.submissions.rootfs import root_tar
from arena.submissions.submission import Submission, assemble
from arena.submissions.tree import File

pytestmark = [pytest.mark.docker, pytest.mark.timeout(300)]

RUN_LABEL = "claim-arena.test-images"
BOT = b"""\
import json, os, sys
print(json.dumps({"path": sys.path, "cwd": os.getcwd(), "seen": sorted(os.listdir("."))}))
"""


@pytest.fixture(scope="module")
def run_id() -> str:
    """Marks what this run makes."""
    return uuid4().hex[:12]


@pytest.fixture(scope="module")
def images(engine: docker.APIClient, run_id: str) -> Iterator[ImageEngine]:
    """The engine under test; what this run named is removed afterwards, but for the base itself."""
    with ImageEngine(labels={RUN_LABEL: run_id}) as images:
        yield images
    ours = [run_id, *(f":{digest[:32]}-" for digest in DIGESTS)]
    for image in engine.images():
        for name in image["RepoTags"] or ():
            if any(part in name for part in ours):
                engine.remove_image(name, force=True)


DIGESTS: list[str] = []
"""The submissions of this run."""


@pytest.fixture(scope="module")
def tag(run_id: str) -> str:
    """A name for base images of this run."""
    return f"claim-arena/base:test-{run_id}"


@pytest.fixture(scope="module")
def base(images: ImageEngine, base_image: str, tag: str) -> BaseImage:
    """A base image, made from the root file system of the tests."""
    return build_base(images, source=PublicImage(base_image), tag=tag)


def run(engine: docker.APIClient, image: str, command: list[str] | None = None) -> tuple[int, str]:
    """Run an image as strictly as a sandbox does; its exit code and what it printed."""
    config: dict[str, Any] = {
        "Image": image,
        "HostConfig": {"NetworkMode": "none", "ReadonlyRootfs": True, "CapDrop": ["ALL"]},
        **({"User": "12345:12345", "Entrypoint": command, "Cmd": []} if command else {}),
    }
    container = engine.create_container_from_config(config)["Id"]  # type: ignore[no-untyped-call]
    try:
        engine.start(container)
        status = engine.wait(container)["StatusCode"]
        return status, engine.logs(container).decode()
    finally:
        engine.remove_container(container, force=True)


def python(engine: docker.APIClient, image: str, program: str) -> Any:
    """What a program prints as JSON inside an image."""
    status, output = run(engine, image, ["python3", "-c", f"import json, sys\n{program}"])
    assert status == 0, output
    return json.loads(output)


def a_bot(*files: File) -> Submission:
    """A submission whose entrypoint says what it sees."""
    manifest = File("bot.toml", b'name = "a"\ngame = "claims"\n')
    submission = assemble([manifest, File("bot.py", BOT), *files])
    DIGESTS.append(submission.digest)
    return submission


@pytest.fixture(scope="module")
def bot(images: ImageEngine, base: BaseImage) -> BotImage:
    """The image of a bot with a file in a folder."""
    return build_bot(images, base, a_bot(File("lib/data.txt", b"hello")))


def test_a_base_holds_what_bots_are_promised(engine: docker.APIClient, base: BaseImage) -> None:
    """Inside, as any user and read-only, the SDK, gRPC, NumPy and the rules can be imported."""
    found = python(
        engine,
        base.id,
        "import arenabot.serving, grpc, grpc_health.v1.health, numpy, arena.games\n"
        "print(json.dumps([arenabot.__file__, grpc.__version__, numpy.__version__, "
        "sorted(arena.games.GAMES)]))",
    )
    assert found[0] == "/opt/arena/site/arenabot/__init__.py"
    assert {f"grpcio=={found[1]}", f"numpy=={found[2]}"} <= set(base.installed)
    assert "claims" in found[3]


def test_a_base_holds_nothing_else_of_the_arena(engine: docker.APIClient, base: BaseImage) -> None:
    """Of the arena only the rules are inside."""
    found = python(
        engine, base.id, "import os\nprint(json.dumps(os.listdir('/opt/arena/site/arena')))"
    )
    assert set(found) == {"__init__.py", "__pycache__", "games"}


def test_everything_is_compiled(engine: docker.APIClient, base: BaseImage) -> None:
    """No module that a bot loads has to be compiled first, its own and Python's included."""
    found = python(
        engine,
        base.id,
        "import arenabot.serving, numpy, arena.games, os\n"
        "mods = [m for m in sys.modules.values() if getattr(m, '__cached__', None)]\n"
        "print(json.dumps([len(mods), [m.__name__ for m in mods "
        "if m.__file__.endswith('.py') and not os.path.exists(m.__cached__)]]))",
    )
    assert found[0] > 100
    assert found[1] == []


def test_a_base_of_the_same_inputs_is_used_again(
    images: ImageEngine, base: BaseImage, base_image: str, tag: str
) -> None:
    """Nothing is made a second time, and the image is found under its tag."""
    assert build_base(images, source=PublicImage(base_image), tag=tag) == base
    found = find_base(images, tag)
    assert found is not None
    assert found.id == base.id
    assert found.current
    assert ensure_base(images, tag).id == base.id


@pytest.fixture
def older(
    images: ImageEngine, base_image: str, run_id: str, monkeypatch: pytest.MonkeyPatch
) -> BaseImage:
    """A base image with a package of the organiser's, as an arena with other code made it."""
    with monkeypatch.context() as patch:
        patch.setattr(base_module, "code_digest", lambda: "0" * 64)
        return build_base(
            images,
            source=PublicImage(base_image),
            packages=("iniconfig",),
            tag=f"claim-arena/base:older-{run_id}",
        )


def test_an_older_base_is_made_again_with_its_packages(
    images: ImageEngine, engine: docker.APIClient, base: BaseImage, older: BaseImage, run_id: str
) -> None:
    """A base of another arenabot is not current; it is made anew from the same source."""
    assert not older.current
    newer = ensure_base(images, f"claim-arena/base:older-{run_id}")
    try:
        assert newer.current
        assert len({base.id, older.id, newer.id}) == 3
        assert (newer.packages, newer.source) == (("iniconfig",), base.source)
        assert any(name.startswith("iniconfig==") for name in newer.installed)
        assert python(engine, newer.id, "import iniconfig\nprint('1')") == 1
    finally:
        for image in (older, newer):
            engine.remove_image(image.name, force=True)


def test_a_bots_image_holds_its_files_as_roots(
    engine: docker.APIClient, bot: BotImage, base: BaseImage
) -> None:
    """Files lie below /bot, owned by root, not writable, and the image says what is started."""
    listed = python(
        engine,
        bot.id,
        "import os\nprint(json.dumps({p: [oct(os.stat(p).st_mode), os.stat(p).st_uid] for p in "
        "('/bot', '/bot/bot.py', '/bot/lib', '/bot/lib/data.txt')}))",
    )
    assert listed == {
        "/bot": ["0o40755", 0],
        "/bot/bot.py": ["0o100644", 0],
        "/bot/lib": ["0o40755", 0],
        "/bot/lib/data.txt": ["0o100644", 0],
    }
    config = engine.inspect_image(bot.name)["Config"]  # type: ignore[no-untyped-call]
    assert config["Cmd"] == ["python3", "bot.py"] == list(bot.command)
    assert not config["Entrypoint"]
    assert (config["WorkingDir"], config["User"]) == ("/bot", "65534:65534")
    assert {"PYTHONPATH=/opt/arena/site", "PYTHONUNBUFFERED=1"} <= set(config["Env"])
    assert config["Labels"]["claim-arena.digest"] == bot.digest
    assert config["Labels"]["claim-arena.base"] == base.id


def test_a_bots_image_starts_the_entrypoint(engine: docker.APIClient, bot: BotImage) -> None:
    """Run as it is, the image starts the entrypoint in /bot, its own folder first on the path."""
    status, output = run(engine, bot.id)
    seen = json.loads(output)
    assert status == 0
    assert seen["cwd"] == "/bot"
    assert seen["path"][:2] == ["/bot", "/opt/arena/site"]
    assert seen["seen"] == ["bot.py", "bot.toml", "lib"]


def test_equal_submissions_are_one_image(
    images: ImageEngine, base: BaseImage, bot: BotImage
) -> None:
    """The same bytes again give the same image; other bytes another one."""
    assert build_bot(images, base, a_bot(File("lib/data.txt", b"hello"))) == bot
    other = build_bot(images, base, a_bot(File("lib/data.txt", b"hallo")))
    assert other.id != bot.id
    assert other.name != bot.name


def test_a_foreign_image_of_a_bots_name_is_not_used(
    images: ImageEngine, engine: docker.APIClient, base: BaseImage
) -> None:
    """Names hold shortened digests, so the whole digest is compared before an image is used."""
    submission = a_bot(File("x.txt", b"mine"))
    mine = build_bot(images, base, submission)
    images.tag(build_bot(images, base, a_bot(File("x.txt", b"other"))).id, mine.name)
    engine.remove_image(mine.id)
    again = build_bot(images, base, submission)
    config = engine.inspect_image(again.id)["Config"]  # type: ignore[no-untyped-call]
    assert config["Labels"]["claim-arena.digest"] == submission.digest
    assert python(engine, again.id, "print(json.dumps(open('/bot/x.txt').read()))") == "mine"


def test_nothing_of_a_bot_runs_while_its_image_is_made(
    images: ImageEngine, engine: docker.APIClient, base: BaseImage, run_id: str
) -> None:
    """The container that takes the files is created, committed and removed, never started."""
    canary = b"open('/bot/canary', 'w').close()\nopen('/tmp/canary', 'w').close()\n"
    planted = ("sitecustomize.py", "usercustomize.py", "setup.py", "conftest.py", "x.pth")
    docker_files = [File("Dockerfile", b"FROM scratch\nENTRYPOINT evil\n")]
    since = int(time.time())
    made = build_bot(images, base, a_bot(*docker_files, *(File(p, canary) for p in planted)))
    wanted = {"label": f"{RUN_LABEL}={run_id}", "type": "container"}
    events = engine.events(since=since, until=int(time.time()) + 1, filters=wanted, decode=True)
    actions = [event["Action"] for event in events if event["from"] == base.id]
    events.close()
    assert {"create", "commit", "destroy"} <= set(actions)
    assert not {"start", "restart", "exec_create"} & set(actions)
    status, _ = run(engine, made.id, ["ls", "/bot/canary", "/tmp/canary"])
    assert status != 0
    config = engine.inspect_image(made.id)["Config"]  # type: ignore[no-untyped-call]
    assert config["Cmd"] == ["python3", "bot.py"]


def test_the_labels_of_a_draft_stay_out_of_images(
    images: ImageEngine, engine: docker.APIClient, bot: BotImage, run_id: str
) -> None:
    """Cleaning up by label never meets an image or a container of it, and no draft is left."""
    config = engine.inspect_image(bot.id)["Config"]  # type: ignore[no-untyped-call]
    assert config["Labels"][RUN_LABEL] == ""
    label = {"label": f"{RUN_LABEL}={run_id}"}
    assert engine.containers(all=True, filters=label) == []
    with pytest.raises(ZeroDivisionError), images.draft(bot.id, ("true",)):
        raise ZeroDivisionError
    assert engine.containers(all=True, filters=label) == []


def test_a_root_file_system_becomes_a_source(
    images: ImageEngine, engine: docker.APIClient, tmp_path: Path
) -> None:
    """A folder is imported; one without a Python is then refused with one line."""
    (tmp_path / "usr" / "bin").mkdir(parents=True)
    (tmp_path / "usr" / "bin" / "tool").write_text("tool")
    with root_tar(tmp_path) as (_, digest):
        imported = f"claim-arena/root:{digest[:24]}"
    with pytest.raises(ImageError) as caught:
        build_base(images, source=RootFs(tmp_path))
    assert images.image(imported) is not None
    engine.remove_image(imported)
    assert str(caught.value).startswith("the container engine can't run python3 of the source ima")
    assert str(caught.value).isprintable()


def test_a_tar_that_is_none_gets_its_line(images: ImageEngine, tmp_path: Path) -> None:
    """A file that is no tar of a root file system is refused with one line."""
    (tmp_path / "root.tar").write_bytes(b"no tar" * 1000)
    with pytest.raises(ImageError, match=r"^the (container )?engine can't import the root file"):
        build_base(images, source=RootFs(tmp_path / "root.tar"))


def test_an_image_that_can_not_be_had_gets_its_line(images: ImageEngine) -> None:
    """An image that is neither here nor to be fetched gets one line."""
    with pytest.raises(ImageError) as caught:
        build_base(images, source=PublicImage("localhost:1/no-such-image:none"))
    assert str(caught.value).startswith("the container engine can't fetch the image localhost:1/no")
    assert str(caught.value).isprintable()


def test_a_base_of_an_arena_that_told_less_gets_its_line(
    images: ImageEngine, base: BaseImage, run_id: str
) -> None:
    """A base image without the labels that this arena reads is a line, not a traceback."""
    tag = f"claim-arena/base:less-{run_id}"
    with images.draft(base.source, ("true",)) as draft:
        draft.commit(tag, {"Labels": {"claim-arena.kind": "base"}})
    with pytest.raises(ImageError, match="was made by another version of the arena; make one"):
        find_base(images, tag)


def test_an_image_with_volumes_is_refused(
    images: ImageEngine, engine: docker.APIClient, run_id: str
) -> None:
    """A source that declares a volume, a writable folder outside all limits, is refused."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("empty"))
    engine.import_image_from_data(
        tar.getvalue(),
        repository="claim-arena/volumes",
        tag=run_id,
        changes=["VOLUME /data"],
    )
    with pytest.raises(ImageError, match="declares volumes, which a bot could write to"):
        build_base(images, source=PublicImage(f"claim-arena/volumes:{run_id}"))


def test_a_tag_that_is_none_of_ours_gets_its_line(
    images: ImageEngine, base_image: str, run_id: str
) -> None:
    """A missing base image is None, or a line that says how to make one; a foreign one a line."""
    missing = f"claim-arena/base:missing-{run_id}"
    assert find_base(images, missing) is None
    with pytest.raises(ImageError, match=r"there is no base image .*; make one with: arena image"):
        ensure_base(images, missing)
    with pytest.raises(ImageError, match="is no base image of ours; give another name"):
        find_base(images, base_image)
