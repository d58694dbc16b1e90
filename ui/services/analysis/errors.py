"""The list of the largest errors of a score, on one of three scales."""

from core.analysis.score_table import ScoreTable
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import PAGE, SCALES, Asked, Found, Section, errors_menu, menu
from ui.services.tables import Column, Table, number

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
    order, first = analyst.largest_errors(asked.dataset, metric, scale, asked.slice), asked.first(size)
    places = order[first:][:size]
    column, error, human = whole.metric(metric), analyst.errors(asked.dataset, metric, scale), whole["human"]
    pictures = analyst.pictures(whole["id"][places].tolist())
    rows = [
        {
            "id": sample.id,
            "key": sample.key,
            "rank": rank,
            "image": pictures.get(sample.id),
            "caption": sample.caption,
            "own": float(said.mean()) if len(said) else None,
            "human": float(human[at]),
            "score": float(column.value[at]),
            "unit": float(column.unit[at]),
            "error": float(error[at]),
        }
        for rank, (at, sample, said) in enumerate(
            zip(places, whole.samples.iloc[places].itertuples(), whole.judgements_of(places), strict=True),
            first + 1,
        )
    ]
    own_scale = [number(column.label, "score")] if column.scale != (0, 1) else []
    heads = (
        Column("#", ("rank",), "count"),
        Column("picture", ("image",), "picture"),
        Column("caption", ("caption",), "sample"),
        number("human, own scale", "own", 2, undefined=""),
        number("human, 0–1", "human"),
        *own_scale,
        number(f"{column.label}, 0–1", "unit"),
        number("Δ", "error"),
    )
    extra = {"keys": [row["key"] for row in rows], "metric": column.own, "label": column.label}
    table = Table(f"Largest errors of {column.label}, {SCALES[scale]}", heads, rows)
    return Found(
        [table], notes=[ABOUT[scale]], controls=[chosen, errors_menu(asked)], total=len(order), size=size, extra=extra
    )


def needs(_analyst: Analyst, _dataset: str, here: ScoreTable) -> str:
    """Return what the section lacks."""
    if not here.compared:
        return "scores of metrics"
    return "" if here.is_rated else "judgements of single captions"


SECTION = Section("errors", "Largest errors", made, needs)
