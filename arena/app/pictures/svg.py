"""The little of SVG that the pictures need."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

#: Colours that keep their contrast on white.
INK = "#1b2430"
FAINT = "#5b6675"
LINE = "#c3cad4"
TABLE = "#f4f6f9"
RED = "#b3202a"
GREEN = "#17663a"
GOLD = "#b27a00"
BACK = "#34507d"

_FONT = "system-ui, sans-serif"


def picture(width: int, height: int, title: str, description: str, parts: Iterable[str]) -> str:
    """A whole SVG document."""
    return "\n".join(
        [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
                f' aria-labelledby="title desc" font-family="{_FONT}">'
            ),
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(description)}</desc>',
            f'<rect width="{width}" height="{height}" rx="14" fill="{TABLE}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 16,
    fill: str = INK,
    anchor: str = "middle",
    weight: str = "normal",
) -> str:
    """Words at a place; y is their base line."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
        f' font-weight="{weight}">{escape(words)}</text>'
    )


def moved(x: float, y: float, inner: str) -> str:
    """The same, with its corner elsewhere."""
    return f'<g transform="translate({x:g} {y:g})">{inner}</g>'


def box(x: float, y: float, width: float, height: float, *, stroke: str = LINE) -> str:
    """A rounded frame on white."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10" fill="#ffffff"'
        f' stroke="{stroke}" stroke-width="2"/>'
    )


def arrow(x1: float, y1: float, x2: float, y2: float, *, colour: str = GOLD) -> str:
    """A straight arrow that points at (x2, y2), level or upright."""
    if y1 == y2:
        back = -10 if x2 > x1 else 10
        head = f"{x2:g},{y2:g} {x2 + back:g},{y2 - 6:g} {x2 + back:g},{y2 + 6:g}"
    else:
        back = -10 if y2 > y1 else 10
        head = f"{x2:g},{y2:g} {x2 - 6:g},{y2 + back:g} {x2 + 6:g},{y2 + back:g}"
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"'
        f' stroke-width="3"/><polygon points="{head}" fill="{colour}"/>'
    )


def group(label: str, parts: Iterable[str]) -> str:
    """Parts that belong together, with a name for them."""
    return f"<g aria-label={quoteattr(label)}>{''.join(parts)}</g>"
