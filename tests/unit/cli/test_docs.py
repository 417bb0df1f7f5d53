"""What the pages tell people to type exists."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from arena.app.bots.newbot import new_bot
from arena.cli import main

ROOT = Path(__file__).parents[3]
PAGES = ("README.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))


def _command(name: str) -> Any:
    """The command of that name, which may be a group of several."""
    return typer.main.get_command(import_module(f"arena.cli.{name}").app)


GROUPS = [name for name in main.COMMANDS if hasattr(_command(name), "commands")]


def commands() -> list[str]:
    """Every command on the pages: those set apart, and those within sentences."""
    texts = [(ROOT / page).read_text() for page in PAGES]
    shapes = re.compile(r"^ {4}arena ([^#\n]+)|`arena ([^`]+)`", re.MULTILINE)
    found = ["".join(call) for text in texts for call in shapes.findall(text)]
    return sorted({call.strip() for call in found})


@pytest.mark.parametrize("call", commands())
def test_a_command_on_a_page_exists_with_its_options(
    call: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is in the help of the command that it is said to belong to."""
    monkeypatch.setenv("COLUMNS", "200")
    words = call.split()
    name = words[: 2 if words[0] in GROUPS and len(words) > 1 else 1]
    assert main.run([*name, "--help"]) == 0
    told = capsys.readouterr().out
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", told), option


def _told() -> Iterator[str]:
    """Every command, within its group, and each of their options."""
    for name in main.COMMANDS:
        command = _command(name)
        parts = getattr(command, "commands", {"": command})
        for part, within in parts.items():
            yield f"arena {name} {part}".strip()
            for parameter in within.params:
                yield from (option for option in parameter.opts if option.startswith("--"))


def test_the_pages_name_every_command_and_option() -> None:
    """Nothing can be done that is nowhere told."""
    pages = "".join((ROOT / page).read_text() for page in PAGES)
    told = set(_told())
    assert len(told) > 50
    assert sorted(each for each in told if each not in pages) == []


def test_the_readme_shows_the_bot_that_is_written(tmp_path: Path) -> None:
    """Word for word."""
    code = (new_bot("my-bot", "claims", tmp_path) / "bot.py").read_text()
    assert f"```python\n{code}```" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_leads_only_to_what_is_there(page: str) -> None:
    """Every file or folder of ours that it names exists."""
    text = (ROOT / page).read_text()
    named = re.findall(r"`((?:docs|sdk|arena|proto|tests|sample_bots)/[\w./-]*)`", text)
    named += re.findall(r"\b(docs/\d-[\w-]+\.md)", text)
    missing = [name for name in named if not (ROOT / name).exists()]
    assert missing == []
