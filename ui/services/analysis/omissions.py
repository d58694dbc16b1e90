"""What captions leave out, according to metrics that compare captions with regions. No judgements are needed."""

from typing import Any

import numpy as np

from core.analysis.omissions import Mentions, label_counts, most_left_out
from core.arrays import Floats
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.figures import axis, figure, marker, words
from ui.services.analysis.pair import PAGE, known
from ui.services.analysis.section import Asked, Facts, Figure, Found, Section, menu
from ui.services.tables import SAMPLES, Table, table_of

BINS = 20


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return precision and recall, labels that captions omit, and captions that omit most. Raises NotFound."""
    table, metrics = analyst.table(asked.dataset), telling(analyst, asked.dataset)
    if not metrics:
        return Found(notes=["No metric has compared these captions with regions. Score them with HICE-S."])
    labels = [(name, table.metric(name).label) for name in metrics]
    metric = asked.option("metric", labels)
    found = analyst.mentions(asked.dataset, metric)
    within = analyst.chosen(asked.dataset, asked.slice)
    if within is not None:
        found = found.where(np.isin(found.sample, table.ids[within]))
    values = {"precision": found.precision, "recall": found.recall}
    shares = {name: column[np.isfinite(column)] for name, column in values.items() if np.isfinite(column).any()}
    rows = [
        {"label": one.label, "captions of pictures with this label": one.captions}
        | {"captions that omit it": one.left_out, "share": one.left_out / one.captions}
        | {"regions with this label": one.regions, "regions omitted": one.regions_left_out}
        for one in label_counts(found)
    ]
    listed, total = _list(analyst, asked, found)
    tables: list[Table[Any]] = [
        table_of("Precision and recall over captions", [_share(*one) for one in shares.items()]),
        table_of("Labels that captions omit most often", rows, kinds={"share": "share"}),
        listed,
    ]
    drawn = [_histogram(shares)] if shares else []
    controls = [menu(asked, "metric", "Metric", labels)] if len(labels) > 1 else []
    return Found([one for one in tables if one.rows], drawn, controls=controls, total=total, size=PAGE)


def telling(analyst: Analyst, dataset: str) -> list[str]:
    """Return the metrics that find which regions captions mention."""
    return list(analyst.workplace.repository.analysis.telling_metrics(dataset))


def _share(name: str, values: Floats) -> dict[str, Any]:
    low, median, high = np.percentile(values, (25, 50, 75)).tolist()
    return {
        "of": name,
        "captions": len(values),
        "mean": float(values.mean()),
        "lower quartile": low,
        "median": median,
        "upper quartile": high,
    }


def _histogram(shares: dict[str, Floats]) -> Figure:
    import plotly.graph_objects as go

    most = max(1.0, *(float(values.max()) for values in shares.values()))
    traces = []
    for place, (name, values) in enumerate(shares.items()):
        counts, edges = np.histogram(values, BINS, (0.0, most))
        look = marker(place)["color"]
        traces.append(go.Bar(x=(edges[:-1] + edges[1:]) / 2, y=counts, name=words(name), marker={"color": look}))
    said = "How many captions have a precision or recall in each range. The table has their quartiles."
    return figure("Precision and recall", said, traces, axis("precision or recall", (0, most)), axis("captions"))


def _list(analyst: Analyst, asked: Asked, found: Mentions) -> tuple[Table[Any], int]:
    every, table = most_left_out(found), analyst.table(asked.dataset)
    shown = every[(asked.page - 1) * PAGE : asked.page * PAGE]
    ids = [int(found.sample[one.place]) for one in shown]
    pictures, places = analyst.pictures(ids), np.searchsorted(table.ids, np.array(ids, dtype=np.int64)).tolist()
    rows = [
        {
            "id": sample,
            "picture": pictures.get(sample),
            "caption": str(table.captions[at]),
            "omitted": ", ".join(one.labels),
            "regions omitted": f"{one.regions_left_out} of {one.regions}",
            "precision": known(found.precision[one.place]),
            "recall": known(found.recall[one.place]),
        }
        for sample, at, one in zip(ids, places, shown, strict=True)
    ]
    blank = {"precision": "", "recall": ""}
    return table_of("Captions that omit most", rows, kinds=SAMPLES, missing=blank), len(every)


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.annotated else "regions of the pictures"


SECTION = Section("omissions", "What captions leave out", made, needs)
