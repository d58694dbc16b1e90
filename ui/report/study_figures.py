"""Draw a study's ratings as inline SVG text: mean ratings with intervals, and how often raters chose each point."""

from collections.abc import Sequence
from html import escape
from typing import Any

from core.studies.asking.criteria import ABSTAIN, NO_PICTURE
from ui.report.figures import svg, text

_ROW, _WIDE, _TOP = 28, 720, 34  # px: height of a row, width of the figure, y of the first row
_LETTER = 6.8  # px: approximate width of a letter
_NAMED = {ABSTAIN: "abstained", NO_PICTURE: "no picture"}
_ABSTAINED = 'fill="none" stroke="var(--edge)" stroke-dasharray="3 2"'


def means_svg(rows: Sequence[dict[str, Any]], points: Sequence[int]) -> str:
    """Draw each metric's mean rating on each criterion.

    Each mean has its 95 % interval. points: the points of the rating scale, ascending.
    """
    drawn = [row for row in rows if row["mean"] is not None]
    names, lowest, highest = _names(drawn), points[0], points[-1]

    def at(point: float) -> float:
        return names + (_WIDE - names - 20) * (point - lowest) / (highest - lowest)

    parts = [text(at(point), 12, str(point), "middle") for point in points]
    parts += [_upright(at(point), len(drawn)) for point in points]
    for number, row in enumerate(drawn):
        y = _TOP + number * _ROW
        parts.append(_name(row, names, y))
        if row["ci_low"] is not None:
            ends = f'x1="{at(row["ci_low"]):.1f}" x2="{at(row["ci_high"]):.1f}" y1="{y}" y2="{y}"'
            parts.append(f'<line {ends} stroke="var(--accent)" stroke-width="2"/>')
        parts.append(f'<circle cx="{at(row["mean"]):.1f}" cy="{y}" r="5" fill="var(--accent)"/>')
    return svg(_WIDE, _TOP + len(drawn) * _ROW, "Mean ratings with 95 % intervals", "".join(parts))


def distribution_svg(shares: Sequence[dict[str, Any]], points: Sequence[int]) -> str:
    """Draw how often raters chose each point of a rating scale.

    Each metric and criterion has a bar, with abstentions at its end.
    """
    bars: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for share in shares:
        bars.setdefault((share["metric"], share["criterion"]), []).append(share)
    names = _names(shares)
    parts = []
    for number, bar in enumerate(bars.values()):
        y, x = number * _ROW, float(names)
        parts.append(_name(bar[0], names, y + _ROW / 2))
        for share in sorted(bar, key=lambda one: (one["point"] <= 0, abs(one["point"]))):
            width = share["share"] * (_WIDE - names)
            parts.append(_segment(share, x, y, width, points[-1]))
            x += width
    return svg(_WIDE, len(bars) * _ROW, "How often raters gave each rating", "".join(parts))


def _segment(share: dict[str, Any], x: float, y: float, width: float, most: int) -> str:
    point, count = share["point"], share["count"]
    look = f'fill="var(--accent)" fill-opacity="{0.15 + 0.6 * point / most:.2f}" stroke="var(--paper)"'
    title = f"<title>{_NAMED.get(point, f'point {point}')}: {count:,}</title>"
    box = f'x="{x:.1f}" y="{y + 4:.1f}" width="{width:.1f}" height="{_ROW - 8}"'
    label = text(x + width / 2, y + _ROW / 2 + 4, str(point), "middle") if width > 14 else ""
    return f"<rect {box} {_ABSTAINED if point in _NAMED else look}>{title}</rect>{label}"


def _names(rows: Sequence[dict[str, Any]]) -> int:
    longest = max((len(f"{row['metric']}: {row['criterion']}") for row in rows), default=0)
    return min(_WIDE // 2, round(longest * _LETTER) + 20)


def _name(row: dict[str, Any], names: int, y: float) -> str:
    return text(names - 12, y + 4, escape(f"{row['metric']}: {row['criterion']}"), "end")


def _upright(x: float, rows: int) -> str:
    return f'<line x1="{x:.1f}" x2="{x:.1f}" y1="20" y2="{_TOP + (rows - 0.5) * _ROW:.1f}" stroke="var(--line)"/>'
