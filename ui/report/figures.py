"""Draw the report's figures as inline SVG text.

They are density plots of two columns, score distributions by level of human judgement, and calibration curves. Colours
are CSS variables of the page, so that figures follow light and dark mode.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from core.analysis.score_table import HumanGroups
from core.arrays import Floats
from ui.services.analysis.calibration_tables import BinRow, ScoreCurve

BINS = 40
_SIZE, _LEFT, _BOTTOM = 320, 64, 40  # px: side of a plot, left margin, bottom margin
_QUANTILES = (5, 25, 50, 75, 95)  # percentiles of a distribution for whiskers, ends of the box, and median


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A column of numbers that a plot draws along one axis."""

    title: str
    values: Floats  # (samples,) values; NaN: unknown
    range: tuple[float, float]


def density_svg(across: Axis, up: Axis) -> str:
    """Draw one column against another. Darker cells hold more samples, on a logarithmic scale."""
    known = np.isfinite(across.values) & np.isfinite(up.values)
    bounds = [across.range, up.range]
    counts, _, _ = np.histogram2d(across.values[known], up.values[known], bins=BINS, range=bounds)
    most, side = counts.max(initial=1.0), _SIZE / BINS
    shade = 0.12 + 0.88 * np.log1p(counts) / np.log1p(most)
    cells = [
        f'<rect x="{_LEFT + x * side:.1f}" y="{_SIZE - (y + 1) * side:.1f}" width="{side:.1f}" height="{side:.1f}" '
        f'fill="var(--accent)" fill-opacity="{shade[x, y]:.2f}"/>'
        for x, y in np.argwhere(counts > 0).tolist()
    ]
    label = f"{up.title} against {across.title}, {int(known.sum()):,} samples"
    return svg(_LEFT + _SIZE + 12, _SIZE + _BOTTOM, label, _frame(across.title, up) + _ends(across) + "".join(cells))


def levels_svg(scores: Axis, groups: HumanGroups) -> str:
    """Draw the distribution of scores at each level of human judgement.

    The plot shows the median of the scores, their middle half and their middle nine tenths.
    """
    step = _SIZE / len(groups.names)
    parts = [_frame(groups.title, scores)]
    for number, name in enumerate(groups.names):
        values = scores.values[(groups.of == number) & np.isfinite(scores.values)]
        centre = _LEFT + (number + 0.5) * step
        parts.append(text(centre, _SIZE + 16, escape(name), "middle"))
        if len(values):
            lowest, low, middle, high, highest = (_up(q, scores.range) for q in np.percentile(values, _QUANTILES))
            parts.append(_line(centre, lowest, centre, highest, 1.5))
            parts.append(
                f'<rect x="{centre - step / 4:.1f}" y="{high:.1f}" width="{step / 2:.1f}" '
                f'height="{max(low - high, 1):.1f}" fill="var(--accent)" fill-opacity="0.35" stroke="var(--accent)"/>'
            )
            parts.append(_line(centre - step / 4, middle, centre + step / 4, middle, 3))
    label = f"Distribution of {scores.title} at each level of human judgement"
    return svg(_LEFT + _SIZE + 12, _SIZE + _BOTTOM, label, "".join(parts))


def calibration_svg(curve: ScoreCurve, rows: Sequence[BinRow]) -> str:
    """Draw the mean human judgement of captions against their scores.

    Captions with neighbouring scores form one bin. The plot also shows intervals and the isotonic fit.
    """
    human = Axis("mean human judgement", np.empty(0), (0.0, 1.0))
    line = " ".join(f"{_across(score)},{_up(said, human.range):.1f}" for score, said in curve.fit)
    parts = [_frame(curve.label, human), _ends(human), _line(_LEFT, _SIZE, _LEFT + _SIZE, 0, 0.5)]
    parts.append(f'<polyline points="{line}" fill="none" stroke="var(--accent)" stroke-width="1.5"/>')
    for row in (one for one in rows if one.label == curve.label):
        x, y = float(_across(row.score)), _up(row.human, human.range)
        if row.ci_low is not None and row.ci_high is not None:
            parts.append(_line(x, _up(row.ci_low, human.range), x, _up(row.ci_high, human.range), 1.5))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="var(--accent)"/>')
    label = f"Calibration of {curve.label}: mean human judgement of captions with similar scores"
    return svg(_LEFT + _SIZE + 12, _SIZE + _BOTTOM, label, "".join(parts))


def _across(share: float) -> str:
    return f"{_LEFT + _SIZE * share:.1f}"


def text(x: float, y: float, content: str, anchor: str = "start") -> str:
    """Return an SVG text element. `content` must be escaped already."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" fill="currentColor">{content}</text>'


def svg(width: float, height: float, label: str, content: str) -> str:
    """Return a figure as SVG. label: its text alternative for screen readers."""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" {size}>{content}</svg>'


def _frame(across: str, up: Axis) -> str:
    low, high = up.range
    turned = f'<g transform="rotate(-90 14 {_SIZE / 2})">{text(14, _SIZE / 2, escape(up.title), "middle")}</g>'
    return (
        f'<rect x="{_LEFT}" y="0.5" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="var(--edge)"/>'
        + text(_LEFT + _SIZE / 2, _SIZE + 34, escape(across), "middle")
        + text(_LEFT - 6, _SIZE, f"{low:g}", "end")
        + text(_LEFT - 6, 12, f"{high:g}", "end")
        + turned
    )


def _ends(across: Axis) -> str:
    low, high = across.range
    return text(_LEFT, _SIZE + 16, f"{low:g}") + text(_LEFT + _SIZE, _SIZE + 16, f"{high:g}", "end")


def _up(value: float, scale: tuple[float, float]) -> float:
    return _SIZE * (1 - (value - scale[0]) / (scale[1] - scale[0]))


def _line(x1: float, y1: float, x2: float, y2: float, width: float) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="var(--accent)" stroke-width="{width}"/>'
