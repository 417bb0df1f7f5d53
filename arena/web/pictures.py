"""Small pictures within pages, as SVG that needs no script and no style of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from arena.rating import Direction, Standing

_WIDTH = 160
_HEIGHT = 18
_HEATS = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where a picture shows numbers."""

    low: float
    high: float

    def at(self, value: float, width: float = _WIDTH) -> float:
        """Where a number is, in a picture so wide."""
        share = (value - self.low) / (self.high - self.low)
        return round(4 + max(0.0, min(1.0, share)) * (width - 8), 1)


def scale(ends: Sequence[tuple[float, float]]) -> Scale:
    """The scale on which all of these spans can be seen."""
    low = min((low for low, _ in ends), default=0.0)
    high = max((high for _, high in ends), default=1.0)
    return Scale(low, high if high > low else low + 1)


def strength(on: Scale, mu: float, sigma: float) -> Markup:
    """What is believed of a bot: a mark where its strength is, a bar over three sigmas each way.

    The bar's left end is its score.
    """
    left, right, middle = on.at(mu - 3 * sigma), on.at(mu + 3 * sigma), on.at(mu)
    low, high = on.at(mu - sigma), on.at(mu + sigma)
    return Markup(
        '<svg class="strength" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
        'aria-label="believed strength {mu}, give or take {three}">'
        '<line class="track" x1="4" x2="{end}" y1="9" y2="9"/>'
        '<rect class="sure" x="{left}" y="5" width="{wide}" height="8" rx="4"/>'
        '<rect class="likely" x="{low}" y="5" width="{narrow}" height="8" rx="2"/>'
        '<circle class="mark" cx="{middle}" cy="9" r="4"/></svg>'
    ).format(
        w=_WIDTH,
        h=_HEIGHT,
        end=_WIDTH - 4,
        mu=f"{mu:.1f}",
        three=f"{3 * sigma:.1f}",
        left=left,
        wide=round(max(1.0, right - left), 1),
        low=low,
        narrow=round(max(1.0, high - low), 1),
        middle=middle,
    )


def share(value: float | None, low: float | None, high: float | None) -> Markup:
    """A share between nothing and all, with its interval."""
    if value is None:
        return Markup("")
    on = Scale(0, 1)
    parts = [
        Markup('<line class="track" x1="4" x2="96" y1="9" y2="9"/>'),
        Markup('<line class="half" x1="50" x2="50" y1="3" y2="15"/>'),
    ]
    if low is not None and high is not None:
        left, right = on.at(low, 100), on.at(high, 100)
        parts.append(
            Markup('<rect class="sure" x="{}" y="5" width="{}" height="8" rx="4"/>').format(
                left, round(max(1.0, right - left), 1)
            )
        )
    parts.append(Markup('<circle class="mark" cx="{}" cy="9" r="4"/>').format(on.at(value, 100)))
    return Markup(
        '<svg class="share" viewBox="0 0 100 18" width="100" height="18" aria-hidden="true">'
        "{}</svg>"
    ).format(Markup("").join(parts))


def trend(of: Standing) -> Markup:
    """Where what is believed of a bot has moved, and how far: an arrow, or a word."""
    moved = of.trend
    if moved is None:
        return Markup("\N{EN DASH}")
    if moved.direction is Direction.NEW or moved.rating is None:
        return Markup("new")
    if moved.direction is Direction.SAME:
        return Markup('<span aria-hidden="true">=</span><span class="unseen">as before</span>')
    up = moved.direction is Direction.UP
    return Markup(
        '<svg class="trend" viewBox="0 0 12 12" width="12" height="12" role="img" '
        'aria-label="{word}"><path fill="currentColor" d="{path}"/></svg> {far} '
        '<span class="small">from\N{NO-BREAK SPACE}rank\N{NO-BREAK SPACE}{rank}</span>'
    ).format(
        word=moved.direction.value,
        path="M6 1 11 11H1Z" if up else "M6 11 1 1H11Z",
        far=f"{of.mu - moved.rating.mu:+.1f}".replace("-", "\N{MINUS SIGN}"),
        rank=moved.rank,
    )


def bar(part: float, whole: float) -> Markup:
    """How much of a whole."""
    wide = round(100 * part / whole, 2) if whole else 0
    return Markup(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="8"/>'
        '<rect class="full" width="{}" height="8"/></svg>'
    ).format(wide)


def heat(value: float) -> str:
    """The class of a heat map's cell for a share: from cold, much lost, to hot, much won."""
    return f"heat-{round(max(0.0, min(1.0, value)) * _HEATS)}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram."""

    label: str
    count: int


def histogram(columns: Sequence[Column], title: str, limit: int | None = None) -> Markup:
    """Columns side by side; `limit` is the column before which a line is drawn."""
    most = max((each.count for each in columns), default=0) or 1
    step, height = 40, 120
    parts = []
    for at, each in enumerate(columns):
        tall = round(height * each.count / most, 1)
        x = at * step
        parts.append(
            Markup(
                '<rect class="full" x="{}" y="{}" width="32" height="{}" rx="3"/>'
                '<text x="{}" y="{}" class="count">{}</text>'
                '<text x="{}" y="158" class="label">{}</text>'
            ).format(
                x + 4,
                20 + height - tall,
                tall,
                x + 20,
                round(15 + height - tall, 1),
                each.count or "",
                x + 20,
                each.label,
            )
        )
    if limit is not None:
        parts.append(
            Markup('<line class="limit" x1="{x}" x2="{x}" y1="8" y2="142"/>').format(x=limit * step)
        )
    width = len(columns) * step
    return Markup(
        '<svg class="histogram" viewBox="0 0 {} 166" role="img" aria-label="{}">'
        '<line class="track" x1="0" x2="{}" y1="140.5" y2="140.5"/>{}</svg>'
    ).format(width, title, width, Markup("").join(parts))
