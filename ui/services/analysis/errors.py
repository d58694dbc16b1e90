"""The list of the largest errors of a score, on one of three scales."""

import numpy as np

from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import PAGE, Asked, Facts, Found, Section, menu
from ui.services.tables import Column, Table, number

SCALES: list[tuple[ErrorScale, str]] = [("rank", "by rank"), ("calibrated", "calibrated"), ("plain", "as they are")]
ABOUT: dict[str, str] = {
    "plain": "Ordered by |score − human|, both rescaled to 0–1. Δ is score − human.",
    "rank": "Ordered by the difference of ranks. Δ is the share of captions that the metric ranks lower, minus the "
    "share that people rank lower.",
    "calibrated": "Ordered by |calibrated score − human|. The calibrated score is the mean human judgement of other "
    "images’ captions with a similar score. Δ is calibrated score − human.",
}


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a page of the largest errors. Raises NotFound."""
    whole = analyst.table(asked.dataset)
    metrics = [
        (name, whole.metric(name).label) for name in asked.metrics or whole.compared if not whole.metric(name).by_people
    ]
    metric, scale = asked.option("metric", metrics), asked.option("errors", SCALES)
    size = int(asked.number("rows", PAGE))
    order = analyst.largest_errors(asked.dataset, metric, scale, asked.slice)  # type: ignore[arg-type]
    places = order[(asked.page - 1) * size : asked.page * size].tolist()
    column, error = whole.metric(metric), analyst.errors(asked.dataset, metric, scale)  # type: ignore[arg-type]
    people, pictures = analyst.judged(asked.dataset)[metric], analyst.pictures(whole.ids[places].tolist())
    starts = np.cumsum(people.counts) - people.counts
    rows = [
        {
            "id": int(whole.ids[i]),
            "key": str(whole.keys[i]),
            "rank": (asked.page - 1) * size + at + 1,
            "image": pictures.get(int(whole.ids[i])),
            "caption": str(whole.captions[i]),
            "own": float(people.judgements[starts[i] : starts[i] + people.counts[i]].mean())
            if people.counts[i]
            else None,
            "human": float(whole.human[i]),
            "score": float(column.value[i]),
            "unit": float(column.unit[i]),
            "error": float(error[i]),
        }
        for at, i in enumerate(places)
    ]
    own_scale = number("human, own scale", "own", 2, undefined="")
    own_score = [number(column.label, "score")] if column.scale != (0, 1) else []
    columns = (
        Column("#", ("rank",), "count"),
        Column("picture", ("image",), "picture"),
        Column("caption", ("caption",), "sample"),
        own_scale,
        number("human, 0–1", "human"),
        *own_score,
        number(f"{column.label}, 0–1", "unit"),
        number("Δ", "error"),
    )
    controls = [menu(asked, "metric", "Metric", metrics), menu(asked, "errors", "Errors", SCALES)]
    extra = {"keys": [row["key"] for row in rows], "metric": column.own, "label": column.label}
    table = Table(f"Largest errors of {column.label}, {dict(SCALES)[scale]}", columns, rows)  # type: ignore[index]
    return Found([table], notes=[ABOUT[scale]], controls=controls, total=len(order), size=size, extra=extra)


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return (
        ""
        if facts.rated and facts.metrics
        else "judgements of single captions"
        if facts.metrics
        else "scores of metrics"
    )


SECTION = Section("errors", "Largest errors", made, needs)
