"""How scores and human judgements are distributed, and how far scores are from judgements."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.statistics.bootstrap import Interval
from core.statistics.error_scales import Calibration, calibration
from core.statistics.intervals import clustered_mean_interval
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import (
    COLOURS,
    SCALES,
    Asked,
    Figure,
    Found,
    Section,
    axis,
    figure,
    marker,
    series,
    words,
)
from ui.services.tables import Table, table_of

BINS = 20
ORDER: tuple[ErrorScale, ...] = ("plain", "rank", "calibrated")
_ABOUT = (
    "A metric can order captions as people do, but give higher or lower scores. Then errors as they are are large, and "
    "errors by rank are small. Calibrated errors compare a score with the mean human judgement of other images’ "
    "captions with a similar score. A positive mean error means that the metric rates captions higher than people."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return distributions, errors and calibration. Raises NotFound."""
    table = analyst.table(asked.dataset, asked.slice)
    chosen = [table.metric(name) for name in asked.metrics or tuple(table.metrics)]
    units = {column.label: column.unit for column in chosen}
    known = {name: values[np.isfinite(values)] for name, values in [*units.items(), ("people", table["human"])]}
    some = {name: values for name, values in known.items() if len(values)}
    compared = table.with_raw([column.name for column in chosen if not column.by_people])
    calibrated = {
        table.metric(name).label: calibration(table.metric(name).unit, table["human"], table["image"])
        for name in compared
    }
    curves = {label: one for label, one in calibrated.items() if one is not None}
    sizes = [row for name in compared for row in _errors(analyst, asked, name, table)]
    tables: list[Table[Any]] = [
        table_of("Distributions, rescaled to 0–1", [{"score": label, **described(of)} for label, of in some.items()]),
        table_of("Mean errors, rescaled to 0–1", sizes, missing={"mean error": ""}),
        table_of("Calibration: human judgement of captions with similar scores", _bins(curves)),
    ]
    drawn = [_histogram(some), *([_curves(curves)] if curves else [])]
    return Found([one for one in tables if one.rows], drawn, [_ABOUT] if sizes else [])


def described(values: Floats) -> dict[str, Any]:
    """Return mean, standard deviation and quartiles of values without NaN; key: head of the column."""
    names = ("lowest", "lower quartile", "median", "upper quartile", "highest")
    quarters = dict(zip(names, np.percentile(values, [0, 25, 50, 75, 100]).tolist(), strict=True))
    sd = float(values.std(ddof=1)) if len(values) > 1 else None
    return {"captions": len(values), "mean": float(values.mean()), "sd": sd, **quarters}


def _errors(analyst: Analyst, asked: Asked, name: str, table: ScoreTable) -> Iterator[dict[str, Any]]:
    within = analyst.chosen(asked.dataset, asked.slice)
    for scale in ORDER:
        error = analyst.errors(asked.dataset, name, scale)
        error = error if within is None else error[within]
        there = np.isfinite(error)
        if there.any():
            size = np.abs(error[there])
            row: dict[str, Any] = {"score": table.metric(name).label, "errors": SCALES[scale], "captions": len(size)}
            row["mean error"] = float(error[there].mean()) if scale == "plain" else None
            row["mean |error|"] = float(size.mean())
            interval = clustered_mean_interval(size, table["image"][there], 0)
            yield row | {"95 % interval of mean |error|": interval}


def _bins(curves: Mapping[str, Calibration]) -> list[dict[str, Any]]:
    return [
        {"score": label, "captions": one.n, "from": one.low, "to": one.high, "mean score": one.score}
        | {"mean judgement": one.human, "95 % interval of mean judgement": one.interval}
        for label, found in curves.items()
        for one in found.bins
    ]


def _histogram(some: Mapping[str, Floats]) -> Figure:
    edges = np.linspace(0, 1, BINS + 1)
    traces = []
    for place, (name, values) in enumerate(some.items()):
        shares = 100 * np.histogram(np.clip(values, 0, 1), edges)[0] / len(values)
        pattern = {"shape": ("", "/", "x", "-", "|", "+", ".")[place % 7]}
        look = {"color": COLOURS[place % len(COLOURS)], "pattern": pattern}
        traces.append(go.Bar(x=(edges[:-1] + edges[1:]) / 2, y=shares, name=words(name), marker=look))
    said = "Share of captions in each of 20 ranges of scores. The table of distributions has the quartiles."
    return figure("Distributions", said, traces, axis("score, rescaled to 0–1", (0, 1)), axis("share of captions, %"))


def _curves(curves: Mapping[str, Calibration]) -> Figure:
    traces: list[Any] = []
    for place, (label, found) in enumerate(curves.items()):
        x, y = zip(*found.fit, strict=True)
        look = {"name": words(label), "legendgroup": str(place)}
        line = {"mode": "lines", "line": series(place, width=1.5), "hoverinfo": "skip", "showlegend": False}
        traces.append(go.Scatter(x=x, y=y, **line, **look))
        ends = [(one.human, one.interval or Interval(one.human, one.human)) for one in found.bins]
        low, high = [human - end.low for human, end in ends], [end.high - human for human, end in ends]
        bars = {"array": high, "arrayminus": low, "symmetric": False, "thickness": 1.5, "width": 3}
        points = {"x": [one.score for one in found.bins], "y": [one.human for one in found.bins], "error_y": bars}
        traces.append(go.Scatter(mode="markers", marker=marker(place, size=8), **points, **look))
    said = (
        "Mean human judgement of captions with similar scores, with 95 % intervals, and a fitted curve that never "
        "falls. The table of calibration has the same numbers."
    )
    equal = {"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": {"width": 1, "dash": "dot"}}
    x_axis, y_axis = axis("score, rescaled to 0–1", (0, 1)), axis("mean human judgement", (0, 1))
    return figure("Calibration", said, traces, x_axis, y_axis, shapes=[equal], showlegend=True)


SECTION = Section("distributions", "Distributions and errors", made)
