"""What bot.toml may say, and the one line that its author gets for everything else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.submissions.errors import ManifestError
from arena.submissions.manifest import Manifest, Runtime, parse_manifest

GOOD = 'name = "greedy"\ngame = "claims"\n'


def test_two_lines_are_enough() -> None:
    """A name and a game make a manifest; the rest has defaults."""
    manifest = parse_manifest(GOOD.encode())
    assert manifest == Manifest("greedy", None, ("claims",), Runtime.PYTHON, "bot.py")
    assert manifest.command == ("python3", "bot.py")


def test_every_key_is_read() -> None:
    """All six keys reach the record as they were written."""
    text = (
        'name = "a-1"\nversion = "2.0-rc.1+x_y"\ngames = ["claro", "claim"]\n'
        'runtime = "node"\nentrypoint = "src/main.mjs"\n'
    )
    manifest = parse_manifest(text.encode())
    assert manifest == Manifest(
        "a-1", "2.0-rc.1+x_y", ("claro", "claim"), Runtime.NODE, "src/main.mjs"
    )
    assert manifest.command == ("node", "src/main.mjs")


def test_a_node_bot_starts_at_bot_js_by_default() -> None:
    """The default entrypoint fits the runtime."""
    assert parse_manifest((GOOD + 'runtime = "node"').encode()).entrypoint == "bot.js"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 'bot.toml: "name" is missing; write for example name = "my-bot"'),
        ('name = "a"', 'bot.toml: "game" is missing; write game = "claims" (or claim, claro)'),
        (
            'name = 7\ngame = "claims"',
            ('bot.toml: "name" must be text in quotes; write for example name = "my-bot"'),
        ),
        (
            'name = "Greedy"\ngame = "claims"',
            (
                "bot.toml: \"name\" is 'Greedy'; write 1 to 32 of"
                ' a-z, 0-9 and "-", starting with a letter, for example name = "my-bot"'
            ),
        ),
        (
            GOOD + "version = 1.0",
            ('bot.toml: "version" must be text in quotes; write for example version = "1.0"'),
        ),
        (
            GOOD + 'version = "a b"',
            (
                "bot.toml: \"version\" is 'a b'; write 1 to 32 letters, digits"
                ' and ". _ + -", starting with a letter or digit, for example version = "1.0"'
            ),
        ),
        (
            GOOD + 'entry-point = "x.py"',
            ("bot.toml: unknown key 'entry-point'; did you mean \"entrypoint\"?"),
        ),
        (
            GOOD + "zzz = 1",
            (
                "bot.toml: unknown key 'zzz'; known are name, version, game, games,"
                " runtime, entrypoint"
            ),
        ),
        (
            'name = "a"\ngame = "Claims!"',
            ("bot.toml: unknown game 'Claims!'; did you mean \"claims\"?"),
        ),
        (
            'name = "a"\ngame = "poker"',
            ("bot.toml: unknown game 'poker'; known are claims, claim, claro"),
        ),
        (
            GOOD + 'games = ["claim"]',
            ('bot.toml: "game" and "games" are both there; keep one of them'),
        ),
        (
            'name = "a"\ngames = []',
            ('bot.toml: "games" must be a list of names; write for example games = ["claims"]'),
        ),
        (
            'name = "a"\ngames = "claims"',
            ('bot.toml: "games" must be a list of names; write for example games = ["claims"]'),
        ),
        (
            'name = "a"\ngames = ["claim", "claim"]',
            ('bot.toml: "games" names a game twice; name each once'),
        ),
        (
            GOOD + 'runtime = "pyton"',
            ("bot.toml: unknown runtime 'pyton'; did you mean \"python\"?"),
        ),
        (
            GOOD + 'runtime = "node"\nentrypoint = "bot.py"',
            (
                "bot.toml: \"entrypoint\" is 'bot.py',"
                " which is no .js, .mjs, .cjs file that node can start; write for example"
                ' entrypoint = "bot.js"'
            ),
        ),
        (
            GOOD + 'entrypoint = "../bot.py"',
            (
                'bot.toml: "entrypoint" \'../bot.py\' has ".." in'
                " its path; a submission holds only what lies below its own folder"
            ),
        ),
        (
            GOOD + 'entrypoint = "/bot.py"',
            (
                "bot.toml: \"entrypoint\" '/bot.py' is an absolute path;"
                " write paths relative to the bot's folder"
            ),
        ),
        (
            GOOD + 'entrypoint = "-i.py"',
            (
                "bot.toml: \"entrypoint\" is '-i.py', which is no .py file"
                ' that python can start; write for example entrypoint = "bot.py"'
            ),
        ),
        (
            GOOD + 'entrypoint = ".venv/bot.py"',
            (
                "bot.toml: \"entrypoint\" is '.venv/bot.py', which"
                ' is no .py file that python can start; write for example entrypoint = "bot.py"'
            ),
        ),
        ("name = ", "bot.toml: not TOML: Invalid value (at end of document)"),
        ('name = "a\nb"', "bot.toml: not TOML: Illegal character '?n' (at line 1, column 10)"),
        (
            "name = " + "[" * 9000,
            ("bot.toml: nested too deeply; it needs only keys with plain values"),
        ),
        ("name = " + "9" * 9000, "bot.toml: not TOML: "),
        (
            "#" * 17000,
            (
                "bot.toml: larger than 16 KiB; keep only the keys name, version, game,"
                " games, runtime, entrypoint"
            ),
        ),
    ],
)
def test_each_mistake_gets_its_line(text: str, line: str) -> None:
    """Each mistake gets one line that names the key and says what to write."""
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text.encode())
    said = str(caught.value).replace("\\", "?")
    assert said.startswith(line) if line.endswith(": ") else said == line


def test_bytes_that_are_no_text_get_their_line() -> None:
    """A manifest in another encoding is refused with a line about UTF-8."""
    with pytest.raises(ManifestError, match=r"^bot.toml: not UTF-8 text; save it as UTF-8$"):
        parse_manifest(b'name = "\xff"')


HOSTILE = ["\n", "\r", "\x00", "\x1b[31m", "\u202e", "\u2028", "a\tb", "\x7f", "\x85"]


@pytest.mark.parametrize("key", ["name", "version", "game", "runtime", "entrypoint"])
@pytest.mark.parametrize("poison", HOSTILE)
def test_no_field_takes_control_characters(key: str, poison: str) -> None:
    """No field takes line feeds, escapes or direction marks, and the line shows them escaped."""
    fields = {"name": "greedy", "game": "claims", key: f"x{poison}y"}
    text = "\n".join(f'{k} = "{_toml(v)}"' for k, v in fields.items())
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text.encode())
    assert str(caught.value).isprintable()
    assert str(caught.value).isascii()


def _toml(text: str) -> str:
    return "".join(f"\\U{ord(c):08x}" for c in text)


def _outcome(content: bytes) -> Manifest | str:
    try:
        return parse_manifest(content)
    except ManifestError as error:
        return str(error)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_manifest_or_one_line(content: bytes) -> None:
    """Whatever the bytes, the answer is a manifest or one printable ASCII line."""
    outcome = _outcome(content)
    if isinstance(outcome, str):
        assert outcome.isprintable()
        assert outcome.isascii()


@settings(deadline=None)
@given(
    name=st.text(max_size=40),
    version=st.text(max_size=40),
    entrypoint=st.text(max_size=60),
)
def test_what_is_taken_is_plain(name: str, version: str, entrypoint: str) -> None:
    """Any manifest that is taken holds only printable ASCII, and any refusal is one such line."""
    fields = {"name": name, "version": version, "entrypoint": entrypoint, "game": "claims"}
    outcome = _outcome("\n".join(f'{k} = "{_toml(v)}"' for k, v in fields.items()).encode())
    said = [outcome] if isinstance(outcome, str) else [outcome.name, outcome.entrypoint]
    assert all(text.isascii() and text.isprintable() for text in said)
