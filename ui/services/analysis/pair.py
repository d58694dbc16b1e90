"""Where two scores differ: which of them is nearer to human judgement, and the samples with the largest difference."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.analysis.score_table import Mask, MetricColumn, falling, part_name
from core.arrays import Floats, Ints
from core.statistics import error_scales
from core.statistics.intervals import clustered_mean_interval
from core.types import RAW
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import SCALES, Asked, Found, Section, errors_menu, menu
from ui.services.tables import SAMPLES, Table, interval100, table_of

PAGE = 12  # few, because each row has a picture
TOLERANCE = 0.25  # a score with a smaller |score - human| counts as right; Polos' authors use this limit (Appendix C)
BY = {
    "scores": "difference of the scores",
    "ranks": "difference of their ranks",
    "first right": "only the first score is right",
    "second right": "only the second score is right",
}


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the comparison of two scores. Raises NotFound, BadSetting."""
    table, within = analyst.table(asked.dataset), analyst.chosen(asked.dataset, asked.slice)
    wanted = asked.metrics if len(asked.metrics) > 1 else table.compared
    names = table.with_raw([name for name in wanted if not table.metric(name).by_people])
    labels = [(name, table.metric(name).label) for name in names]
    first, by = menu(asked, "first", "First", labels), menu(asked, "by", "List by", [*BY.items()])
    others = [one for one in labels if one[0] != first.value]
    others.sort(key=lambda one: one[0] == part_name(first.value, RAW))  # by default, compare with another metric
    second = menu(asked, "second", "Second", others)
    columns = [table.metric(first.value), table.metric(second.value)]
    errors = [analyst.errors(asked.dataset, one.name, asked.scale) for one in columns]
    gaps = _gaps(by.value, columns, errors, table["image"])
    order = falling(np.where(gaps > 0, gaps, np.nan), within)
    places = order[asked.first(PAGE) :][:PAGE]
    values = {"human": table["human"], **{f"{one.label}, 0–1": one.unit for one in columns}}
    values |= {f"error of {one.label}": error for one, error in zip(columns, errors, strict=True)}
    values["difference"] = gaps
    rows = analyst.listed(table.samples.iloc[places], {head: of[places] for head, of in values.items()})
    title = f"Samples by {BY[by.value]}, rescaled to 0–1"
    listed = table_of(title, rows, kinds=SAMPLES, missing=dict.fromkeys(values, ""))
    return Found(
        [one for one in (_nearer(asked, columns, errors, table["image"], within), listed) if one.rows],
        notes=[] if len(order) else ["No sample has both scores and such a difference."],
        controls=[first, second, by, errors_menu(asked)],
        total=len(order),
        size=PAGE,
    )


def _gaps(by: str, columns: Sequence[MetricColumn], errors: Sequence[Floats], image: Ints) -> Floats:
    """Return how far the two scores of each sample differ, (samples,); NaN: a score is missing, or not as chosen."""
    if by in ("scores", "ranks"):
        one, other = (column.unit for column in columns)
        return np.abs(error_scales.errors("rank" if by == "ranks" else "plain", one, other, image))
    right, wrong = errors if by == "first right" else errors[::-1]
    return error_scales.only_right(right, wrong, TOLERANCE)


def _nearer(
    asked: Asked, columns: Sequence[MetricColumn], errors: Sequence[Floats], image: Ints, within: Mask | None
) -> Table[Any]:
    """Return how close each of two scores is to human judgement, over samples with both scores and a judgement."""
    there = np.isfinite(errors[0]) & np.isfinite(errors[1]) & (True if within is None else within)
    first, second, image = np.abs(errors[0][there]), np.abs(errors[1][there]), image[there]
    title = (
        f"Which score is closer to human judgement? Errors {SCALES[asked.scale]}; a score is right if its "
        f"error is below {TOLERANCE:g}"
    )
    if not len(first):
        return Table(title, (), [])
    right = [(error < TOLERANCE).astype(float) for error in (first, second)]
    labels = [one.label for one in columns]
    each = (
        (labels[0], right[0], (right[0] > right[1]).sum(), first, 0),
        (labels[1], right[1], (right[1] > right[0]).sum(), second, 0),
        (" − ".join(labels), right[0] - right[1], None, first - second, -1),
    )
    rows = [
        {
            "score": label,
            "captions": len(image),
            "right, %": 100 * int(is_right.sum()) / len(image),
            "95 % interval of right": interval100(clustered_mean_interval(is_right, image, low)),
            "only this score is right": None if alone is None else int(alone),
            "mean |error|": float(error.mean()),
            "95 % interval of mean |error|": clustered_mean_interval(error, image, low),
        }
        for label, is_right, alone, error, low in each
    ]
    places = {"right, %": 1, "95 % interval of right": 1}
    return table_of(title, rows, decimals=places, missing={"only this score is right": ""})


SECTION = Section(
    "pair",
    "Where two scores differ",
    made,
    lambda _analyst, _dataset, here: "" if len(here.compared) > 1 else "scores of a second metric",
)
