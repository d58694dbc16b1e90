"""Make score tables for tests. No test lives here."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.score_table import MetricColumn, ScoreTable

NAN = float("nan")


def table_of(
    scores: Mapping[str, Sequence[float]],
    human: Sequence[float] | None = None,
    judgements: Sequence[Sequence[float]] | None = None,
    images: Sequence[Any] | None = None,
    scale: tuple[float, float] = (0.0, 1.0),
    raw: Mapping[str, Sequence[float]] | None = None,
    parts: Any = lambda _metric: {},
    **columns: Sequence[Any],
) -> ScoreTable:
    """Return a table with an id, a key and a cluster for each sample. columns: further columns, such as captions."""
    size = len(next(iter(scores.values())))
    said, seen = judgements or [()] * size, images or list(range(size))
    samples = pd.DataFrame({"id": np.arange(size) + 7, "key": [f"s{n}" for n in range(size)]})
    samples["human"] = np.array([NAN] * size if human is None else human, dtype=float)
    samples["level"] = [float(np.median(of)) if len(of) else NAN for of in said]
    samples["counts"] = np.array([len(of) for of in said], dtype=np.int64)
    samples["image"] = samples["cluster"] = pd.factorize(np.array(seen, dtype=object), sort=True)[0]
    samples["pair"] = pd.Series(columns.pop("pair", [None] * size), dtype=object)
    samples["captioner"] = pd.Categorical(columns.pop("captioner", [None] * size))
    samples = samples.assign(**columns)
    unknown, rough = np.full(size, NAN), raw or {}
    metrics = {
        name: MetricColumn(name, name, name, scale, np.array(of, float), np.array(rough.get(name, unknown), float))
        for name, of in scores.items()
    }
    return ScoreTable(samples, np.array([one for of in said for one in of], dtype=float), metrics, parts)
