"""Rules, schedules and ratings load nothing but themselves, seen from a bare interpreter.

The import contracts read the source; this looks at what really gets loaded from the built wheels,
where nothing that they depend on is installed but the formulas of TrueSkill.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PURE = ("arena.games", "arena.rating", "arena.schedule")
FORMULAS = ("six", "trueskill")
# -I and -S: no site-packages, no environment, no working folder.
LOAD = """
import importlib, json, pkgutil, sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), name + "."):
        importlib.import_module(module.name)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def build(project: Path, wheels: Path) -> Path:
    """Build a project's wheel with the backend that is installed here."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", wheels],
        cwd=project,
        check=True,
        capture_output=True,
    )
    (wheel,) = wheels.iterdir()
    return wheel


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both distributions unpacked, the formulas, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    for project in (ROOT, ROOT / "sdk"):
        wheel = build(project, tmp_path_factory.mktemp("wheel"))
        zipfile.ZipFile(wheel).extractall(folder)
    for name in FORMULAS:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        if spec.submodule_search_locations:
            shutil.copytree(Path(spec.origin).parent, folder / name)
        else:
            shutil.copy(spec.origin, folder)
    return folder


def loaded(bare: Path, *names: str) -> set[str]:
    """What a bare interpreter has loaded after importing these packages and all below them."""
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", LOAD, bare, *names],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return set(json.loads(ended.stdout))


@pytest.mark.parametrize("name", PURE)
def test_a_pure_package_loads_no_machinery(bare: Path, name: str) -> None:
    machinery = {"asyncio", "concurrent", "google", "grpc", "logging", "multiprocessing", "socket"}
    machinery |= {"sqlalchemy", "subprocess", "threading"}
    assert not {module.partition(".")[0] for module in loaded(bare, name)} & machinery


@pytest.mark.parametrize("name", ["arena.games", "arena.schedule"])
def test_rules_and_schedules_need_no_package_of_others(bare: Path, name: str) -> None:
    ours = {"arena", "arenabot"}
    tops = {module.partition(".")[0] for module in loaded(bare, name)}
    assert tops - ours <= sys.stdlib_module_names


@pytest.mark.parametrize("name", PURE)
def test_a_pure_package_loads_no_other_room(bare: Path, name: str) -> None:
    rooms = {module for module in loaded(bare, name) if module.startswith("arena.")}
    assert all(room.startswith(PURE) for room in rooms)


def test_the_wheels_carry_their_types_and_the_sample_bots(bare: Path) -> None:
    assert (bare / "arena/py.typed").is_file()
    assert (bare / "arenabot/py.typed").is_file()
    assert (bare / "arena/data/sample_bots").is_dir()
