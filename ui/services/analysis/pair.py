"""Where two scores differ: which of them is nearer to human judgement, and the samples with the largest difference."""

from typing import Any, Literal, NamedTuple

import numpy as np

from core.analysis.score_table import ScoreTable, falling, part_name
from core.arrays import Floats
from core.statistics import error_scales
from core.statistics.intervals import clustered_mean_interval
from core.types import RAW, ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import SCALES, Asked, Control, Found, Section, errors_menu, menu
from ui.services.tables import SAMPLES, Table, interval100, table_of

PAGE = 12  # few, because each row has a picture
TOLERANCE = 0.25  # a score with a smaller |score - human| counts as right; Polos' authors use this limit (Appendix C)
By = Literal["scores", "ranks", "first right", "second right"]
BY: dict[By, str] = {
    "scores": "difference of the scores",
    "ranks": "difference of their ranks",
    "first right": "only the first score is right",
    "second right": "only the second score is right",
}


class _Pair(NamedTuple):
    first: str  # names of columns
    second: str
    by: By
    errors: ErrorScale


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the comparison of two scores. Raises NotFound, BadSetting."""
    table = analyst.table(asked.dataset)
    wanted = asked.metrics if len(asked.metrics) > 1 else table.compared
    names = table.with_raw([name for name in wanted if not table.metric(name).by_people])
    labels = [(name, table.metric(name).label) for name in names]
    first = menu(asked, "first", "First", labels)
    others = [one for one in labels if one[0] != first.value]
    # by default, the first metric's raw score comes behind other metrics
    second = asked.option("second", sorted(others, key=lambda one: one[0] == part_name(first.value, RAW)))
    by = menu(asked, "by", "List by", [*BY.items()])
    chosen = _Pair(first.value, second, by.value, asked.scale)  # type: ignore[arg-type]
    listed, total = _list(analyst, asked, chosen, table)
    controls = [first, Control("second", "Second", second, others), by, errors_menu(asked)]
    tables = [one for one in (_nearer(analyst, asked, chosen, table), listed) if one.rows]
    notes = [] if total else ["No sample has both scores and such a difference."]
    return Found(tables, notes=notes, controls=controls, total=total, size=PAGE)


def _list(analyst: Analyst, asked: Asked, chosen: _Pair, table: ScoreTable) -> tuple[Table[Any], int]:
    gaps = _gaps(analyst, asked.dataset, chosen)
    order = falling(np.where(gaps > 0, gaps, np.nan), analyst.chosen(asked.dataset, asked.slice))
    places = order[asked.first(PAGE) :][:PAGE]
    columns = [table.metric(name) for name in (chosen.first, chosen.second)]
    values = {"human": table["human"], **{f"{one.label}, 0–1": one.unit for one in columns}}
    errors = {f"error of {one.label}": analyst.errors(asked.dataset, one.name, chosen.errors) for one in columns}
    values |= {**errors, "difference": gaps}
    rows = analyst.listed(table.samples.iloc[places], {head: of[places] for head, of in values.items()})
    title = f"Samples by {BY[chosen.by]}, rescaled to 0–1"
    return table_of(title, rows, kinds=SAMPLES, missing=dict.fromkeys(("human", *errors), "")), len(order)


def _gaps(analyst: Analyst, dataset: str, chosen: _Pair) -> Floats:
    """Return how far the two scores of each sample differ, (samples,); NaN: a score is missing, or not as chosen."""
    whole = analyst.table(dataset)
    if chosen.by in ("scores", "ranks"):
        one, other = (whole.metric(name).unit for name in (chosen.first, chosen.second))
        by: ErrorScale = "rank" if chosen.by == "ranks" else "plain"
        return np.abs(error_scales.errors(by, one, other, whole["image"]))
    first, second = (analyst.errors(dataset, name, chosen.errors) for name in (chosen.first, chosen.second))
    sides = (first, second) if chosen.by == "first right" else (second, first)
    return error_scales.only_right(*sides, TOLERANCE)


def _nearer(analyst: Analyst, asked: Asked, chosen: _Pair, table: ScoreTable) -> Table[Any]:
    """Return how close each of two scores is to human judgement, over samples with both scores and a judgement."""
    within, names = analyst.chosen(asked.dataset, asked.slice), (chosen.first, chosen.second)
    first, second = (np.abs(analyst.errors(asked.dataset, name, chosen.errors)) for name in names)
    there = np.isfinite(first) & np.isfinite(second) & (True if within is None else within)
    title = (
        f"Which score is closer to human judgement? Errors {SCALES[chosen.errors]}; a score is right if its "
        f"error is below {TOLERANCE:g}"
    )
    first, second, image = first[there], second[there], table["image"][there]
    if not len(first):
        return Table(title, (), [])
    right = [(error < TOLERANCE).astype(float) for error in (first, second)]
    labels = [table.metric(one).label for one in names]
    each = (
        (labels[0], right[0], (right[0] > right[1]).sum(), first),
        (labels[1], right[1], (right[1] > right[0]).sum(), second),
        (" − ".join(labels), right[0] - right[1], None, first - second),
    )
    rows = [
        {
            "score": label,
            "captions": len(image),
            "right, %": 100 * int(is_right.sum()) / len(image),
            "95 % interval of right": interval100(clustered_mean_interval(is_right, image)),
            "only this score is right": None if alone is None else int(alone),
            "mean |error|": float(error.mean()),
            "95 % interval of mean |error|": clustered_mean_interval(error, image),
        }
        for label, is_right, alone, error in each
    ]
    places = {"right, %": 1, "95 % interval of right": 1}
    return table_of(title, rows, decimals=places, missing={"only this score is right": ""})


SECTION = Section(
    "pair",
    "Where two scores differ",
    made,
    lambda _analyst, _dataset, here: "" if len(here.compared) > 1 else "scores of a second metric",
)
