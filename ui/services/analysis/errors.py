"""The list of the largest errors of a score, on one of three scales."""

from typing import Any

import numpy as np

from core.analysis.score_table import ScoreTable, falling
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import PAGE, SCALES, Asked, Found, Section, errors_menu, menu
from ui.services.tables import SAMPLES, table_of

ABOUT: dict[ErrorScale, str] = {
    "plain": "Ordered by |score − human|, both rescaled to 0–1. Δ is score − human.",
    "rank": "Ordered by the difference of ranks. Δ is the share of captions that the metric ranks lower, minus the "
    "share that people rank lower.",
    "calibrated": "Ordered by |calibrated score − human|. The calibrated score is the mean human judgement of other "
    "images’ captions with a similar score. Δ is calibrated score − human.",
}


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a page of the largest errors. Raises NotFound."""
    whole = analyst.table(asked.dataset)
    columns = [whole.metric(name) for name in asked.metrics or whole.compared]
    metrics = [(one.name, one.label) for one in columns if not one.by_people]
    chosen, scale, size = menu(asked, "metric", "Metric", metrics), asked.scale, int(asked.number("rows", PAGE))
    metric = chosen.value
    column, error = whole.metric(metric), analyst.errors(asked.dataset, metric, scale)
    order, first = falling(np.abs(error), analyst.chosen(asked.dataset, asked.slice)), asked.first(size)
    places = order[first:][:size]
    own = [said.mean() if len(said) else None for said in whole.judgements_of(places)]
    values: dict[str, Any] = {"human, own scale": own, "human, 0–1": whole["human"][places]}
    label = "metric human" if column.label == "human" else column.label
    values |= {} if column.scale == (0, 1) else {f"{label}, own scale": column.value[places]}
    values |= {f"{label}, 0–1": column.unit[places], "Δ": error[places]}
    listed = analyst.listed(whole.samples.iloc[places], values)
    rows = [{"#": rank, **row} for rank, row in enumerate(listed, first + 1)]
    title, blank = f"Largest errors of {column.label}, {SCALES[scale]}", {"human, own scale": ""}
    table = table_of(title, rows, decimals={"human, own scale": 2}, kinds=SAMPLES, missing=blank)
    extra = {"keys": [row["key"] for row in rows], "metric": column.own}
    return Found(
        [table], notes=[ABOUT[scale]], controls=[chosen, errors_menu(asked)], total=len(order), size=size, extra=extra
    )


def needs(_analyst: Analyst, _dataset: str, here: ScoreTable) -> str:
    """Return what the section lacks."""
    if not here.compared:
        return "scores of metrics"
    return "" if here.is_rated else "judgements of single captions"


SECTION = Section("errors", "Largest errors", made, needs)
