"""The plots of single samples: score and human judgement, score by level of judgement, two scores."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.analysis.score_table import MetricColumn, ScoreTable, human_groups
from core.arrays import Floats
from core.csv_text import csv_text
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Figure, Found, Section, axis, figure, marker, menu, words

MOST_POINTS = 50_000  # of more samples, a random selection of this size is drawn
MOST_VALUES = 1_000  # quantiles that represent the scores of one level of judgement
SEED = 20240101
PEOPLE = "human judgement, rescaled to 0–1"
PORTION = 2_000  # rows of CSV that are written at a time
Axis = tuple[str, Floats, tuple[float, float]]  # title, values, ends


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return one plot. Raises NotFound."""
    table = analyst.table(asked.dataset, asked.slice)
    columns = {name: table.metric(name) for name in asked.metrics or tuple(table.metrics) if table.find(name)}
    kinds = _kinds(columns, table.is_rated)
    controls = [menu(asked, "plot", "Plot", kinds)]
    kind = controls[0].value
    if kind == "level":
        return Found(figures=[by_level(analyst.table(asked.dataset), table, [*columns.values()])], controls=controls)
    labels = [(name, one.label) for name, one in columns.items()]
    first = menu(asked, "first", "Metric", labels)
    controls += [first] if len(labels) > 1 else []
    x, y = first.value, ""
    if kind == "metrics":
        controls.append(menu(asked, "second", "and", [one for one in labels if one[0] != x]))
        y = controls[-1].value
    drawn, note = scatter(table, _axis(table, x), _axis(table, y))
    return Found(figures=[drawn], notes=note, controls=controls, extra={"x": x or None, "y": y or None})


def _kinds(columns: Mapping[str, MetricColumn], has_human: bool) -> list[tuple[str, str]]:
    of_people = all(one.by_people for one in columns.values())
    every = (
        ("human", "Score and human judgement", has_human),
        ("level", "Distribution by human judgement", has_human),
        ("metrics", "One score and another" if of_people else "One metric and another", len(columns) > 1),
    )
    return [(key, name) for key, name, is_there in every if is_there]


def _axis(table: ScoreTable, name: str) -> Axis:
    """Return the title, values and ends of an axis. name: a column; "": human judgement."""
    column = table.metric(name) if name else None
    return (column.label, column.value, column.scale) if column else (PEOPLE, table["human"], (0.0, 1.0))


def scatter(table: ScoreTable, x: Axis, y: Axis) -> tuple[Figure, list[str]]:
    """Return a figure of one column against another. A click on a point opens the samples around it."""
    known = np.flatnonzero(np.isfinite(x[1]) & np.isfinite(y[1]))
    drawn, note = known, []
    if len(known) > MOST_POINTS:
        drawn = np.sort(np.random.default_rng(SEED).choice(known, MOST_POINTS, replace=False))
        note = [f"The plot shows a random {MOST_POINTS:,} of {len(known):,} samples."]
    points = go.Scattergl(
        x=x[1][drawn].astype(np.float32),
        y=y[1][drawn].astype(np.float32),
        customdata=table["id"][drawn].astype(np.int32),
        mode="markers",
        marker=marker(0, size=6, opacity=0.2 if len(drawn) > 5000 else 0.5),
        hovertemplate="%{x:.3f}, %{y:.3f}<extra></extra>",
    )
    said = f"{y[0]} against {x[0]}, {len(known):,} samples. The list of largest errors holds the same samples."
    ends = [axis(one[0], _padded(one[2])) for one in (x, y)]
    return figure(f"{y[0]} against {x[0]}", said, [points], *ends), note


def _padded(ends: tuple[float, float]) -> tuple[float, float]:
    by = 0.03 * (ends[1] - ends[0])
    return ends[0] - by, ends[1] + by


