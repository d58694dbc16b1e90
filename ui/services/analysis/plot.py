"""The plots of single samples: score and human judgement, score by level of judgement, raw and smoothed, two scores."""

from collections.abc import Iterator, Mapping

import numpy as np

from core.analysis.column_names import part_name
from core.analysis.score_table import MetricColumn, ScoreTable, human_groups
from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.csv_text import csv_text
from core.types import RAW
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.figures import axis, figure, marker, words
from ui.services.analysis.section import Asked, Control, Facts, Figure, Found, Section, menu

MOST_POINTS = 50_000  # of more samples, a random selection of this size is drawn
MOST_VALUES = 1_000  # quantiles that represent the scores of one level of judgement
SEED = 20240101
PEOPLE = "human judgement, rescaled to 0–1"
Axis = tuple[str | None, str, Floats, tuple[float, float]]  # column (None: people), title, values, ends


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return one plot. Raises NotFound."""
    table = analyst.table(asked.dataset, asked.slice)
    names = [name for name in (asked.metrics or tuple(table.metrics)) if table.find(name)]
    columns = {name: table.metric(name) for name in names}
    kinds = _kinds(columns, bool(np.isfinite(table.human).any()))
    kind = asked.option("plot", kinds)
    controls = [menu(asked, "plot", "Plot", kinds)]
    if kind == "level":
        return Found(figures=[by_level(analyst.table(asked.dataset), table, [*columns.values()])], controls=controls)
    smoothed = {name: one for name, one in columns.items() if one.has_raw} if kind == "raw" else columns
    labels = [(name, one.label) for name, one in smoothed.items()]
    first, (x, y) = _first(asked, labels, controls), ("", "")
    if kind == "metrics":
        others = [one for one in labels if one[0] != first]
        x, y = first, asked.option("second", others)
        controls.append(menu(asked, "second", "and", others))
    elif kind == "raw":
        x, y = part_name(first, RAW), first
    else:
        x, y = first, ""
    drawn, note = scatter(table, _axis(table, x), _axis(table, y))
    return Found(figures=[drawn], notes=note, controls=controls, extra={"x": x or None, "y": y or None})


def _kinds(columns: Mapping[str, MetricColumn], has_human: bool) -> list[tuple[str, str]]:
    of_people = all(one.by_people for one in columns.values())
    every = (
        ("human", "Score and human judgement", has_human),
        ("level", "Distribution by human judgement", has_human),
        ("raw", "Raw and smoothed score", any(one.has_raw for one in columns.values())),
        ("metrics", "One score and another" if of_people else "One metric and another", len(columns) > 1),
    )
    return [(key, name) for key, name, is_there in every if is_there]


def _first(asked: Asked, labels: list[tuple[str, str]], controls: list[Control]) -> str:
    if len(labels) > 1:
        controls.append(menu(asked, "first", "Metric", labels))
    return asked.option("first", labels)


def _axis(table: ScoreTable, name: str) -> Axis:
    if not name:
        return None, PEOPLE, table.human, (0.0, 1.0)
    column = table.metric(name)
    return name, column.label, column.value, column.scale


def scatter(table: ScoreTable, x: Axis, y: Axis) -> tuple[Figure, list[str]]:
    """Return a figure of one column against another. A click on a point opens the sample whose id it has."""
    import plotly.graph_objects as go

    known = np.flatnonzero(np.isfinite(x[2]) & np.isfinite(y[2]))
    drawn, note = known, []
    if len(known) > MOST_POINTS:
        drawn = np.sort(np.random.default_rng(SEED).choice(known, MOST_POINTS, replace=False))
        note = [f"The plot shows a random {MOST_POINTS:,} of {len(known):,} samples."]
    points = go.Scattergl(
        x=x[2][drawn].astype(np.float32),
        y=y[2][drawn].astype(np.float32),
        customdata=table.ids[drawn].astype(np.int32),
        mode="markers",
        marker=marker(0, size=6, opacity=0.2 if len(drawn) > 5000 else 0.5),
        hovertemplate="%{x:.3f}, %{y:.3f}<extra></extra>",
    )
    said = f"{y[1]} against {x[1]}, {len(known):,} samples. The list of largest errors holds the same samples."
    ends = [axis(one[1], _padded(one[3])) for one in (x, y)]
    return figure(f"{y[1]} against {x[1]}", said, [points], *ends), note


def _padded(ends: tuple[float, float]) -> tuple[float, float]:
    by = 0.03 * (ends[1] - ends[0])
    return ends[0] - by, ends[1] + by


def by_level(whole: ScoreTable, table: ScoreTable, columns: list[MetricColumn]) -> Figure:
    """Return a figure of the scores' distributions at each level of human judgement.

    Levels are those of the whole data set, so that slices can be compared.
    """
    import plotly.graph_objects as go

    groups = human_groups(whole.human, whole.levels)
    of = groups.of[np.searchsorted(whole.ids, table.ids)]
    traces = []
    for number, column in enumerate(columns):
        parts = [_quantiles(column.value[of == group]) for group in range(len(groups.names))]
        names = [words(name) for name, part in zip(groups.names, parts, strict=True) for _ in part]
        drawn = {"x": names, "y": np.concatenate(parts), "name": words(column.label), "legendgroup": str(number)}
        inner = {"points": False, "box": {"visible": True}, "meanline": {"visible": True}, "spanmode": "hard"}
        look = {"line": {"color": marker(number)["color"], "width": 1}, "hoveron": "violins", "hoverinfo": "y"}
        traces.append(go.Violin(scalegroup=str(number), **drawn, **inner, **look))
    ends = (min((one.scale[0] for one in columns), default=0), max((one.scale[1] for one in columns), default=1))
    order = [words(name) for name in groups.names]
    across = axis(groups.title, type="category", categoryorder="array", categoryarray=order)
    said = f"Distribution of {', '.join(one.label for one in columns)} at each level of human judgement."
    title = columns[0].label if len(columns) == 1 else "score"
    return figure("Scores by level of human judgement", said, traces, across, axis(title, ends), violinmode="group")


def _quantiles(values: Floats) -> Floats:
    """Return at most MOST_VALUES + 1 of the scores that represent their distribution."""
    known = np.sort(values[np.isfinite(values)])
    places = np.linspace(0, len(known) - 1, min(len(known), MOST_VALUES + 1)).round().astype(np.int64)
    return known[places]


def points_csv(
    table: ScoreTable,
    names: list[str],
    people: JudgedColumn,
    pictures: Mapping[int, str],
    more: Mapping[str, list[str]],
) -> Iterator[str]:
    """Yield a plot's data as CSV, one row per sample.

    The rows have all values from which agreement with people can be computed again. Numbers are not rounded, and a
    missing number is an empty cell. `judgements` are on the data set's own scale, `human` is rescaled to 0–1. pictures:
    name of each image, with its folder. more: further columns of texts, one text per sample.
    """
    columns = [table.metric(name) for name in names]
    smoothed = [column for column in columns if column.has_raw]
    heads = [*(column.label for column in columns), *(f"{column.label} raw" for column in smoothed)]
    numbers = [table.human, table.levels, *(column.value for column in columns), *(column.raw for column in smoothed)]
    yield csv_text([["sample", "image", "caption", *more, "judgements", "human", "level", *heads]])
    ends, step = np.cumsum(people.counts), 2_000
    for start in range(0, len(table), step):
        block = slice(start, start + step)
        exact = zip(
            *(["" if cell != cell else cell for cell in column[block].tolist()] for column in numbers), strict=True
        )
        texts = zip(
            table.keys[block],
            (pictures.get(image, str(image)) for image in table.images[block].tolist()),
            table.captions[block],
            *(column[block] for column in more.values()),
            _judgements(people, ends, start, min(start + step, len(table))),
            strict=True,
        )
        yield csv_text([*said, *row] for said, row in zip(texts, exact, strict=True))


def _judgements(people: JudgedColumn, ends: Ints, start: int, end: int) -> Iterator[str]:
    """Yield each sample's single judgements as text, separated by spaces."""
    for size, last in zip(people.counts[start:end].tolist(), ends[start:end].tolist(), strict=True):
        yield " ".join(f"{one:.17g}" for one in people.judgements[last - size : last])


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.rated or facts.metrics > 1 else "human judgements, or a second metric"


SECTION = Section("plot", "Plot", made, needs)
