"""Routes for plots of many samples: counts per cell, samples near a point or in a lasso, distributions of scores."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict

from core.analysis.density import around, check_ends, check_place, density, quantiles
from core.analysis.score_table import human_groups
from core.analysis.slice_conditions import Lasso
from core.arrays import Floats, Ints
from core.errors import BadSetting
from core.foreign_values import shaped
from ui.services.analysis.analyst import Analyst
from ui.web.json.plots import packed
from ui.web.routes.dependencies import AnalystDep
from ui.web.routes.long_work import followed

MOST_POINTS = 5_000  # up to this number of visible samples, each sample is drawn as a point
Name = Annotated[str | None, Query(max_length=500)]
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]
End = Annotated[float, Query(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPart:
    """The values on both axes of a plot, with the visible range of each axis."""

    ids: Ints  # ids of the slice's samples, (samples,)
    xs: Floats  # (samples,) values on the x axis; NaN: missing
    ys: Floats
    across: tuple[float, float]
    up: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PackedPlaces:
    """Individual samples of a plot: their ids and coordinates, in base64."""

    ids: str  # int32
    x: str  # float32
    y: str


@dataclass(frozen=True, slots=True)
class PackedDensity:
    """The number of samples per cell in the visible part of a plot."""

    samples: int  # number of samples with values on both axes, visible or not
    shown: int  # visible samples
    across: list[float]  # x coordinates of the cells' centres
    up: list[float]
    counts: str  # encoded int32 counts of the cells, row by row, the lowest row first
    points: PackedPlaces | None  # all visible samples; None: there are too many to draw each one


@dataclass(frozen=True, slots=True)
class Around:
    """The samples near a point of a plot, the nearest first."""

    ids: list[int]


@dataclass(frozen=True, slots=True)
class PackedLassoed:
    """All samples inside a lasso."""

    samples: int
    ids: str  # int32


@dataclass(frozen=True, slots=True)
class SpreadMetric:
    """The distribution of a metric's scores in each group of samples, as quantiles."""

    name: str
    label: str
    scale: tuple[float, float]
    value: str  # encoded float32 scores, group after group
    of: str  # encoded int8 index of each score's group


@dataclass(frozen=True, slots=True)
class Spread:
    """Distributions of scores, with samples grouped by human judgement (core.analysis.score_table.human_groups)."""

    title: str
    names: tuple[str, ...]  # lowest first
    samples: int  # judged
    metrics: list[SpreadMetric]


class LassoBody(BaseModel):
    """A lasso line that a user drew in a plot of a data set or slice (saved filter)."""

    model_config = ConfigDict(extra="forbid")
    dataset: str
    lasso: dict[str, Any]
    slice: str | None = None


ROUTER = APIRouter(prefix="/api/analyse", dependencies=[Depends(followed)])


def drawn_part(
    dataset: str,
    left: End,
    right: End,
    bottom: End,
    top: End,
    analyst: AnalystDep,
    x: Name = None,
    y: Name = None,
    slice_name: SliceName = None,
) -> DrawnPart:
    """Return the samples of a plot with their scores on both axes, and the plot's visible range.

    x, y: the scores on the axes; None: human judgements. Raises BadSetting.
    """
    if not (left < right and bottom < top):
        raise BadSetting("The visible range of a plot needs left < right and bottom < top.")
    check_ends((left, right))
    check_ends((bottom, top))
    return DrawnPart(*_axes(analyst, dataset, x, y, slice_name), (left, right), (bottom, top))


@ROUTER.get("/density")
def counts(of: Annotated[DrawnPart, Depends(drawn_part)]) -> PackedDensity:
    """Return the number of samples per cell of a plot."""
    found = density(of.xs, of.ys, of.across, of.up)
    known, shown = int((np.isfinite(of.xs) & np.isfinite(of.ys)).sum()), found.shown
    points = None
    if len(shown) <= MOST_POINTS:
        points = PackedPlaces(packed(of.ids[shown], "<i4"), packed(of.xs[shown]), packed(of.ys[shown]))
    cells = packed(found.counts.ravel(), "<i4")
    return PackedDensity(known, len(shown), found.across.tolist(), found.up.tolist(), cells, points)


@ROUTER.get("/around")
def samples_around(of: Annotated[DrawnPart, Depends(drawn_part)], at_x: End, at_y: End) -> Around:
    """List the samples near a point of a plot."""
    check_place((at_x, at_y), of.across, of.up)
    return Around(of.ids[around(of.xs, of.ys, (at_x, at_y), of.across, of.up)].tolist())


@ROUTER.post("/lasso")
def lassoed(body: LassoBody, analyst: AnalystDep) -> PackedLassoed:
    """List all samples inside a lasso."""
    lasso = shaped(Lasso, body.lasso, BadSetting)
    ids, xs, ys = _axes(analyst, body.dataset, lasso.x, lasso.y, body.slice)
    within = ids[lasso.holds(xs, ys)]
    return PackedLassoed(len(within), packed(within, "<i4"))


@ROUTER.get("/spread")
def spread(dataset: str, metric: Metrics, analyst: AnalystDep, slice_name: SliceName = None) -> Spread:
    """Return the distribution of metrics' scores per level of human judgement."""
    table = analyst.table(dataset, slice_name)
    groups = human_groups(table.human, table.levels)
    rows = []
    for column in map(table.metric, metric):
        parts = [quantiles(column.value[groups.of == group]) for group in range(len(groups.names))]
        of = np.repeat(np.arange(len(parts)), [len(one) for one in parts])
        rows.append(
            SpreadMetric(column.name, column.label, column.scale, packed(np.concatenate(parts)), packed(of, "i1"))
        )
    return Spread(groups.title, groups.names, int((groups.of >= 0).sum()), rows)


def _axes(
    analyst: Analyst, dataset: str, x: str | None, y: str | None, slice_name: str | None
) -> tuple[Ints, Floats, Floats]:
    """Return the ids of samples, and their values on a plot's axes.

    x, y: the scores on the axes; None: human judgements. slice_name: the samples' slice (saved filter); None: all
    samples.
    """
    table, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    xs, ys = (table.human if axis is None else table.metric(axis).value for axis in (x, y))
    return (table.ids, xs, ys) if within is None else (table.ids[within], xs[within], ys[within])