def by_level(whole: ScoreTable, table: ScoreTable, columns: list[MetricColumn]) -> Figure:
    """Return a figure of the scores' distributions at each level of human judgement.

    Levels are those of the whole data set, so that slices can be compared.
    """
    grouping, groups, group = human_groups(whole["human"], whole["level"])
    of = group[np.searchsorted(whole["id"], table["id"])]
    traces = []
    for number, column in enumerate(columns):
        parts = [_quantiles(column.value[of == place]) for place in range(len(groups))]
        names = [words(name) for name, part in zip(groups, parts, strict=True) for _ in part]
        drawn = {"x": names, "y": np.concatenate(parts), "name": words(column.label), "legendgroup": str(number)}
        inner = {"points": False, "box": {"visible": True}, "meanline": {"visible": True}, "spanmode": "hard"}
        look = {"line": {"color": marker(number)["color"], "width": 1}, "hoveron": "violins", "hoverinfo": "y"}
        traces.append(go.Violin(scalegroup=str(number), **drawn, **inner, **look))
    ends = (min((one.scale[0] for one in columns), default=0), max((one.scale[1] for one in columns), default=1))
    order = [words(name) for name in groups]
    across = axis(grouping, type="category", categoryorder="array", categoryarray=order)
    said = f"Distribution of {', '.join(one.label for one in columns)} at each level of human judgement."
    title = columns[0].label if len(columns) == 1 else "score"
    return figure("Scores by level of human judgement", said, traces, across, axis(title, ends), violinmode="group")


def _quantiles(values: Floats) -> Floats:
    """Return at most MOST_VALUES + 1 of the scores that represent their distribution."""
    known = np.sort(values[np.isfinite(values)])
    places = np.linspace(0, len(known) - 1, min(len(known), MOST_VALUES + 1)).round().astype(np.int64)
    return known[places]


def points_csv(analyst: Analyst, asked: Asked) -> Iterator[str]:
    """Return the data of a data set's plots as pieces of CSV, one row per sample.

    The rows have all values from which agreement with people can be computed again, captioners, error codes and kept
    columns. Numbers are not rounded, and a missing number is an empty cell. `judgements` are on the data set's own
    scale, `human` is rescaled to 0–1. Raises NotFound.
    """
    within, table = analyst.chosen(asked.dataset, asked.slice), analyst.table(asked.dataset, asked.slice)
    codes, own = analyst.codes(asked.dataset), analyst.reads.own_values(asked.dataset).reindex(table["id"])
    kept = range(len(codes)) if within is None else np.flatnonzero(within)
    more = [("captioner", [*table.samples["captioner"].astype(object).fillna("")])]
    more += [("error codes", ["; ".join(codes[place]) for place in kept])]
    more += [(name, [*own[name].fillna("")]) for name in own]
    every = table.judgements_of(np.arange(len(table)))
    columns: list[tuple[str, Any]] = [
        ("sample", table["key"]),
        ("image", table["picture"]),
        ("caption", table["caption"]),
        *((name, texts) for name, texts in more if any(texts)),
        ("judgements", [" ".join(f"{one:.17g}" for one in of) for of in every]),
        ("human", table["human"].tolist()),
        ("level", table["level"].tolist()),
    ]
    metrics = [table.metric(name) for name in asked.metrics]
    columns += [(one.label, one.value.tolist()) for one in metrics]
    columns += [(f"{one.label} raw", one.raw.tolist()) for one in metrics if one.has_raw]
    pieces = ([of[start : start + PORTION] for _, of in columns] for start in range(0, len(table), PORTION))
    rows = (zip(*piece, strict=True) for piece in pieces)
    texts = (csv_text(["" if cell != cell else cell for cell in row] for row in some) for some in rows)
    return chain([csv_text([[head for head, _ in columns]])], texts)


SECTION = Section(
    "plot",
    "Plot",
    made,
    lambda _analyst, _dataset, here: (
        "" if here.is_rated or len(here.compared) > 1 else "human judgements, or a second metric"
    ),
)
