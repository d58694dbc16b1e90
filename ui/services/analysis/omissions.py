"""What captions leave out, according to metrics that compare captions with regions. No judgements are needed."""

from typing import Any

import numpy as np
import pandas as pd

from core.analysis.omissions import label_counts, most_omitted
from core.analysis.score_table import ScoreTable
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.distributions import described
from ui.services.analysis.section import Asked, Found, Section, menu
from ui.services.tables import SAMPLES, Table, table_of

PAGE = 12  # few, because each row has a picture


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return precision and recall, labels that captions omit, and captions that omit most. Raises NotFound."""
    table, telling = analyst.table(asked.dataset, asked.slice), analyst.reads.telling_metrics(asked.dataset)
    labels = [(name, one.label) for name, one in table.metrics.items() if (one.metric, one.signature) in telling]
    if not labels:
        return Found(notes=["No metric has compared these captions with regions. Score them with HICE-S."])
    metric = menu(asked, "metric", "Metric", labels)
    found = analyst.mentions(asked.dataset, metric.value).of(table["id"])
    shares = {name: column for name in found.captions if len(column := found.captions[name].dropna().to_numpy())}
    rows = [
        {"label": one.Index, "captions of pictures with this label": one.captions}
        | {"captions that omit it": one.omitted, "share": one.omitted / one.captions}
        | {"regions with this label": one.regions, "regions omitted": one.regions_omitted}
        for one in label_counts(found).itertuples()
    ]
    every = most_omitted(found).join(found.captions)
    tables: list[Table[Any]] = [
        table_of("Precision and recall over captions", [{"of": of, **described(one)} for of, one in shares.items()]),
        table_of("Labels that captions omit most often", rows, kinds={"share": "share"}),
        _list(analyst, table, every[asked.first(PAGE) :][:PAGE]),
    ]
    controls = [metric] if len(labels) > 1 else []
    return Found([one for one in tables if one.rows], controls=controls, total=len(every), size=PAGE)


def _list(analyst: Analyst, table: ScoreTable, shown: pd.DataFrame) -> Table[Any]:
    omitted = [f"{some} of {all_}" for some, all_ in zip(shown["regions_omitted"], shown["regions"], strict=True)]
    values = {"omitted": shown["labels"].tolist(), "regions omitted": omitted}
    values |= {name: shown[name].tolist() for name in ("precision", "recall")}
    rows = analyst.listed(table.samples.iloc[np.searchsorted(table["id"], shown.index)], values)
    return table_of("Captions that omit most", rows, kinds=SAMPLES, missing={"precision": "", "recall": ""})


def _needs(analyst: Analyst, dataset: str, _here: ScoreTable) -> str:
    is_annotated = any(one.annotated for one in analyst.reads.scored_datasets() if one.name == dataset)
    return "" if is_annotated else "regions of the pictures"


SECTION = Section("omissions", "What captions leave out", made, _needs)
