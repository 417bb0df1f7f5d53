"""Every word of every command, with bytes that are no text and numbers beyond all bounds."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import typer

from arena.cli import main
from tests.integration.cli.arenas import Arena
from tests.integration.client.serving import Serving

#: Hundreds of commands and a server on a busy machine.
pytestmark = pytest.mark.timeout(600)

ODD, LARGE = "z\udcff", "9" * 30
#: What other words a command needs, in the places of their names.
NEEDED = {
    "name": "cup",
    "tournament": "cup",
    "source": "cup",
    "bot": "greedy",
    "of": "greedy",
    "number": "1",
    "seat": "0",
}
NEEDED |= {"path": ".", "target": "there", "why": "so", "author": "local", "match": "0"}
#: What says where to look, and where to write to: a path may be any bytes.
ELSEWHERE = {"_server", "_profile", "_home", "target"}


def leaves() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command that looks at a store or a server, with its words."""
    for name in main.COMMANDS:
        command = typer.main.get_command(import_module(f"arena.cli.{name}").app)
        for part, leaf in getattr(command, "commands", {"": command}).items():
            if any(parameter.name == "_server" for parameter in leaf.params):
                yield (name, part) if part else (name,), leaf


def _written(parameter: Any, value: str) -> list[str]:
    options = [option for option in parameter.opts if option.startswith("--")]
    return [options[0], value] if options else [value]


def calls() -> Iterator[Any]:
    """Each command once for each of its words that is text or a whole number."""
    for name, leaf in leaves():
        for parameter in leaf.params:
            kind = parameter.type_descriptor.annotation
            if parameter.name in ELSEWHERE or kind not in {str, int, list[str]}:
                continue
            value = LARGE if kind is int else ODD
            words = list(name)
            for other in leaf.params:
                if other is parameter:
                    words += _written(other, value)
                elif other.required:
                    default = "claims" if other.name == "game" else NEEDED[other.name]
                    words += _written(other, default)
            yield pytest.param(words, id=ascii(" ".join(words)))
    for number in (LARGE, "9" * 5000, "4294967296"):
        yield pytest.param(["bot", "retire", f"greedy:{number}"], id=f"retire {number:.20}")


@pytest.fixture(scope="module")
def arena(new_arena: Arena) -> Arena:
    """An arena with a tournament that is open for entry, and no container engine."""
    new_arena("tournament", "create", "cup", "--game", "claims", "--league", "spring")
    new_arena("tournament", "enter", "cup", "greedy")
    return new_arena


@pytest.fixture(params=["store", "server"])
def asked(arena: Arena, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """The arena as its own machine sees it, and as its organiser does from elsewhere."""
    if request.param == "server":
        up: Serving = request.getfixturevalue("server")
        monkeypatch.setenv("ARENA_SERVER", up.address)
        monkeypatch.setenv("ARENA_TOKEN", up.tokens["olga"])
    arena.enter()
    return arena


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("rankings", "--tournament", "cup", "--game", "claro"), "cup is of claims: leave --game"),
        (("rankings", "--league", "spring", "--game", "claim"), "spring is of claims: leave --gam"),
        (("replay", "show", "cup"), "there is no file cup: name a replay's, or a tournament and"),
        (("tournament", "export", "cup", "cup.zip"), "cup.zip would be a folder: name it other"),
        (("bot", "submit", "nowhere"), "can't read nowhere: No such file or directory; name a "),
    ],
)
def test_what_contradicts_itself_or_is_not_there_is_told(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rather than half of it done, or a file looked for that nobody meant."""
    assert main.run([*words]) in {main.FAILED, main.WRONG_CALL}
    assert capsys.readouterr().err.startswith(f"arena: {told}")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("words", [*calls()])
def test_an_odd_word_is_refused_in_one_line_that_a_person_understands(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """On the arena's own machine and on a server, whichever word it is."""
    assert main.run(words) in {main.FAILED, main.WRONG_CALL}
    told = capsys.readouterr().err
    assert told.count("\n") == 1, told
    for word in ("bug", "codec", "surrogate", "Python", "SQLite"):
        assert word not in told
