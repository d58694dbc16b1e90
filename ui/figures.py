"""Figures of the report as inline SVG text: means with intervals, and score against human as density."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from core.bootstrap import Floats

BINS = 40
_SIZE, _LEFT, _BOTTOM = 320, 44, 40  # px: the square of a density, room for labels
_ROW, _NAMES, _WIDE = 28, 220, 640  # px: a row of means, room for names, the whole width


def density_svg(score: Floats, human: Floats, metric: str, scale: tuple[float, float]) -> str:
    """Return score (across, on its scale) against human (up, [0, 1]); darker cells hold more samples."""
    known = np.isfinite(score) & np.isfinite(human)
    counts, _, _ = np.histogram2d(score[known], human[known], bins=BINS, range=[scale, (0.0, 1.0)])
    most, side = counts.max(initial=1.0), _SIZE / BINS
    cells = [
        f'<rect x="{_LEFT + x * side:.1f}" y="{_SIZE - (y + 1) * side:.1f}" width="{side:.1f}" height="{side:.1f}" '
        f'fill="#00629b" fill-opacity="{0.12 + 0.88 * np.log1p(counts[x, y]) / np.log1p(most):.2f}"/>'
        for x, y in np.argwhere(counts > 0).tolist()
    ]
    name = escape(metric)
    axes = (
        f'<rect x="{_LEFT}" y="0" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#6e7781"/>'
        + _text(_LEFT, _SIZE + 16, f"{scale[0]:g}")
        + _text(_LEFT + _SIZE, _SIZE + 16, f"{scale[1]:g}", "end")
        + _text(_LEFT + _SIZE / 2, _SIZE + 32, name, "middle")
        + _text(_LEFT - 6, _SIZE, "0", "end")
        + _text(_LEFT - 6, 12, "1", "end")
        + _text(_LEFT - 6, _SIZE / 2, "human", "end")
    )
    label = f"{name} against human judgement, {int(known.sum()):,} samples"
    return _svg(_LEFT + _SIZE + 8, _SIZE + _BOTTOM, label, axes + "".join(cells))


def means_svg(rows: Sequence[dict[str, Any]], lowest: float = 1.0, highest: float = 4.0) -> str:
    """Return the mean point of every metric and criterion with its 95 % interval."""
    drawn = [row for row in rows if row["mean"] is not None]

    def at(point: float) -> float:
        return _NAMES + (_WIDE - _NAMES - 20) * (point - lowest) / (highest - lowest)

    parts = [_text(at(point), 12, f"{point:g}", "middle") for point in np.arange(lowest, highest + 1)]
    for number, row in enumerate(drawn):
        y = 34 + number * _ROW
        parts.append(_text(_NAMES - 12, y + 4, escape(f"{row['metric']}: {row['criterion']}"), "end"))
        if row["ci_low"] is not None:
            ends = f'x1="{at(row["ci_low"]):.1f}" x2="{at(row["ci_high"]):.1f}" y1="{y}" y2="{y}"'
            parts.append(f'<line {ends} stroke="#00629b" stroke-width="2"/>')
        parts.append(f'<circle cx="{at(row["mean"]):.1f}" cy="{y}" r="5" fill="#00629b"/>')
    return _svg(_WIDE, 40 + len(drawn) * _ROW, "Mean ratings with 95 % intervals", "".join(parts))


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" fill="currentColor">{text}</text>'


def _svg(width: float, height: float, label: str, content: str) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" {size}>{content}</svg>'
