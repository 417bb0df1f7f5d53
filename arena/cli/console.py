"""What every command shows: tables, lines, notes, JSON."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from arena.cli.text import clean

#: What a seat holds, as a drawing shows it: the cards, and what they cost where they do.
Holding: TypeAlias = tuple[Text, str]
NOTHING: Holding = (Text(), "")
#: How what a bot did wrong looks.
FAULT = "bold red"
#: Columns where no terminal says how many it has: what a table needs, rather than a guess of 80.
_WIDE = 240


def screen() -> Console:
    """What answers are printed on: standard output."""
    return _console(stderr=False)


def notes() -> Console:
    """What is told beside the answer: standard error."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr,
        width=None if stream.isatty() else _WIDE,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=True,
    )


def say(line: str, style: str = "") -> None:
    """Print a line of the answer."""
    screen().print(Text(clean(line), style))


def note(line: str) -> None:
    """Tell something beside the answer."""
    notes().print(Text(clean(line), "dim"))


def show_json(document: Any) -> None:
    """Print a document; in ASCII, so that no terminal can be fooled by what it holds."""
    print(json.dumps(document, indent=2))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Make a table; a column whose heading ends in ``>`` is set to the right.

    A cell is a ``Text`` or anything that has a text; ``None`` is shown as a dash.  Without any
    heading there is no line of headings.
    """
    made = Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        show_header=any(columns),
    )
    cells = [[_cell(value) for value in row] for row in rows]
    for at, column in enumerate(columns):
        heading = column.removesuffix(">")
        right = heading != column
        made.add_column(
            Text("\n").join(Text(clean(word)) for word in heading.split("\n")),
            justify="right" if right else "left",
            # On a narrow screen a sentence may go on in the next line, never a number or a name.
            no_wrap=right,
            min_width=max(map(_longest_word, [heading, *(row[at].plain for row in cells)])),
        )
    for row in cells:
        made.add_row(*row)
    return made


def show_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print a table between two empty lines."""
    print()
    if title:
        say(title, "bold")
    show(table(columns, rows))
    print()


def show(drawn: RenderableType) -> None:
    """Print a table or drawing; one that needs more columns than there are is never cut off."""
    out = screen()
    while (needed := _widest_line(out, drawn)) > out.width:
        out.width = needed
    out.print(drawn, soft_wrap=False)


def fits(drawn: RenderableType) -> bool:
    """Whether it needs no more columns than there are."""
    out = screen()
    return _widest_line(out, drawn) <= out.width


def _widest_line(out: Console, drawn: RenderableType) -> int:
    lines = Segment.split_lines(out.render(drawn))
    return max(map(Segment.get_line_length, lines), default=0)


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=1)


def _cell(value: Any) -> Text:
    if isinstance(value, Text):
        return value
    if value is None:
        return Text("-", "dim")
    if isinstance(value, float):
        return Text(f"{value:.2f}")
    return Text(clean(value))


def faults_text(kinds: Iterable[str]) -> str:
    """Faults by kind: ``3 TIMEOUT, 1 ILLEGAL``."""
    counts = Counter(kinds)
    return ", ".join(f"{count} {clean(kind)}" for kind, count in counts.most_common())


def options_text(options: Mapping[str, Any]) -> str:
    """A game's options in one line: ``target 150, stall_laps 20``; a deck by its name."""
    return ", ".join(
        f"{name} {value['name'] if isinstance(value, dict) else value}"
        for name, value in options.items()
        if value is not None
    )


def program() -> str:
    """How this program is called from here, for commands that can be typed as they are shown."""
    path, here = Path(sys.argv[0]), Path.cwd()
    if path.name != "arena" or shutil.which("arena"):
        return "arena"
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))


def counted(number: int, one: str, many: str = "") -> str:
    """``1 match``, ``2 matches``: a number and its word."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size_text(size: int | None) -> str | None:
    """A number of bytes for people."""
    return None if size is None else f"{size / 1024**2:.1f} MiB"
