"""Arrays for plots. As float32 in base64, an array has a third of the size of its text."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.analysis.score_table import Mask, ScoreTable, human_groups
from core.arrays import Floats, Ints
from core.benchmarks.columns import JudgedColumn
from core.csv_text import csv_text

ROWS = 2_000  # number of rows in one block of a CSV file


def packed(values: Floats | Ints, kind: str = "<f4") -> str:
    """Return numbers as base64 of little-endian float32 or another type. Missing numbers are NaN."""
    return base64.b64encode(np.asarray(values, dtype=kind).tobytes()).decode("ascii")


def packed_mask(mask: Mask) -> str:
    """Return a mask of samples as base64.

    Each byte has eight samples, the first in its lowest bit.
    """
    return base64.b64encode(np.packbits(mask, bitorder="little").tobytes()).decode("ascii")


@dataclass(frozen=True, slots=True)
class PackedMetric:
    """One metric's scores for all samples, in base64."""

    name: str
    label: str
    scale: tuple[float, float]
    has_raw: bool
    value: str
    raw: str | None  # encoded scores before the metric smoothed them; None: not available or not requested


@dataclass(frozen=True, slots=True)
class PackedGroups:
    """Samples grouped by human judgement (see core.analysis.score_table.human_groups)."""

    title: str
    names: tuple[str, ...]  # lowest first
    of: str  # encoded int8 for each sample: index of its group in `names`; -1: not judged


@dataclass(frozen=True, slots=True)
class PackedPoints:
    """The columns for plots of some metrics, with one entry for each sample, in base64."""

    stamp: str  # version of the data set
    samples: int
    ids: str  # encoded int32, because float32 cannot represent all ids
    human: str
    groups: PackedGroups
    metrics: list[PackedMetric]


def plot_columns(stamp: str, table: ScoreTable, metrics: list[str], with_raw: bool = False) -> PackedPoints:
    """Return the columns for plots of some metrics.

    Captions and other texts are loaded later, when the user clicks a point. Raises NotFound.
    """
    groups = human_groups(table.human, table.levels)
    return PackedPoints(
        stamp=stamp,
        samples=len(table),
        ids=packed(table.ids, "<i4"),
        human=packed(table.human),
        groups=PackedGroups(groups.title, groups.names, packed(groups.of, "i1")),
        metrics=[
            PackedMetric(
                column.name,
                column.label,
                column.scale,
                column.has_raw,
                packed(column.value),
                packed(column.raw) if with_raw and column.has_raw else None,
            )
            for column in map(table.metric, metrics)
        ],
    )


def columns_csv(
    table: ScoreTable, metrics: list[str], people: JudgedColumn, pictures: Mapping[int, str]
) -> Iterator[str]:
    """Yield a plot's data as CSV text, in blocks of rows.

    There is one row per sample. The text also has all values that are needed to compute how well metrics agree with
    people. Numbers are not rounded. A missing number is an empty cell. people: the individual human judgements of the
    same samples. They fill one cell, separated by spaces. pictures: name of each image; key: number of the image. The
    names show which samples share an image, because a bootstrap resamples such samples together. Raises NotFound.
    """
    columns = [table.metric(name) for name in metrics]
    smoothed = [column for column in columns if column.has_raw]
    names = [*(column.label for column in columns), *(f"{column.label} raw" for column in smoothed)]
    head = ["sample", "image", "caption", "judgements", "human", "level", *names]
    numbers = [table.human, table.levels, *(column.value for column in columns), *(column.raw for column in smoothed)]
    return chain([csv_text([head])], map(csv_text, _row_blocks(table, numbers, people, pictures)))


def _row_blocks(
    table: ScoreTable, numbers: list[Floats], people: JudgedColumn, pictures: Mapping[int, str]
) -> Iterator[list[list[object]]]:
    ends = np.cumsum(people.counts)
    for start in range(0, len(table), ROWS):
        end = min(start + ROWS, len(table))
        judgements = _judgement_texts(people, ends, start, end)
        exact = (["" if cell != cell else cell for cell in column[start:end].tolist()] for column in numbers)
        yield [
            [key, pictures.get(image, str(image)), caption, single, *cells]
            for key, image, caption, single, *cells in zip(
                table.keys[start:end],
                table.images[start:end].tolist(),
                table.captions[start:end],
                judgements,
                *exact,
                strict=True,
            )
        ]


def _judgement_texts(people: JudgedColumn, ends: Ints, start: int, end: int) -> list[str]:
    """Return the individual judgements of some samples as texts.

    The judgements of a sample are separated by spaces. start, end: the range of samples. ends: where the judgements of
    each sample end in `people`.
    """
    sizes = people.counts[start:end].tolist()
    lasts = ends[start:end].tolist()
    return [
        " ".join(f"{judgement:.17g}" for judgement in people.judgements[last - size : last])
        for last, size in zip(lasts, sizes, strict=True)
    ]
